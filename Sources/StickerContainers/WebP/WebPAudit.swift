public import StickerModel

/// Checks the container of a finished WebP file chunk by chunk (RFC 9649), without decoding pixels.
///
/// It demands more of our files than the format does: consumers validate WebP by rules they do not
/// publish, and are known to refuse bytes after the last chunk, wrong flags, metadata, and animations
/// that mix lossy and lossless frames.
public enum WebPAudit {
    /// WhatsApp refuses shorter frames.
    static let frameMillisecondsMin = 8

    /// What is wrong with `file`; empty if nothing is. Any bytes may be given.
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
        var run = AuditRun(file: file, canvas: canvas)
        run.inspect(frames: frames, durationMilliseconds: durationMilliseconds)
        return run.faults.clauses
    }
}

/// One look at one file.
private struct AuditRun {
    private typealias Chunk = RIFF.Chunk

    let file: [UInt8]
    let canvas: PixelSize
    private(set) var faults = Faults()
    private var pictures: [WebPBitstream] = []
    private var milliseconds = 0

    init(file: [UInt8], canvas: PixelSize) {
        self.file = file
        self.canvas = canvas
    }

    mutating func inspect(frames: Int?, durationMilliseconds: Int?) {
        if let fault = RIFF.headerFault(of: file) { faults.note(fault) }
        guard file.count > RIFF.headerBytes else { return }
        let walk = RIFF.walk(file, in: RIFF.headerBytes..<file.count)
        if let fault = walk.fault { faults.note(fault) }
        guard let frames else { return inspectStill(walk.chunks) }
        inspectAnimation(walk.chunks)
        if pictures.count != frames { faults.note("\(pictures.count) frames instead of \(frames)") }
        guard let expected = durationMilliseconds, milliseconds != expected else { return }
        faults.note("the frames last \(milliseconds) ms instead of \(expected)")
    }

    /// `VP8L`, `VP8 `, or `VP8X` with `VP8L` or with `ALPH` and `VP8 `.
    private mutating func inspectStill(_ chunks: [Chunk]) {
        let isExtended = chunks.first?.tag == "VP8X"
        let body = isExtended ? chunks.dropFirst() : chunks[...]
        guard let picture = readPicture(body, of: canvas, "the picture") else { return }
        if isExtended {
            checkHeader(chunks[0], isAnimated: false)
            if !picture.isLossless, !picture.hasAlpha {
                faults.note("an opaque lossy still has a VP8X chunk")
            }
        } else if body.count > 1 {
            faults.note("an ALPH chunk stands without VP8X")
        }
    }

    /// `VP8X`, `ANIM`, `ANMF`...
    private mutating func inspectAnimation(_ chunks: [Chunk]) {
        guard chunks.count > 2, chunks[0].tag == "VP8X", chunks[1].tag == "ANIM" else {
            return faults.note("the chunks \(list(chunks[...])) are not VP8X, ANIM and frames")
        }
        if chunks[1].payload.count != 6 {
            faults.note("the ANIM chunk has \(chunks[1].payload.count) bytes instead of 6")
        }
        for (index, chunk) in chunks.dropFirst(2).enumerated() {
            guard chunk.tag == "ANMF" else {
                faults.note("a \(chunk.tag.debugDescription) chunk stands where only frames belong")
                continue
            }
            inspectFrame(chunk.payload, "frame \(index)")
        }
        checkHeader(chunks[0], isAnimated: true)
        if Set(pictures.map(\.isLossless)).count > 1 {
            faults.note("lossy and lossless frames are mixed")
        }
    }

    /// A frame: the halves of its offsets, which are therefore even; its size, time and methods in 16
    /// bytes; then its picture.
    private mutating func inspectFrame(_ payload: Range<Int>, _ name: String) {
        guard payload.count >= 16 else { return faults.note("\(name) has no room for its header") }
        let fields = (0..<5).map { RIFF.size(file, payload.lowerBound + 3 * $0, bytes: 3) }
        let size = PixelSize(width: fields[2] + 1, height: fields[3] + 1)
        let (x, y) = (2 * fields[0], 2 * fields[1])
        if x + size.width > canvas.width || y + size.height > canvas.height {
            faults.note("\(name), \(size) at \(x),\(y), leaves the canvas")
        }
        milliseconds += fields[4]
        if fields[4] < WebPAudit.frameMillisecondsMin {
            faults.note("\(name) lasts \(fields[4]) ms")
        }
        let methods = file[payload.lowerBound + 15]
        if methods & 0xFC != 0 { faults.note("\(name) has reserved bits set: \(methods)") }
        let walk = RIFF.walk(file, in: (payload.lowerBound + 16)..<payload.upperBound)
        if let fault = walk.fault { faults.note("\(name): \(fault)") }
        _ = readPicture(walk.chunks[...], of: size, name)
    }

    /// Reads `VP8L`, `VP8 `, or `ALPH` and `VP8 `, which must be the only chunks.
    private mutating func readPicture(
        _ chunks: ArraySlice<Chunk>, of size: PixelSize, _ name: String
    ) -> WebPBitstream? {
        guard [["VP8L"], ["VP8 "], ["ALPH", "VP8 "]].contains(chunks.map(\.tag)),
            let last = chunks.last
        else {
            faults.note("\(name) consists of \(list(chunks))")
            return nil
        }
        let bytes = file[last.payload]
        let read = last.tag == "VP8L" ? WebPBitstream(lossless: bytes) : WebPBitstream(lossy: bytes)
        guard var picture = read else {
            faults.note("\(name) has a damaged \(last.tag.debugDescription) header")
            return nil
        }
        if picture.size != size { faults.note("\(name) is \(picture.size) instead of \(size)") }
        if chunks.count == 2, let alpha = chunks.first {
            picture.hasAlpha = true
            if !WebPBitstream.isAlpha(file[alpha.payload], of: size) {
                faults.note("\(name) has a damaged ALPH header")
            }
        }
        pictures.append(picture)
        return picture
    }

    /// Compares the flags and the canvas of `VP8X` with what the file holds.
    private mutating func checkHeader(_ chunk: Chunk, isAnimated: Bool) {
        let start = chunk.payload.lowerBound
        guard chunk.payload.count == 10 else {
            return faults.note("the VP8X chunk has \(chunk.payload.count) bytes instead of 10")
        }
        var expected = pictures.contains(where: \.hasAlpha) ? WebPBitstream.alphaFlag : 0
        if isAnimated { expected |= WebPBitstream.animationFlag }
        if file[start] != expected {
            faults.note("the VP8X flags are \(file[start]), not \(expected)")
        }
        if RIFF.size(file, start + 1, bytes: 3) != 0 { faults.note("VP8X has reserved bytes set") }
        let size = PixelSize(
            width: RIFF.size(file, start + 4, bytes: 3) + 1,
            height: RIFF.size(file, start + 7, bytes: 3) + 1)
        if size != canvas { faults.note("the canvas is \(size) instead of \(canvas)") }
    }

    private func list(_ chunks: ArraySlice<Chunk>) -> String {
        guard !chunks.isEmpty else { return "nothing" }
        return chunks.prefix(4).map(\.tag.debugDescription).joined(separator: ", ")
    }
}
