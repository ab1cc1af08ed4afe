import CDeflate
import CPNG
import StickerContainers
import StickerValues

/// The rows of an ordinary PNG, inflated at once by libdeflate, which takes a fifth of zlib's time.
///
/// Only for RGB and RGBA of 8 bits without interlacing, and only if nothing is wrong with the pixels and everything
/// behind them. libpng reads, or refuses, all others.
struct PNGInflated {
    /// The most bytes of rows, as they are in memory as a whole: 8 megapixels of RGBA.
    private static let bytesMax = 32 << 20
    /// libpng refuses larger chunks.
    private static let chunkBytesMax = 8_000_000
    /// Pixels are read as four bytes, also the last one of RGB.
    private static let slack = 1

    private let rows: LargeMemory
    private let size: PixelSize
    /// Bytes of a stored pixel.
    private let pixelBytes: Int

    /// Inflates the pixels of a file whose beginning libpng has read; `nil` if libpng has to read it.
    init?(_ bytes: UnsafeRawBufferPointer, _ info: cpng_info) {
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        pixelBytes = info.has_alpha ? 4 : 3
        let count = size.height * (1 + size.width * pixelBytes)
        guard info.bit_depth == 8, info.color_type == (info.has_alpha ? 6 : 2), !info.interlaced,
            count <= Self.bytesMax, let parts = Self.parts(of: bytes),
            let rows = try? LargeMemory(zeros: count + Self.slack, .png)
        else { return nil }
        self.rows = rows
        guard Self.inflate(parts, of: bytes, into: rows.bytes.baseAddress, count),
            (0..<size.height).allSatisfy({ filter(ofRow: $0) != nil })
        else { return nil }
    }

    /// The places of the compressed pixels; `nil` unless every chunk from there on is whole and harmless.
    private static func parts(of bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        let chunks = PNGChunks(bytes)
        var parts: [Range<Int>] = []
        var isBehind = false
        for chunk in chunks {
            let isPixels = chunk.type == PNGChunkType.idat
            guard isPixels || !parts.isEmpty else { continue }
            guard chunk.data.count <= chunkBytesMax, chunks.isIntact(chunk) else { return nil }
            if chunk.type == PNGChunkType.iend { return parts }
            if isPixels, !isBehind {
                parts.append(chunk.data)
            } else {
                isBehind = true
                guard PNGChunkType.isAncillary(chunk.type) else { return nil }
            }
        }
        return nil
    }

    /// Whether the parts are a zlib stream of exactly `count` bytes with a right checksum.
    private static func inflate(
        _ parts: [Range<Int>], of bytes: UnsafeRawBufferPointer,
        into rows: UnsafeMutableRawPointer?, _ count: Int
    ) -> Bool {
        guard let stream = Stream(parts, of: bytes), let first = stream.bytes.first,
            let decompressor = libdeflate_alloc_decompressor()
        else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        // libdeflate does not compare distances with a smaller window.
        guard first == 0x78 else { return false }
        return withExtendedLifetime(stream) {
            libdeflate_zlib_decompress(
                decompressor, stream.bytes.baseAddress, stream.bytes.count, rows, count, nil)
                == LIBDEFLATE_SUCCESS
        }
    }

    /// Calls `row` for each row, in straight RGBA; a row is valid only during the call.
    func readRows(
        _ row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        var restored = PNGRestoredRows(width: size.width, pixelBytes: pixelBytes)
        let stored = UnsafeRawBufferPointer(rows.bytes)
        for y in 0..<size.height {
            guard let filter = filter(ofRow: y) else { preconditionFailure("it was checked") }
            restored.restore(stored.part((start(ofRow: y) + 1)..<stored.count), filter)
            try restored.withNewest(row)
        }
    }

    private func start(ofRow y: Int) -> Int { y * (1 + size.width * pixelBytes) }

    private func filter(ofRow y: Int) -> PNGFilter? {
        PNGFilter(rawValue: rows.bytes[start(ofRow: y)])
    }
}

/// The compressed pixels in one piece.
private final class Stream {
    let bytes: UnsafeRawBufferPointer
    private let joined: LargeMemory?

    /// `nil` if memory is short.
    init?(_ parts: [Range<Int>], of file: UnsafeRawBufferPointer) {
        if parts.count == 1 {
            (bytes, joined) = (file.part(parts[0]), nil)
            return
        }
        let count = parts.reduce(0) { $0 + $1.count }
        guard let joined = try? LargeMemory(zeros: count, .png) else { return nil }
        var end = 0
        for part in parts {
            UnsafeMutableRawBufferPointer(rebasing: joined.bytes[end...])
                .copyMemory(from: file.part(part))
            end += part.count
        }
        self.joined = joined
        bytes = UnsafeRawBufferPointer(joined.bytes)
    }
}
