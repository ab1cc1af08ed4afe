public import StickerModel

/// Checks a finished APNG file chunk by chunk (PNG specification, third edition), without decoding pixels.
///
/// It accepts only the output of our encoder: a first frame that is the default image, all frames inside it and
/// numbered without gaps, times in milliseconds, no metadata but sRGB, and nothing after the end.
public enum APNGAudit {
    /// The faults of `file`. Any bytes are allowed.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - size: pixels that the canvas must have.
    ///   - frames: the exact number of images.
    ///   - durationMilliseconds: the exact sum of the delays as stored; `nil` accepts any.
    ///   - loopCount: the exact number of plays, 0 means forever; `nil` accepts any.
    /// - Returns: a clause for each fault, at most 20.
    public static func faults(
        in file: [UInt8], size: PixelSize, frames: Int, durationMilliseconds: Int?, loopCount: Int?
    ) -> [String] {
        file.withUnsafeBytes { bytes in
            var run = AuditRun(bytes: bytes, size: size)
            run.walk()
            run.compare(frames: frames, milliseconds: durationMilliseconds, plays: loopCount)
            return run.faults.clauses
        }
    }
}

/// One audit of one file.
private struct AuditRun {
    /// Chunks that come before the pixels, once each.
    private static let heads: Set<Int> = [
        PNGChunkType.ihdr, PNGChunkType.srgb, PNGChunkType.plte, PNGChunkType.trns,
        PNGChunkType.actl,
    ]

    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    private(set) var faults = Faults()
    private var seen: Set<Int> = []
    private var last = 0
    private var colorType: UInt8?
    private var control: PNGAnimationControl?
    private var sequence = 0
    private var images = 0
    private var milliseconds = 0

    init(bytes: UnsafeRawBufferPointer, size: PixelSize) {
        self.bytes = bytes
        self.size = size
    }

    mutating func walk() {
        guard bytes.starts(with: PNGChunks.signature) else {
            return faults.note("the file does not begin as a PNG")
        }
        var end = PNGChunks.signature.count
        let chunks = PNGChunks(bytes)
        for chunk in chunks {
            if !chunks.isIntact(chunk) {
                faults.note("the checksum of \(PNGChunkType.name(chunk.type)) is wrong")
            }
            checkPlace(of: chunk.type)
            check(chunk)
            last = chunk.type
            end = chunk.data.upperBound + 4
            if chunk.type == PNGChunkType.iend { break }
        }
        if last != PNGChunkType.iend {
            faults.note("the chunks end at byte \(end) without IEND")
        } else if end != bytes.count {
            faults.note("\(bytes.count - end) bytes stand behind IEND")
        }
    }

    mutating func compare(frames: Int, milliseconds expected: Int?, plays: Int?) {
        if !seen.contains(PNGChunkType.idat) { faults.note("there is no IDAT chunk") }
        if colorType == 3, !seen.contains(PNGChunkType.plte) {
            faults.note("a palette picture has no PLTE chunk")
        }
        if images != frames { faults.note("\(images) images instead of \(frames)") }
        if let expected, milliseconds != expected {
            faults.note("the frames last \(milliseconds) ms instead of \(expected)")
        }
        guard let control else { return faults.note("there is no acTL chunk") }
        if control.frames != images {
            faults.note("acTL promises \(control.frames) images, and \(images) are there")
        }
        if let plays, control.plays != plays {
            faults.note("the animation asks for \(control.plays) plays instead of \(plays)")
        }
    }

    private mutating func checkPlace(of type: Int) {
        let name = PNGChunkType.name(type)
        let isNew = seen.insert(type).inserted
        if last == 0, type != PNGChunkType.ihdr {
            faults.note("\(name) stands where only IHDR belongs")
        }
        if Self.heads.contains(type) {
            if !isNew { faults.note("there is a second \(name)") }
            if images > 0 || seen.contains(PNGChunkType.idat) {
                faults.note("\(name) stands behind the first frame")
            }
        }
        // Every frame control is followed by one chunk of pixels: IDAT for the first, fdAT for the
        // others.
        let pixels = images == 1 ? PNGChunkType.idat : PNGChunkType.fdat
        let isPixels = type == PNGChunkType.idat || type == PNGChunkType.fdat
        if last == PNGChunkType.fctl ? type != pixels : isPixels {
            faults.note("\(name) does not belong behind \(PNGChunkType.name(last))")
        }
    }

    private mutating func check(_ chunk: PNGChunks.Chunk) {
        let data = bytes.part(chunk.data)
        switch chunk.type {
        case PNGChunkType.ihdr:
            if colorType == nil { colorType = data.byte(at: 9) }
            for fault in PNGHeaderFaults.clauses(data, size: size) { faults.note(fault) }
        case PNGChunkType.actl:
            control = PNGAnimationControl(data)
            if control == nil { faults.note("acTL has \(data.count) bytes instead of 8") }
        case PNGChunkType.fctl: checkFrame(data)
        case PNGChunkType.fdat: checkNumber(data.bigEndian32(at: 0), "fdAT")
        case PNGChunkType.plte: checkPalette(data.count)
        case PNGChunkType.srgb, PNGChunkType.trns, PNGChunkType.idat: break
        case PNGChunkType.iend:
            if !data.isEmpty { faults.note("IEND holds \(data.count) bytes") }
        default: faults.note("there is a chunk \(PNGChunkType.name(chunk.type))")
        }
    }

    private mutating func checkFrame(_ data: UnsafeRawBufferPointer) {
        images += 1
        guard let frame = PNGFrameControl(data) else {
            return faults.note(
                "fcTL has \(data.count) bytes instead of \(PNGFrameControl.byteCount)")
        }
        checkNumber(frame.sequence, "fcTL")
        let found = PixelSize(width: frame.width, height: frame.height)
        let name = "image \(images - 1), \(found) at \(frame.x),\(frame.y),"
        if frame.width == 0 || frame.height == 0 { faults.note("\(name) is empty") }
        if frame.x + frame.width > size.width || frame.y + frame.height > size.height {
            faults.note("\(name) leaves the canvas")
        }
        if images == 1, found != size { faults.note("\(name) is not the whole canvas") }
        if frame.disposal > 2 || frame.blend > 1 {
            faults.note("\(name) has disposal \(frame.disposal) and blending \(frame.blend)")
        }
        if frame.delayDenominator != 1000 {
            faults.note("\(name) counts its time in 1/\(frame.delayDenominator) s")
        }
        milliseconds += frame.delayMilliseconds
    }

    private mutating func checkNumber(_ number: Int?, _ name: String) {
        guard let number else { return faults.note("\(name) has no sequence number") }
        if number != sequence {
            faults.note("\(name) has sequence number \(number) instead of \(sequence)")
        }
        sequence += 1
    }

    private mutating func checkPalette(_ count: Int) {
        if count % 3 != 0 || !(3...768).contains(count) { faults.note("PLTE has \(count) bytes") }
        if colorType != 3 { faults.note("PLTE stands in a picture without palette") }
    }
}
