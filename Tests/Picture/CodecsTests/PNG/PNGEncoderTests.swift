import StickerCodecs
import StickerRaster
import StickerValues
import Testing

struct PNGEncoderTests {
    /// Names a picture, so that test arguments can be listed.
    enum Sample: CaseIterable {
        case opaque, translucent, gray, twoColors, fourColors, sixteenColors, manyColors
        case translucentPalette, onePixel

        var picture: PixelBuffer {
            switch self {
            case .opaque: gradient(40, 30)
            case .translucent: gradient(40, 30, alpha: 77)
            case .gray:
                StickerCodecsTests.picture(20, 9) { x, y in
                    let level = UInt8(x * 9 + y)
                    return SIMD4(level, level, level, 255)
                }
            case .twoColors: palette(2)
            case .fourColors: palette(4)
            case .sixteenColors: palette(16)
            case .manyColors: palette(200)
            case .translucentPalette:
                StickerCodecsTests.picture(33, 5) { x, _ in
                    SIMD4(9, 9, 9, UInt8(x * 7 + 1))
                }
            case .onePixel: gradient(1, 1)
            }
        }

        /// Bits a sample and colour type, as the header chunk has to tell.
        var form: [UInt8] {
            switch self {
            case .opaque: [8, 2]
            case .translucent: [8, 6]
            case .gray: [8, 0]
            case .twoColors, .onePixel: [1, 3]
            case .fourColors: [2, 3]
            case .sixteenColors: [4, 3]
            case .manyColors, .translucentPalette: [8, 3]
            }
        }

        private func palette(_ count: Int) -> PixelBuffer {
            StickerCodecsTests.picture(37, 11) { x, y in
                let index = (x * 11 + y) % count
                return SIMD4(UInt8(index), UInt8(255 - index), 40, 255)
            }
        }
    }

    @Test(arguments: Sample.allCases) func pixelsComeBack(sample: Sample) throws {
        let picture = sample.picture

        let file = try PNGEncoder.encode(picture)
        let decoded = try decodeStill(SourceBytes(file))

        #expect(decoded.size == picture.size)
        #expect(decoded.bytes == bytes(of: picture))
        #expect(Array(file[24...25]) == sample.form)
    }

    @Test(arguments: Sample.allCases) func fastFilesHaveTheSamePixels(sample: Sample) throws {
        let picture = sample.picture

        let file = try PNGEncoder.encode(picture, isFast: true)

        #expect(try decodeStill(SourceBytes(file)).bytes == bytes(of: picture))
        #expect(Array(file[24...25]) == sample.form)
    }

    @Test(arguments: Sample.allCases) func palettesCanBeForbidden(sample: Sample) throws {
        let picture = sample.picture

        let file = try PNGEncoder.encode(picture, allowsPalette: false)

        let isGray = sample == .gray || sample == .onePixel
        #expect(try decodeStill(SourceBytes(file)).bytes == bytes(of: picture))
        #expect(Array(file[24...25]) == [8, isGray ? 0 : picture.isOpaque ? 2 : 6])
    }

    @Test func pixelsThatDoNotShowLoseTheirColour() throws {
        let hidden = picture(8, 8) { x, y in SIMD4(UInt8(x), UInt8(y), 3, y < 4 ? 0 : 255) }

        let decoded = try decodeStill(SourceBytes(PNGEncoder.encode(hidden)))

        #expect(decoded[5, 2] == [0, 0, 0, 0])
        #expect(decoded[5, 6] == [5, 6, 3, 255])
    }

    @Test func equalPicturesGiveEqualFiles() throws {
        #expect(try PNGEncoder.encode(gradient(50, 50)) == PNGEncoder.encode(gradient(50, 50)))
    }

    @Test func theOnlyMetadataIsTheColourSpace() throws {
        let file = try PNGEncoder.encode(gradient(300, 300))

        let header = try PNGDecoder(SourceBytes(file), limits: DecodeLimits()).header

        #expect(Array(file[37..<41]) == Array("sRGB".utf8))
        #expect(Array(file[50..<54]) == Array("IDAT".utf8))
        #expect(header.color == .sRGB)
    }
}
