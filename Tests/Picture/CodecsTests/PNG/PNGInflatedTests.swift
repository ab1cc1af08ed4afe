import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerCodecs

/// Two paths lead to the pixels of an ordinary PNG: libdeflate's, and libpng's for files that are damaged.
struct PNGInflatedTests {
    private static let size = PixelSize(width: 37, height: 9)

    /// A file of noise whose rows all have `filter`, or each another one, in several IDAT chunks.
    private func file(_ filter: PNGFilter?, pixelBytes: Int, chunkBytes: Int = 100) throws
        -> [UInt8]
    {
        var random = SeededGenerator(seed: 3)
        let stride = Self.size.width * pixelBytes
        var above = [UInt8](repeating: 0, count: pixelBytes + stride)
        var rows: [UInt8] = []
        for y in 0..<Self.size.height {
            let noise = (0..<stride).map { _ in UInt8.random(in: 0...255, using: &random) }
            let current = [UInt8](repeating: 0, count: pixelBytes) + noise
            let used = filter ?? PNGFilter.allCases[y % 5]
            var differences = [UInt8](repeating: 0, count: stride)
            _ = used.apply(current, above, pixelBytes, &differences)
            rows += [used.rawValue] + differences
            above = current
        }
        let stream = try Deflate.zlib(rows, level: 6)
        let color: UInt8 = pixelBytes == 3 ? 2 : 6
        let parts = Swift.stride(from: 0, to: stream.count, by: chunkBytes).map { start in
            TestPNG.chunk("IDAT", Array(stream[start..<min(start + chunkBytes, stream.count)]))
        }
        return TestPNG.file(
            [TestPNG.header(Self.size.width, Self.size.height, color: color)] + parts
                + [TestPNG.chunk("tEXt", Array("Title\0cat".utf8)), TestPNG.chunk("IEND")])
    }

    private func inflated(_ file: [UInt8]) throws -> Bool {
        try file.withUnsafeBytes { bytes in
            try PNGInflated(bytes, PNGReader(bytes).info) != nil
        }
    }

    /// The rows as libpng reads them, which alone reads damaged files.
    private func rows(_ file: [UInt8], isDamaged: Bool) throws -> [UInt8] {
        let decoder = try PNGDecoder(
            SourceBytes(file), limits: DecodeLimits(), isDamaged: isDamaged)
        var rows: [UInt8] = []
        try decoder.decode(size: decoder.header.size) { rows += $0 }
        return rows
    }

    @Test(arguments: [nil] + PNGFilter.allCases.map(Optional.some), [3, 4])
    func bothPathsGiveTheSamePixels(filter: PNGFilter?, pixelBytes: Int) throws {
        for chunkBytes in [100, .max / 2] {
            let file = try file(filter, pixelBytes: pixelBytes, chunkBytes: chunkBytes)

            #expect(try inflated(file))
            #expect(try rows(file, isDamaged: false) == rows(file, isDamaged: true))
        }
    }

    /// Pixels behind other chunks, an unknown critical chunk, an impossible name, a wrong checksum, no end.
    @Test func brokenEndsAreLeftToLibpng() throws {
        let end = Array(try file(nil, pixelBytes: 4).dropLast(12))
        let text = TestPNG.chunk("tEXt", Array("Title\0cat".utf8))
        let damaged: [UInt8] = Array(text.dropLast()) + [0]
        let others = ["IDAT", "ABCD", "a1cd"].map { TestPNG.chunk($0) } + [damaged]

        #expect(try inflated(end + text + TestPNG.chunk("IEND")))
        #expect(try !inflated(end))
        for other in others {
            #expect(try !inflated(end + other + TestPNG.chunk("IEND")))
        }
    }

    @Test func otherFormsAreLeftToLibpng() throws {
        let palette = try PNGEncoder.encode(.checkerboard(PixelSize(width: 9, height: 9), cell: 2))
        let transparency = TestPNG.chunk("tRNS", [0, 1, 0, 2, 0, 3])
        let keyed = TestPNG.inserting(transparency, into: try file(nil, pixelBytes: 3))

        #expect(try !inflated(palette))
        #expect(try !inflated(keyed))
    }
}
