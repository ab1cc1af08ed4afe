import StickerContainers
import StickerValues

/// One walk over the chunks of an APNG (PNG specification, third edition, section 11.3.6).
///
/// If these chunks contradict each other, browsers show the default image, or stop at the fault. We refuse: a sticker
/// that silently lost frames is worse than a message to its artist, and a wrong number of frames in acTL mostly means
/// that the file was cut or badly edited. As in browsers, delays that are too short and anything after IEND are
/// forgiven.
struct APNGWalk {
    /// The most plays that other formats can express for a looping picture.
    private static let playsMax = 65535
    /// The longest chunk that PNG allows.
    private static let chunkBytesMax = 0x7FFF_FFFF

    private var summary: APNGSummary
    private let bytes: UnsafeRawBufferPointer
    private let limits: DecodeLimits
    private var promised: Int?
    private var sequence = 0
    /// The frame whose pixels come next.
    private var current: APNGSummary.Frame?
    private var last = 0
    private var hasPixels = false

    /// Walks all chunks once; `size` is that of the header chunk and within `limits`.
    static func summary(
        of bytes: UnsafeRawBufferPointer, size: PixelSize, limits: DecodeLimits
    ) throws(CodecError) -> APNGSummary {
        var walk = APNGWalk(bytes, size: size, limits: limits)
        try walk.run()
        return walk.summary
    }

    private init(_ bytes: UnsafeRawBufferPointer, size: PixelSize, limits: DecodeLimits) {
        summary = APNGSummary(size: size)
        (self.bytes, self.limits) = (bytes, limits)
    }

    private mutating func run() throws(CodecError) {
        let chunks = PNGChunks(bytes)
        for chunk in chunks {
            try check(chunk, chunks)
            switch chunk.type {
            case PNGChunkType.actl: try begin(chunk)
            case PNGChunkType.fctl: try beginFrame(chunk)
            case PNGChunkType.idat: try addDefaultImage(chunk)
            case PNGChunkType.fdat: try addPixels(chunk)
            case PNGChunkType.plte, PNGChunkType.trns: addPalette(chunk)
            case PNGChunkType.iend: return try end()
            default: break
            }
            last = chunk.type
        }
        throw CodecError(.truncated, .png, "the file ends before its last chunk does")
    }

    /// Refuses damaged chunks of the kinds that matter, and unknown critical chunks.
    private func check(_ chunk: PNGChunks.Chunk, _ chunks: PNGChunks) throws(CodecError) {
        switch chunk.type {
        case PNGChunkType.actl, PNGChunkType.fctl, PNGChunkType.fdat, PNGChunkType.idat,
            PNGChunkType.iend:
            guard chunks.isIntact(chunk) else {
                throw Self.fault("the checksum of \(PNGChunkType.name(chunk.type)) is wrong")
            }
        case PNGChunkType.ihdr, PNGChunkType.plte:
            guard !hasPixels else {
                throw Self.fault("\(PNGChunkType.name(chunk.type)) stands behind the pixels")
            }
        default:
            guard !PNGChunkType.isCritical(chunk.type) else {
                throw Self.fault(
                    "there is a chunk \(PNGChunkType.name(chunk.type)), which no decoder knows")
            }
        }
    }

    private mutating func begin(_ chunk: PNGChunks.Chunk) throws(CodecError) {
        guard promised == nil else { throw Self.fault("there is a second acTL") }
        guard !hasPixels else { throw Self.fault("acTL stands behind the pixels") }
        guard let control = PNGAnimationControl(bytes.part(chunk.data)) else {
            throw Self.fault("acTL has \(chunk.data.count) bytes instead of 8")
        }
        guard control.frames > 0 else {
            throw CodecError(.noFrames, .png, "acTL promises no frame")
        }
        promised = control.frames
        summary.loopCount = min(control.plays, Self.playsMax)
    }

    private mutating func beginFrame(_ chunk: PNGChunks.Chunk) throws(CodecError) {
        try endFrame()
        guard let control = PNGFrameControl(bytes.part(chunk.data)) else {
            throw Self.fault(
                "fcTL has \(chunk.data.count) bytes instead of \(PNGFrameControl.byteCount)")
        }
        try count(control.sequence)
        try checkLimits(summary.frames.count + 1)
        current = try frame(control)
    }

    /// Every frame, however small, costs a pass over the whole canvas.
    private func checkLimits(_ count: Int) throws(CodecError) {
        let (pixels, overflow) = summary.size.pixelCount.multipliedReportingOverflow(by: count)
        try limits.check(frameCount: count, totalPixels: overflow ? .max : pixels, .png)
    }

    private func frame(_ control: PNGFrameControl) throws(CodecError) -> APNGSummary.Frame {
        let rectangle = PixelRectangle(
            x: control.x, y: control.y, width: control.width, height: control.height)
        let name = "frame \(summary.frames.count)"
        guard !rectangle.isEmpty else { throw Self.fault("\(name) has a side of 0") }
        guard rectangle.clipped(to: summary.size) == rectangle else {
            throw Self.fault(
                "\(name), \(rectangle.size) at \(control.x),\(control.y), leaves the canvas of \(summary.size)"
            )
        }
        guard hasPixels || rectangle.size == summary.size else {
            throw Self.fault("\(name) is the default image, but has another size")
        }
        guard control.disposal <= 2, control.blend <= 1 else {
            throw Self.fault("\(name) has an unknown disposal or blending")
        }
        let disposal: FrameDisposal =
            switch control.disposal {
            case 0: .keep
            case 2 where !summary.frames.isEmpty: .restore
            default: .clear  // nothing was there before the first frame
            }
        return APNGSummary.Frame(
            rectangle: rectangle, disposal: disposal, isBlended: control.blend == 1,
            delayMilliseconds: AnimationFrame.delay(asked: control.delayMilliseconds))
    }

    /// The picture for viewers that show no animation; it is a frame if an fcTL chunk comes first.
    private mutating func addDefaultImage(_ chunk: PNGChunks.Chunk) throws(CodecError) {
        guard !hasPixels || last == PNGChunkType.idat else {
            throw Self.fault("other chunks stand between those of IDAT")
        }
        hasPixels = true
        try add(chunk, dataBytes: chunk.data.count)
    }

    private mutating func addPixels(_ chunk: PNGChunks.Chunk) throws(CodecError) {
        guard let number = bytes.bigEndian32(at: chunk.data.lowerBound), chunk.data.count >= 4
        else {
            throw Self.fault("fdAT has no room for its sequence number")
        }
        guard hasPixels else { throw Self.fault("fdAT stands in front of IDAT") }
        guard let current, !isDefaultImage(current) else {
            throw Self.fault("fdAT stands in front of its fcTL")
        }
        try count(number)
        try add(chunk, dataBytes: chunk.data.count - 4)
    }

    private func isDefaultImage(_ frame: APNGSummary.Frame) -> Bool {
        !frame.chunks.isEmpty
            && bytes.bigEndian32(at: frame.chunks.lowerBound + 4) == PNGChunkType.idat
    }

    private mutating func add(_ chunk: PNGChunks.Chunk, dataBytes: Int) throws(CodecError) {
        guard var frame = current else { return }
        let whole = (chunk.data.lowerBound - 8)..<(chunk.data.upperBound + 4)
        let start = frame.chunks.isEmpty ? whole.lowerBound : frame.chunks.lowerBound
        frame.chunks = start..<whole.upperBound
        frame.dataBytes += dataBytes
        guard frame.dataBytes <= Self.chunkBytesMax else {
            throw Self.fault("frame \(summary.frames.count) has more data than a PNG can hold")
        }
        current = frame
    }

    /// libpng checks these chunks; here only their number is limited.
    private mutating func addPalette(_ chunk: PNGChunks.Chunk) {
        let isKnown = summary.palette.contains {
            bytes.bigEndian32(at: $0.lowerBound + 4) == chunk.type
        }
        guard !hasPixels, !isKnown, chunk.data.count <= 768 else { return }
        summary.palette.append((chunk.data.lowerBound - 8)..<(chunk.data.upperBound + 4))
    }

    /// fcTL and fdAT chunks share one numbering, which reveals a shuffled file.
    private mutating func count(_ number: Int) throws(CodecError) {
        guard number == sequence else {
            throw Self.fault("sequence number \(number) stands where \(sequence) belongs")
        }
        sequence += 1
    }

    private mutating func endFrame() throws(CodecError) {
        guard let frame = current else { return }
        guard frame.dataBytes > 0 else {
            throw Self.fault("frame \(summary.frames.count) has no pixels")
        }
        summary.frames.append(frame)
        current = nil
    }

    private mutating func end() throws(CodecError) {
        try endFrame()
        guard hasPixels else { throw Self.fault("there is no IDAT chunk") }
        guard let promised else { throw Self.fault("there is no acTL chunk") }
        guard summary.frames.count == promised else {
            throw Self.fault(
                "acTL promises \(promised.counted("frame", "frames")), and \(summary.frames.count) are there"
            )
        }
    }

    private static func fault(_ detail: String) -> CodecError {
        CodecError(.malformed, .png, detail)
    }
}
