import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
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

    /// iCCP with `profile`, whose compressed form is one stored block (RFC 1950 and 1951).
    private func iccp(_ profile: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(profile.count & 0xFF), UInt8(profile.count >> 8))
        var (a, b) = (1, 0)
        for byte in profile {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return TestPNG.chunk(
            "iCCP",
            Array("p\0\0".utf8) + [0x78, 1, 1, low, high, ~low, ~high] + profile
                + TestPNG.number(b << 16 | a))
    }

    /// A picture of one pixel of 0, of which only the header chunk counts here.
    private func onePixel(color: UInt8 = 2, depth: UInt8 = 8) -> [UInt8] {
        TestPNG.file([
            TestPNG.header(1, 1, depth: depth, color: color), TestPNG.chunk("IDAT"),
        ])
    }

    @Test(
        arguments: [(0, 8), (0, 16), (4, 8), (4, 16), (2, 8), (2, 16), (6, 8)] as [(UInt8, UInt8)])
    func profilesForRGBAreUsedByAllAndThoseForGrayByGray(color: UInt8, depth: UInt8) throws {
        let plain = onePixel(color: color, depth: depth)
        let (rgb, gray) = (TestICC.screen(gamma: 1.8).bytes, TestICC.gray(gamma: 1.8).bytes)

        let ofRGB = try decoder(TestPNG.inserting(iccp(rgb), into: plain)).header
        let ofGray = try decoder(TestPNG.inserting(iccp(gray), into: plain)).header

        #expect(ofRGB.color == .icc(rgb) && ofRGB.warnings.isEmpty)
        let isGray = color == 0 || color == 4
        #expect(ofGray.color == (isGray ? .icc(gray) : .sRGB))
        #expect(ofGray.warnings.map(\.code) == (isGray ? [] : ["bad-profile"]))
    }

    @Test func numbersOfTheCICPChunkAreRead() throws {
        let wide = TestPNG.inserting(TestPNG.chunk("cICP", [12, 13, 0, 1]), into: file)
        let both = TestPNG.inserting(iccp(TestICC.screen(gamma: 1).bytes), into: wide)
        let pq = TestPNG.inserting(TestPNG.chunk("cICP", [9, 16, 0, 1]), into: file)
        let odd = TestPNG.inserting(TestPNG.chunk("cICP", [12, 13, 0, 2]), into: file)

        #expect(try decoder(wide).header.color != .sRGB)
        #expect(try decoder(both).header.color == decoder(wide).header.color)
        #expect(try decoder(odd).header.warnings.map(\.code) == ["bad-color"])
        let error = #expect(throws: CodecError.self) { try decoder(pq) }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("PQ, stated by cICP") == true)
    }

    @Test func damagedOrMisplacedColourChunksAreIgnored() throws {
        let pq = TestPNG.chunk("cICP", [9, 16, 0, 1])
        var damaged = pq
        damaged[15] ^= 1
        let end = TestPNG.chunk("IEND")
        let palette = TestPNG.chunk("PLTE", [1, 2, 3])
        let gamma = TestPNG.chunk("gAMA", TestPNG.number(100_000))

        for ignored in [
            TestPNG.inserting(damaged, into: file), file.dropLast(12) + pq + end,
            TestPNG.inserting(palette + pq, into: file), file.dropLast(12) + gamma + end,
            TestPNG.inserting(TestPNG.chunk("cICP", [9, 16, 0]), into: file),
        ] {
            let header = try decoder(ignored).header
            #expect(header.color == .sRGB && header.warnings.isEmpty)
        }
    }

    @Test func firstChunkOfAKindCounts() throws {
        let (one, two) = (TestPNG.number(100_000), TestPNG.number(200_000))
        let plain = onePixel()
        let gammas = TestPNG.chunk("gAMA", one) + TestPNG.chunk("gAMA", two)
        let turns = [6, 3].flatMap { TestPNG.chunk("eXIf", TestJPEG.tiff(orientation: $0)) }

        #expect(try decoder(TestPNG.inserting(gammas, into: plain)).header.color == .gamma(1))
        #expect(try decoder(TestPNG.inserting(turns, into: plain)).header.orientation == .right)
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
