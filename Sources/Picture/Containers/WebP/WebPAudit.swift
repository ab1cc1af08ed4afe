public import StickerValues

/// Checks the container of a finished WebP file chunk by chunk (RFC 9649), without decoding pixels.
///
/// It is stricter than the format: consumers validate WebP by unpublished rules, and are known to refuse bytes after
/// the last chunk, wrong flags, metadata, and animations that mix lossy and lossless frames.
public enum WebPAudit {
    /// WhatsApp refuses shorter frames.
    static let frameMillisecondsMin = 8

    /// The faults of `file`. Any bytes are allowed.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - canvas: pixels that the whole picture must have.
    ///   - frames: the exact number of frames of an animation; `nil` demands a still.
    ///   - durationMilliseconds: the exact playing time of an animation; `nil` accepts any.
    /// - Returns: a clause for each fault, at most 20.
    public static func faults(
        in file: [UInt8], canvas: PixelSize, frames: Int? = nil, durationMilliseconds: Int? = nil
    ) -> [String] {
        var run = AuditRun(file: file, canvas: canvas, acceptsMetadata: false)
        run.inspect(frames: frames, durationMilliseconds: durationMilliseconds)
        return run.faults.map(\.clause)
    }

    /// The faults of `file` by concern, as platforms refuse only some of them.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - canvas: pixels that the whole picture must have.
    ///   - frames: the exact number of frames of an animation; `nil` demands a still.
    ///   - acceptsMetadata: whether metadata is allowed where the format allows it.
    /// - Returns: each fault, at most 20.
    package static func sortedFaults(
        in file: [UInt8], canvas: PixelSize, frames: Int?, acceptsMetadata: Bool
    ) -> [WebPFault] {
        var run = AuditRun(file: file, canvas: canvas, acceptsMetadata: acceptsMetadata)
        run.inspect(frames: frames, durationMilliseconds: nil)
        return run.faults
    }
}

/// One audit of one file.
private struct AuditRun {
    private typealias Chunk = RIFF.Chunk

    let file: [UInt8]
    let canvas: PixelSize
    let acceptsMetadata: Bool
    private(set) var faults: [WebPFault] = []
    private var pictures: [WebPBitstream] = []
    private var milliseconds = 0
    /// Whether a frame is cleared after it has been shown.
    private var clears = false
    /// The flags in VP8X for the accepted metadata.
    private var metadataFlags: UInt8 = 0

    init(file: [UInt8], canvas: PixelSize, acceptsMetadata: Bool) {
        self.file = file
        self.canvas = canvas
        self.acceptsMetadata = acceptsMetadata
    }

    mutating func inspect(frames: Int?, durationMilliseconds: Int?) {
        if let fault = RIFF.headerFault(of: file) { note(.bytes, fault) }
        guard file.count > RIFF.headerBytes else { return }
        let walk = RIFF.walk(file, in: RIFF.headerBytes..<file.count)
        if let fault = walk.fault { note(.bytes, fault) }
        let chunks = acceptsMetadata ? withoutMetadata(walk.chunks) : walk.chunks
        guard let frames else { return inspectStill(chunks) }
        inspectAnimation(chunks)
        if pictures.count != frames {
            note(.frameCount, "\(pictures.count) frames instead of \(frames)")
        }
        guard let expected = durationMilliseconds, milliseconds != expected else { return }
        note(.duration, "the frames last \(milliseconds) ms instead of \(expected)")
    }

    /// Skips a colour profile right after VP8X, and EXIF and XMP at the end, and records their flags (RFC 9649, 2.7).
    private mutating func withoutMetadata(_ chunks: [Chunk]) -> [Chunk] {
        guard chunks.first?.tag == "VP8X" else { return chunks }
        var rest = chunks
        if rest.count > 1, rest[1].tag == "ICCP" {
            rest.remove(at: 1)
            metadataFlags |= WebPBitstream.profileFlag
        }
        let trailing = ["EXIF": WebPBitstream.exifFlag, "XMP ": WebPBitstream.xmpFlag]
        while let flag = rest.last.flatMap({ trailing[$0.tag] }), metadataFlags & flag == 0 {
            rest.removeLast()
            metadataFlags |= flag
        }
        return rest
    }

    /// `VP8L`, `VP8 `, or `VP8X` with `VP8L` or with `ALPH` and `VP8 `.
    private mutating func inspectStill(_ chunks: [Chunk]) {
        let isExtended = chunks.first?.tag == "VP8X"
        let body = isExtended ? chunks.dropFirst() : chunks[...]
        guard let picture = readPicture(body, of: canvas, "the picture") else { return }
        if isExtended {
            checkHeader(chunks[0], isAnimated: false)
            if !picture.isLossless, !picture.hasAlpha, metadataFlags == 0 {
                note(.order, "an opaque lossy still has a VP8X chunk")
            }
        } else if body.count > 1 {
            note(.order, "an ALPH chunk stands without VP8X")
        }
    }

    /// `VP8X`, `ANIM`, `ANMF`...
    private mutating func inspectAnimation(_ chunks: [Chunk]) {
        guard chunks.count > 2, chunks[0].tag == "VP8X", chunks[1].tag == "ANIM" else {
            return note(.order, "the chunks \(list(chunks[...])) are not VP8X, ANIM and frames")
        }
        if chunks[1].payload.count != 6 {
            note(.order, "the ANIM chunk has \(chunks[1].payload.count) bytes instead of 6")
        }
        for (index, chunk) in chunks.dropFirst(2).enumerated() {
            guard chunk.tag == "ANMF" else {
                note(
                    .order, "a \(chunk.tag.debugDescription) chunk stands where only frames belong")
                continue
            }
            inspectFrame(chunk.payload, "frame \(index)")
        }
        checkHeader(chunks[0], isAnimated: true)
        if Set(pictures.map(\.isLossless)).count > 1 {
            note(.mixture, "lossy and lossless frames are mixed")
        }
    }

    /// A frame: the halves of its offsets, which are therefore even; its size, time and methods in 16
    /// bytes; then its picture.
    private mutating func inspectFrame(_ payload: Range<Int>, _ name: String) {
        guard payload.count >= 16 else {
            return note(.frame, "\(name) has no room for its header")
        }
        let fields = (0..<5).map { RIFF.size(file, payload.lowerBound + 3 * $0, bytes: 3) }
        let size = PixelSize(width: fields[2] + 1, height: fields[3] + 1)
        let (x, y) = (2 * fields[0], 2 * fields[1])
        if x + size.width > canvas.width || y + size.height > canvas.height {
            note(.frame, "\(name), \(size) at \(x),\(y), leaves the canvas")
        }
        milliseconds += fields[4]
        if fields[4] < WebPAudit.frameMillisecondsMin {
            note(.duration, "\(name) lasts \(fields[4]) ms")
        }
        let methods = file[payload.lowerBound + 15]
        clears = clears || methods & 1 != 0
        if methods & 0xFC != 0 { note(.frame, "\(name) has reserved bits set: \(methods)") }
        let walk = RIFF.walk(file, in: (payload.lowerBound + 16)..<payload.upperBound)
        if let fault = walk.fault { note(.bytes, "\(name): \(fault)") }
        _ = readPicture(walk.chunks[...], of: size, name)
    }

    /// Reads `VP8L`, `VP8 `, or `ALPH` and `VP8 `, which must be the only chunks.
    private mutating func readPicture(
        _ chunks: ArraySlice<Chunk>, of size: PixelSize, _ name: String
    ) -> WebPBitstream? {
        guard [["VP8L"], ["VP8 "], ["ALPH", "VP8 "]].contains(chunks.map(\.tag)),
            let last = chunks.last
        else {
            note(.order, "\(name) consists of \(list(chunks))")
            return nil
        }
        let bytes = file[last.payload]
        let read = last.tag == "VP8L" ? WebPBitstream(lossless: bytes) : WebPBitstream(lossy: bytes)
        guard var picture = read else {
            note(.picture, "\(name) has a damaged \(last.tag.debugDescription) header")
            return nil
        }
        if picture.size != size {
            note(.picture, "\(name) is \(picture.size) instead of \(size)")
        }
        if chunks.count == 2, let alpha = chunks.first {
            picture.hasAlpha = true
            if !WebPBitstream.isAlpha(file[alpha.payload], of: size) {
                note(.picture, "\(name) has a damaged ALPH header")
            }
        }
        pictures.append(picture)
        return picture
    }

    /// Compares the flags and the canvas of `VP8X` with the contents of the file.
    private mutating func checkHeader(_ chunk: Chunk, isAnimated: Bool) {
        let start = chunk.payload.lowerBound
        guard chunk.payload.count == 10 else {
            return note(.header, "the VP8X chunk has \(chunk.payload.count) bytes instead of 10")
        }
        var expected = pictures.contains(where: \.hasAlpha) ? WebPBitstream.alphaFlag : 0
        // Opaque frames may cover only a part of the canvas. Our files must declare that, others may.
        let isPartial = isAnimated && pictures.first?.size != canvas
        if isPartial, !acceptsMetadata {
            expected |= WebPBitstream.alphaFlag
        } else if isPartial || clears {
            expected |= file[start] & WebPBitstream.alphaFlag
        }
        if isAnimated { expected |= WebPBitstream.animationFlag }
        expected |= metadataFlags
        if file[start] != expected {
            note(.header, "the VP8X flags are \(file[start]), not \(expected)")
        }
        if RIFF.size(file, start + 1, bytes: 3) != 0 {
            note(.header, "VP8X has reserved bytes set")
        }
        let size = PixelSize(
            width: RIFF.size(file, start + 4, bytes: 3) + 1,
            height: RIFF.size(file, start + 7, bytes: 3) + 1)
        if size != canvas { note(.header, "the canvas is \(size) instead of \(canvas)") }
    }

    private mutating func note(_ concern: WebPFault.Concern, _ clause: String) {
        guard faults.count < Faults.countMax else { return }
        faults.append(WebPFault(concern: concern, clause: clause))
    }

    private func list(_ chunks: ArraySlice<Chunk>) -> String {
        guard !chunks.isEmpty else { return "nothing" }
        return chunks.prefix(4).map(\.tag.debugDescription).joined(separator: ", ")
    }
}
