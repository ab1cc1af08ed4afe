import StickerContainers
import StickerValues

/// The statements of the blocks of a GIF, read without decoding a pixel.
struct GIFSummary {
    /// One image block with the graphic control before it.
    struct Frame {
        /// As stored: it may reach beyond the canvas, and may be empty.
        var rectangle: PixelRectangle
        var isInterlaced: Bool
        var disposal = FrameDisposal.keep
        var transparentIndex: UInt8?
        var delayMilliseconds = AnimationFrame.defaultDelayMilliseconds
    }

    private(set) var size: PixelSize
    private(set) var frames: [Frame] = []
    /// How often the animation is played; 0 means forever.
    private(set) var loopCount = 1
    private(set) var hasTrailer = false

    /// Walks all blocks once.
    init(
        _ bytes: UnsafeRawBufferPointer, limits: DecodeLimits,
        accepting damage: AcceptedDamage? = nil
    ) throws(CodecError) {
        size = try Self.canvasSize(bytes)
        try limits.check(size, .gif)
        var blocks = GIFBlocks(bytes)
        var control: Frame?
        var totalPixels = 0
        while let block = blocks.next() {
            switch block {
            case .extension(0xF9, let data):
                control = Self.control(bytes, at: data) ?? control
            case .extension(0xFF, let data):
                loopCount = Self.loopCount(bytes, at: data) ?? loopCount
            case .extension: break
            case .image(let descriptor):
                let frame = try Self.frame(bytes, at: descriptor, control)
                control = nil
                frames.append(frame)
                if !frame.rectangle.isEmpty { try limits.check(frame.rectangle.size, .gif) }
                totalPixels += max(size.pixelCount, frame.rectangle.size.pixelCount)
                try limits.check(frameCount: frames.count, totalPixels: totalPixels, .gif)
            }
        }
        do {
            hasTrailer = try Self.hasTrailer(blocks.ending)
        } catch {
            try damage.accept(error)
        }
        guard frames.contains(where: { !$0.rectangle.clipped(to: size).isEmpty }) else {
            throw CodecError(.noFrames, .gif, "no frame has a pixel on the canvas")
        }
    }

    /// Memory for the canvas and for the largest area to be restored.
    var workingBytes: Int {
        let restored = frames.filter { $0.disposal == .restore }
            .map { $0.rectangle.clipped(to: size) }
            .map { $0.isEmpty ? 0 : $0.size.pixelCount }
        return (size.pixelCount + (restored.max() ?? 0)) * 4
    }

    private static func canvasSize(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> PixelSize {
        guard let size = GIFBlocks.canvasSize(bytes), bytes.count >= GIFBlocks.screenBytes
        else { throw CodecError(.truncated, .gif, "the file ends within its header") }
        guard bytes.has("GIF87a") || bytes.has("GIF89a") else {
            throw CodecError(.malformed, .gif, "the version is neither 87a nor 89a")
        }
        return size
    }

    /// Reads a graphic control extension, which has four bytes in one sub-block.
    private static func control(_ bytes: UnsafeRawBufferPointer, at data: Int) -> Frame? {
        guard bytes.byte(at: data) == 4, let packed = bytes.byte(at: data + 1),
            let centiseconds = bytes.littleEndian16(at: data + 2),
            let index = bytes.byte(at: data + 4)
        else { return nil }
        return Frame(
            rectangle: .empty, isInterlaced: false,
            disposal: FrameDisposal(packed: packed),
            transparentIndex: packed & 1 == 1 ? index : nil,
            delayMilliseconds: AnimationFrame.delay(asked: centiseconds * 10))
    }

    /// Reads Netscape's application extension. The number counts repetitions, as in Chrome and libwebp.
    private static func loopCount(_ bytes: UnsafeRawBufferPointer, at data: Int) -> Int? {
        guard bytes.byte(at: data) == 11,
            bytes.has("NETSCAPE2.0", at: data + 1) || bytes.has("ANIMEXTS1.0", at: data + 1),
            bytes.byte(at: data + 12) == 3, bytes.byte(at: data + 13) == 1,
            let repetitions = bytes.littleEndian16(at: data + 14)
        else { return nil }
        return repetitions == 0 ? 0 : min(repetitions + 1, 65535)
    }

    private static func frame(
        _ bytes: UnsafeRawBufferPointer, at descriptor: Int, _ control: Frame?
    ) throws(CodecError) -> Frame {
        guard let (x, y, width, height) = GIFBlocks.area(bytes, at: descriptor),
            let packed = bytes.byte(at: descriptor + 9)
        else { throw CodecError(.truncated, .gif, "the file ends within a frame") }
        let rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
        var frame = control ?? Frame(rectangle: rectangle, isInterlaced: false)
        frame.rectangle = rectangle
        frame.isInterlaced = packed & 0x40 != 0
        return frame
    }

    private static func hasTrailer(_ ending: GIFBlocks.Ending) throws(CodecError) -> Bool {
        switch ending {
        case .trailer: return true
        case .noTrailer: return false
        case .cut: throw CodecError(.truncated, .gif, "the file ends within a frame or block")
        case .unknownBlock(let byte):
            throw CodecError(
                .malformed, .gif, "byte 0x\(String(byte, radix: 16)) begins no block")
        }
    }
}

extension FrameDisposal {
    /// The disposal in the packed field of a graphic control extension.
    fileprivate init(packed: UInt8) {
        switch (packed >> 2) & 0x07 {
        case 2: self = .clear
        case 3, 4: self = .restore  // some programs take a number for a bit, and so do browsers
        default: self = .keep  // 0, 1, and the reserved 5 to 7
        }
    }
}
