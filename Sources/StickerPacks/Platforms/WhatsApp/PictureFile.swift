import StickerContainers
import StickerModel

/// What the headers of a still or moving picture say.
struct PictureFile {
    /// The size of all of it.
    let size: PixelSize
    /// How many pictures follow one another; 1 in stills.
    let frames: Int
    /// How long each frame of a WebP with an animation header lasts; `nil` for other files.
    let frameMilliseconds: [Int]?

    /// Whether WhatsApp calls it animated: an animation of one frame is none.
    var moves: Bool { frames > 1 }

    /// Reads a whole file of one format; `nil` if it is another one, damaged or cut off.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - format: PNG or WebP.
    init?(_ bytes: [UInt8], as format: ImageFormat) {
        guard let outline = PictureOutline.read(SourceBytes(bytes)), outline.format == format,
            bytes.withUnsafeBytes({ format == .png ? Self.isPNG($0) : WebPChunks.end($0) != nil }),
            outline.frames > 0
        else { return nil }
        size = outline.size
        frames = outline.frames
        frameMilliseconds = format == .webp ? bytes.withUnsafeBytes(Self.frameMilliseconds) : nil
    }

    /// Says what a file is instead of a picture that can be read.
    static func name(of bytes: [UInt8], insteadOf format: ImageFormat) -> String {
        switch ImageFormat.sniff(SourceBytes(bytes)) {
        case .picture(format): "a damaged or incomplete \(format.name)"
        case .picture(let other): "a \(other.name)"
        case .foreign(let name): name
        case .unknown: "bytes of unknown meaning"
        }
    }

    /// Whether there are pixels and an end, and no checksum before it is wrong.
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

    /// RFC 9649, 2.7.1.1: the duration stands behind the offsets and sides of a frame.
    private static func frameMilliseconds(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
        let animation = WebPChunks(bytes).contains { bytes.has("ANIM", at: $0.start) }
        guard animation else { return nil }
        return WebPChunks(bytes).filter { bytes.has("ANMF", at: $0.start) }
            .map { bytes.littleEndian24(at: $0.data.lowerBound + 12) ?? 0 }
    }
}
