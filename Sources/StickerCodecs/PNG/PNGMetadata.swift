import StickerContainers
import StickerModel
import StickerRaster

/// What the chunks around the pixels say; damaged ancillary chunks are ignored.
struct PNGMetadata {
    var size: PixelSize
    var hasProfile = false
    var isSRGB = false
    var gamma: Double?
    var orientation = Orientation.up
    var isAnimated = false

    /// Walks all chunks once.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard bytes.starts(with: PNGChunks.signature) else {
            throw Self.missingSignature(bytes)
        }
        let chunks = PNGChunks(bytes)
        size = try Self.size(chunks, bytes)
        var isBeforePixels = true
        for chunk in chunks {
            switch chunk.type {
            case PNGChunkType.idat: isBeforePixels = false
            case PNGChunkType.iend: return
            case PNGChunkType.actl where isBeforePixels: isAnimated = true
            case PNGChunkType.iccp where isBeforePixels: hasProfile = true
            case PNGChunkType.srgb where chunk.data.count == 1 && chunks.isIntact(chunk):
                isSRGB = true
            case PNGChunkType.gama where chunk.data.count == 4 && chunks.isIntact(chunk):
                gamma = bytes.bigEndian32(at: chunk.data.lowerBound).map { Double($0) / 100_000 }
            case PNGChunkType.exif where chunks.isIntact(chunk):
                orientation = Self.orientation(bytes.part(chunk.data))
            default: break
            }
        }
    }

    /// Some writers keep the `Exif` prefix that JPEG requires and PNG does not have.
    private static func orientation(_ exif: UnsafeRawBufferPointer) -> Orientation {
        let head = exif.has("Exif\0\0") ? 6 : 0
        return EXIF.orientation(tiff: exif.part(head..<exif.count))
    }

    private static func size(
        _ chunks: PNGChunks, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> PixelSize {
        var chunks = chunks
        guard let first = chunks.next() else {
            throw CodecError(
                bytes.count < 33 ? .truncated : .malformed, .png, "the header chunk is incomplete")
        }
        guard first.type != PNGChunkType.cgbi else {
            throw CodecError(.unsupported, .png, "a PNG in Apple's private CgBI variant")
        }
        guard first.type == PNGChunkType.ihdr, first.data.count == 13,
            let width = bytes.bigEndian32(at: first.data.lowerBound),
            let height = bytes.bigEndian32(at: first.data.lowerBound + 4)
        else { throw CodecError(.malformed, .png, "the file does not begin with a header chunk") }
        return PixelSize(width: width, height: height)
    }

    /// The eight bytes were chosen so that common kinds of damage show.
    private static func missingSignature(_ bytes: UnsafeRawBufferPointer) -> CodecError {
        if bytes.count < 8, PNGChunks.signature.starts(with: bytes) {
            return CodecError(.truncated, .png, "the file ends within its signature")
        }
        return CodecError(
            .malformed, .png, "the signature is damaged, as by a transfer in text mode")
    }
}
