import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerCodecs

struct WebPEncoderTests {
    /// Soft-edged art on a transparent ground, so that there is an alpha plane worth coding.
    private func art() -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: 200, height: 200))
        for y in 0..<200 {
            for x in 0..<200 {
                let distance = (Double((x - 100) * (x - 100) + (y - 100) * (y - 100))).squareRoot()
                let alpha = UInt8(min(max((90 - distance) * 20, 0), 255))
                guard alpha > 0 else { continue }
                buffer[x, y] = SIMD4(UInt8(x), UInt8(y), UInt8((x + y) / 2), alpha)
            }
        }
        return buffer
    }

    @Test(arguments: [0, 1, 3, 6])
    func losslessKeepsEveryVisiblePixel(level: Int) throws {
        let picture = art()

        let file = try WebPEncoder(picture).lossless(level: level)

        #expect(try WebPDecoder.still(file).showsSame(as: picture))
    }

    @Test func reusedAlphaPlaneGivesTheFileThatOneEncodeGives() throws {
        let picture = art()
        let searched = WebPEncoder(picture)
        _ = try searched.lossy(quality: 100)

        let reused = try searched.lossy(quality: 70)
        let whole = try WebPEncoder(picture).lossy(quality: 70)

        #expect(try WebPDecoder.still(reused).showsSame(as: WebPDecoder.still(whole)))
        #expect(RIFF.chunks(of: reused)?.map(\.tag) == ["VP8X", "ALPH", "VP8 "])
        #expect(reused.count <= whole.count)
    }

    @Test func lossyIsNearAndLowerQualityIsSmaller() throws {
        let picture = art()
        let encoder = WebPEncoder(picture)

        let fine = try encoder.lossy(quality: 95)
        let coarse = try encoder.lossy(quality: 20)

        #expect(try WebPDecoder.still(fine).similarity(to: picture).worst > 30)
        #expect(coarse.count < fine.count)
    }

    @Test func opaquePictureHasNoAlphaChunk() throws {
        var picture = PixelBuffer(size: PixelSize(width: 16, height: 16))
        for y in 0..<16 { for x in 0..<16 { picture[x, y] = SIMD4(UInt8(x * 16), 9, 9, 255) } }

        let file = try WebPEncoder(picture).lossy(quality: 80)

        #expect(RIFF.chunks(of: file)?.map(\.tag) == ["VP8 "])
    }

    @Test func bytesBehindTheContainerAreSeen() throws {
        let file = try WebPEncoder(art()).lossless(level: 0)

        #expect(RIFF.chunks(of: file)?.map(\.tag) == ["VP8L"])
        #expect(RIFF.chunks(of: file + [0, 0]) == nil)
        #expect(RIFF.chunks(of: Array(file.dropLast(2))) == nil)
    }

    @Test func damagedFileIsMalformed() throws {
        let file = try WebPEncoder(art()).lossless(level: 0)

        #expect(throws: CodecError.self) { _ = try WebPDecoder.still(Array(file.prefix(100))).size }
    }

    /// Colours are coded without the alpha plane, which is coded once.
    @Test func colorsAndAlphaAreCodedApart() throws {
        let picture = PixelBuffer.noise(PixelSize(width: 64, height: 64), opaque: false)
        let encoder = WebPEncoder(picture)

        let alpha = try #require(try encoder.lossyAlpha(quality: 100))
        let color = try encoder.lossyColor(quality: 80)

        let whole = try WebPEncoder(picture).lossy(quality: 80)
        let chunks = try #require(RIFF.chunks(of: whole))
        let payloads = chunks.dropFirst().map { Array(whole[$0.payload]) }
        #expect(payloads == [alpha, color])
        #expect(try WebPEncoder(.gradient(picture.size)).lossyAlpha(quality: 50) == nil)
    }

    /// Sizes foretold with one loop filter hold for the other.
    @Test func loopFiltersTakeTheSameBytes() throws {
        let picture = PixelBuffer.photo(PixelSize(width: 96, height: 96))
        let encoder = WebPEncoder(picture)

        let normal = try encoder.lossyColor(quality: 30)
        let simple = try encoder.lossyColor(quality: 30, filter: .simple)

        #expect(normal.count == simple.count)
        let smoothed = try WebPDecoder.still(RIFF.simpleStill(color: normal))
        let sharper = try WebPDecoder.still(RIFF.simpleStill(color: simple))
        let isSame = smoothed.showsSame(as: sharper)
        #expect(!isSame)
    }

    /// A decoder smooths colours across the edge of what shows, so exact files keep those beside it; others
    /// hide nothing but what is cheap.
    @Test func exactFilesKeepColoursWhereNothingShows() throws {
        let size = PixelSize(width: 64, height: 64)
        let red = PixelBuffer.drawn(size) { x, y in SIMD4(230, 20, 20, x < 16 && y < 16 ? 255 : 0) }

        let exact = try WebPDecoder.still(WebPEncoder(red, exact: true).lossy(quality: 90))
        let cheap = try WebPDecoder.still(WebPEncoder(red).lossy(quality: 90))

        for (x, y) in [(17, 8), (8, 17), (40, 40)] {
            #expect(exact[x, y].x > 200 && exact[x, y].y < 60 && exact[x, y].w == 0)
        }
        #expect(cheap[40, 40].y > 60 || cheap[40, 40].x < 200)
    }
}
