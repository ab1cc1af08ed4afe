public import StickerModel

/// Checks a finished PNG file chunk by chunk (PNG specification), without decoding pixels.
///
/// It accepts only the output of our encoder: no metadata but sRGB, no interlacing, and nothing after the end.
public enum PNGAudit {
    /// The faults of `file`. Any bytes are allowed.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - size: pixels that the picture must have.
    /// - Returns: a clause for each fault, at most 20.
    public static func faults(in file: [UInt8], size: PixelSize) -> [String] {
        file.withUnsafeBytes { bytes in
            var run = AuditRun(bytes: bytes, size: size)
            run.inspect()
            return run.faults.clauses
        }
    }
}

/// One audit of one file.
private struct AuditRun {
    private static let once: Set<Int> = [
        PNGChunkType.ihdr, PNGChunkType.srgb, PNGChunkType.plte, PNGChunkType.trns,
        PNGChunkType.iend,
    ]

    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    private(set) var faults = Faults()
    private var seen: Set<Int> = []
    private var last = 0
    private var colorType: UInt8?

    init(bytes: UnsafeRawBufferPointer, size: PixelSize) {
        self.bytes = bytes
        self.size = size
    }

    mutating func inspect() {
        guard bytes.starts(with: PNGChunks.signature) else {
            return faults.note("the file does not begin as a PNG")
        }
        var end = PNGChunks.signature.count
        let chunks = PNGChunks(bytes)
        for chunk in chunks {
            check(chunk, chunks)
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

    private mutating func check(_ chunk: PNGChunks.Chunk, _ chunks: PNGChunks) {
        let name = PNGChunkType.name(chunk.type)
        if !chunks.isIntact(chunk) { faults.note("the checksum of \(name) is wrong") }
        if last == 0, chunk.type != PNGChunkType.ihdr {
            faults.note("\(name) stands where only IHDR belongs")
        }
        if !seen.insert(chunk.type).inserted {
            checkRepetition(of: chunk.type, name)
        }
        switch chunk.type {
        case PNGChunkType.ihdr: checkHeader(chunk.data)
        case PNGChunkType.plte: checkPalette(chunk.data)
        case PNGChunkType.srgb, PNGChunkType.trns: checkStandsBeforePixels(name)
        case PNGChunkType.idat: break
        case PNGChunkType.iend:
            if !chunk.data.isEmpty { faults.note("IEND holds \(chunk.data.count) bytes") }
        default: faults.note("there is a chunk \(name)")
        }
    }

    private mutating func checkRepetition(of type: Int, _ name: String) {
        if Self.once.contains(type) { faults.note("there is a second \(name)") }
        if type == PNGChunkType.idat, last != type {
            faults.note("other chunks stand between those of IDAT")
        }
    }

    private mutating func checkHeader(_ data: Range<Int>) {
        let header = bytes.part(data)
        if colorType == nil { colorType = header.byte(at: 9) }
        for fault in PNGHeaderFaults.clauses(header, size: size) { faults.note(fault) }
    }

    private mutating func checkPalette(_ data: Range<Int>) {
        checkStandsBeforePixels("PLTE")
        if data.count % 3 != 0 || !(3...768).contains(data.count) {
            faults.note("PLTE has \(data.count) bytes")
        }
        if colorType != 3 { faults.note("PLTE stands in a picture without palette") }
    }

    private mutating func checkStandsBeforePixels(_ name: String) {
        if seen.contains(PNGChunkType.idat) { faults.note("\(name) stands behind the pixels") }
    }
}
