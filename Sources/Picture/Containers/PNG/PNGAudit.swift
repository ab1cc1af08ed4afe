public import StickerValues

/// Checks a finished PNG or APNG file chunk by chunk (PNG specification, third edition), without decoding pixels.
///
/// It accepts only the output of our encoders: no metadata but sRGB, no interlacing, and nothing after the end. The first
/// frame of an animation is the default image; all frames are inside it and numbered without gaps, with times in
/// milliseconds.
public enum PNGAudit {
    /// The faults of `file`. Any bytes are allowed.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - size: pixels that the picture must have.
    ///   - frames: the exact number of images of an animation; `nil` for a still picture.
    ///   - durationMilliseconds: the exact sum of the delays as stored; `nil` accepts any.
    ///   - loopCount: the exact number of plays, 0 means forever; `nil` accepts any.
    /// - Returns: a clause for each fault, at most 20.
    public static func faults(
        in file: [UInt8], size: PixelSize, frames: Int? = nil, durationMilliseconds: Int? = nil,
        loopCount: Int? = nil
    ) -> [String] {
        file.withUnsafeBytes { bytes in
            var run = AuditRun(
                bytes: bytes, size: size, animation: frames.map { _ in APNGAudit(size) })
            run.walk()
            if let frames {
                run.animation?.compare(frames, durationMilliseconds, loopCount, &run.faults)
            }
            return run.faults.clauses
        }
    }
}

/// One audit of one file.
private struct AuditRun {
    /// Chunks that come before the pixels, once each; acTL in animations only.
    private static let heads: Set<Int> = [
        PNGChunkType.ihdr, PNGChunkType.srgb, PNGChunkType.plte, PNGChunkType.trns,
        PNGChunkType.actl,
    ]

    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    /// `nil` for a still picture.
    var animation: APNGAudit?
    var faults = Faults()
    private var seen: Set<Int> = []
    private var last = 0
    private var colorType: UInt8?

    init(bytes: UnsafeRawBufferPointer, size: PixelSize, animation: APNGAudit?) {
        (self.bytes, self.size, self.animation) = (bytes, size, animation)
    }

    mutating func walk() {
        guard bytes.starts(with: PNGChunks.signature) else {
            return faults.note("the file does not begin as a PNG")
        }
        var end = PNGChunks.signature.count
        let chunks = PNGChunks(bytes)
        for chunk in chunks {
            let name = PNGChunkType.name(chunk.type)
            if !chunks.isIntact(chunk) { faults.note("the checksum of \(name) is wrong") }
            checkPlace(of: chunk.type, name)
            check(chunk.type, name, bytes.part(chunk.data))
            last = chunk.type
            end = chunk.data.upperBound + 4
            if chunk.type == PNGChunkType.iend { break }
        }
        if last != PNGChunkType.iend {
            faults.note("the chunks end at byte \(end) without IEND")
        } else if end != bytes.count {
            faults.note("\(bytes.count - end) bytes stand behind IEND")
        }
        if !seen.contains(PNGChunkType.idat) { faults.note("there is no IDAT chunk") }
        if colorType == 3, !seen.contains(PNGChunkType.plte) {
            faults.note("a palette picture has no PLTE chunk")
        }
    }

    private mutating func checkPlace(of type: Int, _ name: String) {
        let isNew = seen.insert(type).inserted
        if last == 0, type != PNGChunkType.ihdr {
            faults.note("\(name) stands where only IHDR belongs")
        }
        if Self.heads.contains(type), animation != nil || type != PNGChunkType.actl {
            if !isNew { faults.note("there is a second \(name)") }
            if seen.contains(PNGChunkType.idat) || animation?.hasFrames == true {
                let pixels = animation == nil ? "the pixels" : "the first frame"
                faults.note("\(name) stands behind \(pixels)")
            }
        }
        if let animation {
            animation.checkPlace(of: type, behind: last, &faults)
        } else if type == PNGChunkType.idat, !isNew, last != type {
            faults.note("other chunks stand between those of IDAT")
        }
    }

    private mutating func check(_ type: Int, _ name: String, _ data: UnsafeRawBufferPointer) {
        switch type {
        case PNGChunkType.ihdr:
            if colorType == nil { colorType = data.byte(at: 9) }
            for fault in PNGHeaderFaults.clauses(data, size: size) { faults.note(fault) }
        case PNGChunkType.plte: checkPalette(data.count)
        case PNGChunkType.srgb, PNGChunkType.trns, PNGChunkType.idat: break
        case PNGChunkType.iend:
            if !data.isEmpty { faults.note("IEND holds \(data.count) bytes") }
        default:
            if animation?.check(type, data, &faults) != true {
                faults.note("there is a chunk \(name)")
            }
        }
    }

    private mutating func checkPalette(_ count: Int) {
        if count % 3 != 0 || !(3...768).contains(count) { faults.note("PLTE has \(count) bytes") }
        if colorType != 3 { faults.note("PLTE stands in a picture without palette") }
    }
}
