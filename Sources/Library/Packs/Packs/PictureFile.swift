import StickerContainers
import StickerValues

/// The facts in the headers of a still or moving picture.
struct PictureFile {
    /// The size of the canvas.
    let size: PixelSize
    /// The number of frames; 1 in stills.
    let frames: Int
    /// The duration of each frame, if there is an animation header; `nil` for other files.
    let frameMilliseconds: [Int]?
    /// How often an animated PNG is played, 0 for endless; `nil` for other files.
    private(set) var plays: Int?

    /// Whether WhatsApp calls it animated: one frame is not enough.
    var moves: Bool { frames > 1 }

    init(size: PixelSize, frames: Int, frameMilliseconds: [Int]?) {
        (self.size, self.frames) = (size, frames)
        self.frameMilliseconds = frameMilliseconds
    }

    /// Reads a whole file of one format; `nil` if it is another format, damaged or cut off.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - format: the format.
    init?(_ bytes: [UInt8], as format: ImageFormat) {
        guard let outline = PictureOutline.read(SourceBytes(bytes)), outline.format == format,
            outline.frames > 0, Self.isWhole(bytes, format)
        else { return nil }
        size = outline.size
        frames = outline.frames
        if format == .png {
            plays = bytes.withUnsafeBytes { PNGAnimationControl.find(in: $0)?.plays }
        }
        frameMilliseconds = bytes.withUnsafeBytes { bytes in
            switch format {
            case .webp: Self.webPFrameMilliseconds(bytes)
            case .png: Self.pngFrameMilliseconds(bytes)
            case .gif: outline.frames > 1 ? Self.gifFrameMilliseconds(bytes) : nil
            default: nil
            }
        }
    }

    /// The WebP audit reports bytes after the end.
    private static func isWhole(_ bytes: [UInt8], _ format: ImageFormat) -> Bool {
        switch format {
        case .png: bytes.withUnsafeBytes(isPNG)
        case .webp: bytes.withUnsafeBytes { WebPChunks.end($0) != nil }
        default: Container.completeness(of: SourceBytes(bytes)) == .whole
        }
    }

    /// Names the kind of a file that is not a readable picture.
    static func name(of bytes: [UInt8], insteadOf format: ImageFormat) -> String {
        switch ImageFormat.sniff(SourceBytes(bytes)) {
        case .picture(format): "a damaged or incomplete \(format.name)"
        case .picture(let other): "a \(other.name)"
        case .foreign(let name): name
        case .unknown: "bytes of unknown meaning"
        }
    }

    /// Whether there are pixels and an end, without a wrong checksum before it.
    private static func isPNG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let chunks = PNGChunks(bytes)
        var hasPixels = false
        for chunk in chunks {
            guard chunks.isIntact(chunk) else { return false }
            if chunk.type == PNGChunkType.idat { hasPixels = true }
            if chunk.type == PNGChunkType.iend { return hasPixels }
        }
        return false
    }

    /// RFC 9649, 2.7.1.1: the duration follows the offsets and sides of a frame.
    private static func webPFrameMilliseconds(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
        let animation = WebPChunks(bytes).contains { bytes.has("ANIM", at: $0.start) }
        guard animation else { return nil }
        return WebPChunks(bytes).filter { bytes.has("ANMF", at: $0.start) }
            .map { bytes.littleEndian24(at: $0.data.lowerBound + 12) ?? 0 }
    }

    private static func pngFrameMilliseconds(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
        guard PNGAnimationControl.find(in: bytes) != nil else { return nil }
        return PNGChunks(bytes).filter { $0.type == PNGChunkType.fctl }
            .compactMap { PNGFrameControl(bytes.part($0.data))?.delayMilliseconds }
    }

    /// In hundredths of a second before each image; browsers take 0 and 1 for 10.
    private static func gifFrameMilliseconds(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        var times: [Int] = []
        var delay = 0
        var blocks = GIFBlocks(bytes)
        while let block = blocks.next() {
            switch block {
            case .extension(0xF9, let data): delay = bytes.littleEndian16(at: data + 2) ?? 0
            case .extension: break
            case .image:
                times.append((delay < 2 ? 10 : delay) * 10)
                delay = 0
            }
        }
        return times
    }
}

extension PictureFile {
    /// The formats that are examined.
    static let formats: Set<ImageFormat> = [.png, .webp, .gif, .jpeg]

    /// The kinds of metadata in a file; none in most.
    static func metadata(in bytes: [UInt8], _ format: ImageFormat) -> [String] {
        let kinds: [String?] = bytes.withUnsafeBytes { bytes in
            switch format {
            case .webp:
                WebPChunks(bytes).map { chunk in
                    bytes.has("EXIF", at: chunk.start)
                        ? "EXIF" : bytes.has("XMP ", at: chunk.start) ? "XMP" : nil
                }
            case .png:
                PNGChunks(bytes).map { chunk in
                    chunk.type == PNGChunkType.exif ? "EXIF" : isText(chunk.type) ? "text" : nil
                }
            case .jpeg:
                JPEGSegments(bytes).prefix { $0.marker != JPEGMarker.sos }.map { segment in
                    guard segment.marker == 0xE1 else { return nil }
                    return bytes.has("Exif", at: segment.data.lowerBound) ? "EXIF" : "XMP"
                }
            default: []
            }
        }
        return Set(kinds.compactMap(\.self)).sorted()
    }

    /// `tEXt`, `zTXt` and `iTXt`.
    private static func isText(_ type: Int) -> Bool {
        [0x7445_5874, 0x7A54_5874, 0x6954_5874].contains(type)
    }
}
