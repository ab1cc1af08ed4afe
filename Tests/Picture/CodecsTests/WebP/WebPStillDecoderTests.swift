import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct WebPStillDecoderTests {
    private func failure(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) -> CodecError? {
        if case .error(let error) = ending(file, limits: limits) { error } else { nil }
    }

    @Test(.needsPillow) func otherDecodersSeeTheSamePixels() throws {
        let pictures = try IndependentDecoders.pictures("webp").filter { $0.frames.count == 1 }

        for picture in pictures {
            let decoded = try decodeStill(SourceBytes(picture.file))
            #expect(picture.difference(decoded.bytes) <= picture.tolerance, "\(picture.name)")
        }
        #expect(pictures.count == 3)
    }

    @Test func losslessPixelsComeBackExactly() throws {
        let drawn = gradient(37, 23, alpha: 200)

        let decoded = try decodeStill(SourceBytes(try WebPEncoder(drawn).lossless(level: 1)))

        #expect(decoded.bytes == bytes(of: drawn))
    }

    @Test(arguments: [[], Array("Exif\0\0".utf8)])
    func orientationIsThatOfTheMetadata(prefix: [UInt8]) throws {
        let pixels = try TestWebP.pixels(gradient(6, 4))
        let exif = TestWebP.chunk("EXIF", prefix + TestJPEG.tiff(orientation: 6))

        let oriented = TestWebP.file([TestWebP.header(6, 4, flags: 0x08), pixels, exif])
        let unflagged = TestWebP.file([TestWebP.header(6, 4, flags: 0), pixels, exif])

        #expect(try stillDecoder(SourceBytes(oriented)).header.orientation == .right)
        #expect(try stillDecoder(SourceBytes(unflagged)).header.orientation == .up)
    }

    @Test func profileIsHandedOn() throws {
        let profile = TestICC.screen(gamma: 1.8).bytes
        let file = TestWebP.file([
            TestWebP.header(6, 4, flags: 0x20), TestWebP.chunk("ICCP", profile),
            try TestWebP.pixels(gradient(6, 4)),
        ])

        #expect(try stillDecoder(SourceBytes(file)).header.color == .icc(profile))
    }

    @Test func grayProfileNeedsPixelsThatAreAllGray() throws {
        let profile = TestICC.gray(gamma: 1.8).bytes
        func header(_ odd: SIMD4<UInt8>) throws -> ImageHeader {
            let pixels = try TestWebP.pixels(
                picture(6, 4) { x, y in
                    let level = UInt8(40 * x + y)
                    return x == 5 && y == 3 ? odd : SIMD4(level, level, level, 255)
                })
            let file = TestWebP.file([
                TestWebP.header(6, 4, flags: 0x20), TestWebP.chunk("ICCP", profile), pixels,
            ])
            return try stillDecoder(SourceBytes(file)).header
        }

        #expect(try header(SIMD4(9, 9, 9, 255)).color == .icc(profile))
        #expect(try header(SIMD4(99, 9, 9, 0)).color == .icc(profile))
        #expect(try header(SIMD4(99, 9, 9, 255)).color == .sRGB)
        #expect(try header(SIMD4(99, 9, 9, 255)).warnings.map(\.code) == ["bad-profile"])
    }

    @Test func firstEXIFChunkCounts() throws {
        let turns = [6, 3].map { TestWebP.chunk("EXIF", TestJPEG.tiff(orientation: $0)) }
        let pixels = try TestWebP.pixels(gradient(6, 4))
        let file = TestWebP.file([TestWebP.header(6, 4, flags: 0x08), pixels] + turns)

        #expect(try stillDecoder(SourceBytes(file)).header.orientation == .right)
    }

    @Test func cutFilesGiveNoPixels() throws {
        expectNoPixelsFromAnyPrefix(of: try WebPEncoder(gradient(20, 20)).lossless(level: 1)) {
            ending($0)
        }
        expectNoPixelsFromAnyPrefix(
            of: try WebPEncoder(gradient(20, 20, alpha: 9)).lossy(quality: 50)
        ) {
            ending($0)
        }
    }

    @Test func damagedFilesEndTheSameEveryTime() throws {
        let file = try WebPEncoder(gradient(40, 30, alpha: 99)).lossless(level: 2)
        expectStableEndings(of: file, rounds: 400) { ending($0) }
        let lossy = try WebPEncoder(gradient(40, 30, alpha: 99)).lossy(quality: 50)
        expectStableEndings(of: lossy, rounds: 400) { ending($0) }
    }

    @Test func bytesBehindTheStatedEndAreLeftAlone() throws {
        let file = try WebPEncoder(gradient(20, 20)).lossless(level: 1)

        #expect(ending(file + [1, 2, 3]) == ending(file))
    }

    @Test func contradictingChunksAreRefused() throws {
        let pixels = try TestWebP.pixels(gradient(6, 4))
        let files = [
            [TestWebP.header(6, 5, flags: 0), pixels],
            [TestWebP.header(6, 4, flags: 0), pixels, pixels],
            [TestWebP.header(6, 4, flags: 0), TestWebP.chunk("ALPH", [0, 1]), pixels],
            [TestWebP.header(6, 4, flags: 0)],
            [TestWebP.chunk("VP8X", [0, 0])], [TestWebP.chunk("ICCP", [1, 2]), pixels],
            [Array(pixels.dropLast(4))],
        ]

        for file in files { #expect(failure(TestWebP.file(file))?.code == .malformed) }
    }

    @Test func badSidesAreRefusedFromTheHeaderOfAWebP() throws {
        var limits = DecodeLimits()
        limits.sidePixelsMax = 19
        let plain = try WebPEncoder(gradient(20, 4)).lossless(level: 1)
        let canvas = TestWebP.file([TestWebP.header(1 << 24, 1 << 24, flags: 0)])

        #expect(failure(plain, limits: limits)?.code == .badDimensions)
        #expect(failure(canvas)?.code == .badDimensions)
    }
}
