import StickerCodecs
import StickerModel
import StickerRaster
import StickerTestSupport
import Testing

struct PNGDecoderTests {
    private let file: [UInt8]

    init() throws { file = try PNGEncoder.encode(gradient(24, 17, alpha: 200)) }

    private func decoder(_ file: [UInt8]) throws -> PNGDecoder {
        try PNGDecoder(SourceBytes(file), limits: DecodeLimits())
    }

    @Test func noPrefixGivesPixels() {
        expectNoPixelsFromAnyPrefix(of: file) { ending($0) }
    }

    @Test func damagedBytesEndAlike() {
        expectStableEndings(of: file, rounds: 2000) { ending($0) }
    }

    @Test(arguments: [(0, 5), (5, 0), (16385, 1), (1, 0x7FFF_FFFF)])
    func badSidesAreRefusedFromTheHeader(width: Int, height: Int) {
        let lie = TestPNG.file([TestPNG.header(width, height), TestPNG.chunk("IDAT")])

        let error = #expect(throws: CodecError.self) { try decoder(lie) }

        #expect(error?.code == .badDimensions)
        #expect(error?.measured == "\(width)x\(height) px")
    }

    @Test func tooManyPixelsNameTheLimit() {
        let lie = TestPNG.file([TestPNG.header(16000, 16000), TestPNG.chunk("IDAT")])

        let error = #expect(throws: CodecError.self) { try decoder(lie) }

        #expect(error?.code == .tooManyPixels)
        #expect(error?.limit == "64000000 px (limits.framePixelsMax)")
    }

    @Test func interlacedPictureCountsAgainstTheDecoderMemory() {
        let large = TestPNG.file([
            TestPNG.header(8000, 8000, depth: 16, interlace: 1), TestPNG.chunk("IDAT", [0x78]),
        ])

        let error = #expect(throws: CodecError.self) { try decoder(large) }

        #expect(error?.code == .tooComplex)
        #expect(error?.measured == "512000000 bytes")
    }

    @Test func animationGivesItsStillPicture() throws {
        let animated = TestPNG.inserting(
            TestPNG.chunk("acTL", TestPNG.number(2) + TestPNG.number(0)), into: file)

        #expect(ending(animated) == ending(file))
    }

    @Test func appleVariantIsUnsupported() {
        let crushed =
            TestPNG.file([TestPNG.chunk("CgBI", [0x50, 0, 0x20, 2])]) + file.dropFirst(8)

        #expect(throws: CodecError(.unsupported, .png, "a PNG in Apple's private CgBI variant")) {
            try decoder(crushed)
        }
    }

    @Test func colourChunksAreReported() throws {
        let plain = TestPNG.file([TestPNG.header(1, 1), TestPNG.chunk("IDAT")])
        let gamma = TestPNG.chunk("gAMA", TestPNG.number(100_000))
        let both = TestPNG.inserting(TestPNG.chunk("sRGB", [0]), into: plain)
        var damaged = gamma
        damaged[11] ^= 1

        #expect(try decoder(TestPNG.inserting(gamma, into: plain)).header.color == .gamma(1))
        #expect(try decoder(TestPNG.inserting(gamma, into: both)).header.color == .sRGB)
        #expect(try decoder(TestPNG.inserting(damaged, into: plain)).header.color == .sRGB)
    }

    @Test func brokenProfileIsIgnoredWithAWarning() throws {
        let broken = TestPNG.inserting(
            TestPNG.chunk("iCCP", Array("name\0\0not zlib".utf8)), into: file)

        let header = try decoder(broken).header

        #expect(header.color == .sRGB)
        #expect(header.warnings.map(\.code) == ["bad-profile"])
    }

    @Test func orientationOfTheExifChunkIsRead() throws {
        let turned = TestPNG.inserting(
            TestPNG.chunk("eXIf", TestJPEG.tiff(orientation: 6)), into: file)

        #expect(try decoder(turned).header.orientation == .right)
    }

    @Test func damagedAncillaryChunkIsPassedOver() {
        var text = TestPNG.chunk("tEXt", Array("Title\0cat".utf8))
        text[10] ^= 0xFF

        #expect(ending(TestPNG.inserting(text, into: file)) == ending(file))
    }

    @Test func damagedChecksumOfThePixelsIsRefused() throws {
        // Given a chunk that is right in itself around compressed data with a wrong Adler-32
        let start = 33 + 13
        let length = file.count - start - 12 - 12
        var data = Array(file[(start + 8)..<(start + 8 + length)])
        data[data.count - 1] ^= 1
        let damaged =
            Array(file[..<start]) + TestPNG.chunk("IDAT", data) + TestPNG.chunk("IEND")

        #expect(throws: CodecError(.malformed, .png, "IDAT: incorrect data check")) {
            try decodeStill(SourceBytes(damaged))
        }
    }

    @Test func bytesBehindTheEndAreHarmless() {
        #expect(ending(file + Array("<script>".utf8)) == ending(file))
    }
}
