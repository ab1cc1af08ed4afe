import StickerContainers
import StickerRaster
import StickerValues

/// The statements of the chunks around the pixels. Damaged and misplaced ancillary chunks are ignored; the first of a
/// kind counts.
struct PNGMetadata {
    let size: PixelSize
    private(set) var colors: ColorFacts
    private(set) var orientation = Orientation.up
    private(set) var isAnimated = false

    /// Walks all chunks once.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard bytes.starts(with: PNGChunks.signature) else {
            throw Self.missingSignature(bytes)
        }
        let chunks = PNGChunks(bytes)
        let header = try Self.header(chunks, bytes)
        size = header.size
        colors = ColorFacts(.png, pixels: header.isGray ? .gray : .rgb)
        var seen: Set<Int> = []
        for chunk in chunks {
            switch chunk.type {
            case PNGChunkType.iend: return
            case PNGChunkType.idat, PNGChunkType.plte: seen.insert(chunk.type)
            case PNGChunkType.actl where !seen.contains(PNGChunkType.idat): isAnimated = true
            case PNGChunkType.exif, PNGChunkType.iccp, PNGChunkType.cicp, PNGChunkType.srgb,
                PNGChunkType.gama, PNGChunkType.chrm:
                guard chunks.isIntact(chunk) else {
                    noteDamage(chunk.type)
                    continue
                }
                let isFirst = seen.insert(chunk.type).inserted
                if isFirst { read(chunk.type, bytes.part(chunk.data), behind: seen) }
            default: break
            }
        }
    }

    /// Only a damaged profile is worth a warning; the other chunks are rarely missed.
    private mutating func noteDamage(_ type: Int) {
        guard type == PNGChunkType.iccp, colors.profile == nil else { return }
        colors.profile = .damaged("the checksum of iCCP is wrong")
    }

    private mutating func read(
        _ type: Int, _ data: UnsafeRawBufferPointer, behind seen: Set<Int>
    ) {
        switch type {
        case PNGChunkType.exif: orientation = EXIF.orientation(data)
        case _ where seen.contains(PNGChunkType.idat): break
        case PNGChunkType.cicp where seen.contains(PNGChunkType.plte): break
        default: colors.readPNG(type, data)
        }
    }

    private static func header(
        _ chunks: PNGChunks, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> (size: PixelSize, isGray: Bool) {
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
        let colorType = bytes[first.data.lowerBound + 9]
        return (PixelSize(width: width, height: height), colorType == 0 || colorType == 4)
    }

    /// The eight bytes were chosen to reveal common kinds of damage.
    private static func missingSignature(_ bytes: UnsafeRawBufferPointer) -> CodecError {
        if bytes.count < 8, PNGChunks.signature.starts(with: bytes) {
            return CodecError(.truncated, .png, "the file ends within its signature")
        }
        return CodecError(
            .malformed, .png, "the signature is damaged, as by a transfer in text mode")
    }
}
