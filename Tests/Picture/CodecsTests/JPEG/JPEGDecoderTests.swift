import CTurboJPEG
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct JPEGDecoderTests {
    private let file: [UInt8]

    init() throws { file = try TestJPEG.encode(gradient(40, 24)) }

    private func header(_ file: [UInt8]) throws -> ImageHeader {
        try JPEGDecoder(SourceBytes(file), limits: DecodeLimits()).header
    }

    private func failure(_ file: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> CodecError? {
        if case .error(let error) = ending(file, limits: limits) { error } else { nil }
    }

    @Test(arguments: [0, TJFLAG_PROGRESSIVE]) func noPrefixGivesPixels(flags: Int32) throws {
        let file = try TestJPEG.encode(gradient(40, 24), flags: flags)

        expectNoPixelsFromAnyPrefix(of: file) { ending($0) }
    }

    @Test(arguments: [0, TJFLAG_PROGRESSIVE]) func damagedBytesEndAlike(flags: Int32) throws {
        let file = try TestJPEG.encode(gradient(40, 24), flags: flags)

        expectStableEndings(of: file, rounds: 2000) { ending($0) }
    }

    @Test func pixelsAreClose() throws {
        let decoded = try decodeStill(SourceBytes(file))

        #expect(decoded.size == PixelSize(width: 40, height: 24))
        #expect(abs(Int(decoded[20, 12][0]) - 20 * 255 / 40) < 12)
        #expect(decoded[20, 12][3] == 255)
    }

    @Test(arguments: [(100, 125), (125, 125), (126, 250), (1000, 1000), (5000, 1000)])
    func scalesDownByEighths(side: Int, expected: Int) throws {
        let file = try TestJPEG.encode(gradient(1000, 400))

        let decoded = try decodeStill(SourceBytes(file), side: side)

        #expect(decoded.size.longSide == expected)
    }

    @Test(arguments: 1...8) func orientationIsRead(tag: Int) throws {
        let turned = TestJPEG.inserting(
            TestJPEG.exif(orientation: UInt8(tag)), into: file)

        #expect(try header(turned).orientation.rawValue == tag)
    }

    @Test func badOrientationMeansUp() throws {
        let odd = TestJPEG.inserting(TestJPEG.exif(orientation: 9), into: file)
        let cut = TestJPEG.inserting(
            TestJPEG.segment(0xE1, Array("Exif\0\0II*".utf8) + [0, 8]), into: file)

        #expect(try header(odd).orientation == .up)
        #expect(try header(cut).orientation == .up)
    }

    @Test func firstEXIFSegmentCounts() throws {
        let (right, down) = (TestJPEG.exif(orientation: 6), TestJPEG.exif(orientation: 3))
        let silent = TestJPEG.segment(0xE1, Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 0, 0])

        #expect(try header(TestJPEG.inserting(right + down, into: file)).orientation == .right)
        #expect(try header(TestJPEG.inserting(silent + right, into: file)).orientation == .up)
    }

    @Test func inkIsCountedUpwards() throws {
        // Given a file with an Adobe marker, where 255 means no ink
        let stored = picture(16, 16) { _, _ in SIMD4(255, 255, 255, 10) }
        let file = try TestJPEG.encode(stored, pixelFormat: TJPF_CMYK)
        let marker = try TestJPEG.offset(of: 0xEE, in: file)
        #expect(file[(marker + 4)...].starts(with: "Adobe".utf8))

        let decoded = try decodeStill(SourceBytes(file))

        #expect(decoded.layout == .cmyk8)
        #expect(decoded[3, 3] == [0, 0, 0, 245])
    }

    @Test func pictureInInksOfTheTestsIsWhatItSays() throws {
        var picture = TestInkJPEG(cyan: 255, magenta: 0, yellow: 128, black: 1)
        for hasMarker in [true, false] {
            picture.hasMarker = hasMarker
            let decoded = try decodeStill(SourceBytes(picture.bytes))
            #expect(decoded.layout == .cmyk8)
            #expect(decoded[7, 7] == [255, 0, 128, 1])
        }
    }

    @Test func grayComesAsRGBA() throws {
        let gray = try TestJPEG.encode(gradient(16, 16), subsampling: TJSAMP_GRAY)

        let decoded = try decodeStill(SourceBytes(gray))

        #expect(decoded.layout == .rgba8)
        #expect(Set(decoded[7, 7][..<3]).count == 1)
    }

    /// A segment with one of two parts of a profile.
    private func part(_ number: UInt8, _ bytes: some Sequence<UInt8>) -> [UInt8] {
        TestJPEG.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, 2] + bytes)
    }

    @Test func profilePartsAreJoined() throws {
        let profile = TestICC.screen(gamma: 1.8).bytes
        let parts = part(2, profile[90...]) + part(1, profile[..<90])

        #expect(try header(TestJPEG.inserting(parts, into: file)).color == .icc(profile))
    }

    @Test(arguments: ["RGB XYZ ", "GRAYXYZ ", "CMYKLab "])
    func profilesThatDoNotFitAreIgnored(spaces: String) throws {
        let profile = TestICC(spaces: spaces, tags: []).bytes
        let half = TestJPEG.inserting(part(2, profile), into: file)
        let whole = TestJPEG.inserting(part(1, profile) + part(2, []), into: file)

        #expect(try header(half).color == .sRGB)
        #expect(try header(half).warnings.map(\.code) == ["bad-profile"])
        #expect(try header(whole).warnings.isEmpty == spaces.hasPrefix("RGB"))
    }

    @Test func tooManyScansAreRefused() throws {
        let progressive = try TestJPEG.encode(gradient(64, 64), flags: TJFLAG_PROGRESSIVE)
        var limits = DecodeLimits()
        limits.jpegScansMax = 3

        let error = try #require(failure(progressive, limits))

        #expect(error.code == .tooComplex)
        #expect(error.limit == "3 scans (limits.jpegScansMax)")
    }

    /// In arithmetic coding, a few bytes may stand for any number of coefficients.
    @Test(arguments: [(0xCA, 100, false), (0xCA, 90, true), (0xC2, 100, true)])
    func dearArithmeticScansAreRefused(marker: UInt8, scans: Int, isRead: Bool) throws {
        // Given a gray picture of 16000x4000, whose scans tell of all coefficients but the first
        let frame: [UInt8] = [8, 0x0F, 0xA0, 0x3E, 0x80, 1, 1, 0x11, 0]
        let scan = TestJPEG.segment(0xDA, [1, 1, 0, 1, 63, 0])
        let body = TestJPEG.segment(marker, frame) + Array(repeating: scan, count: scans).joined()
        let file = SourceBytes([0xFF, 0xD8] + body + [0xFF, 0xD9])

        var error: CodecError?
        do throws(CodecError) {
            _ = try JPEGDecoder(file, limits: DecodeLimits())
        } catch let thrown {
            error = thrown
        }

        #expect(error?.code == (isRead ? nil : .tooComplex))
        #expect(error?.limit == (isRead ? nil : "60 s (limits.cpuSecondsMax)"))
    }

    @Test func coefficientsCountAgainstTheDecoderMemory() throws {
        let progressive = try TestJPEG.encode(
            gradient(64, 64), subsampling: TJSAMP_444, flags: TJFLAG_PROGRESSIVE)
        var limits = DecodeLimits()
        limits.decoderBytesMax = 64 * 64 * 3 * 2

        let error = try #require(failure(progressive, limits))

        #expect(error.code == .tooComplex)
        #expect(error.measured == "40960 bytes")
    }

    @Test(arguments: [0xC3, 0xC5, 0xC7, 0xCB, 0xCF] as [UInt8])
    func unreadProcessesAreUnsupported(process: UInt8) throws {
        var file = file
        file[try TestJPEG.offset(of: 0xC0, in: file) + 1] = process

        #expect(failure(file)?.code == .unsupported)
    }

    @Test func twelveBitsAreUnsupported() throws {
        var file = file
        file[try TestJPEG.offset(of: 0xC0, in: file) + 4] = 12

        #expect(failure(file)?.code == .unsupported)
    }

    @Test func hugeSidesAreRefusedFromTheHeader() throws {
        var file = file
        let frame = try TestJPEG.offset(of: 0xC0, in: file)
        file.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xFF, 0xFF, 0xFF])

        #expect(failure(file)?.code == .badDimensions)
    }

    @Test func missingScanOfAComponentIsRefused() throws {
        var file = file
        file[try TestJPEG.offset(of: 0xDA, in: file) + 5] = 9

        #expect(failure(file)?.code == .malformed)
    }

    @Test func junkBetweenSegmentsIsMended() throws {
        let odd = TestJPEG.inserting([1, 2, 3, 0xFF, 0xFF], into: file)

        #expect(ending(odd) == ending(file))
        #expect(try header(odd).warnings.map(\.code) == ["junk-between-segments"])
    }

    @Test func junkDoesNotHideDamage() throws {
        // Given two faults: junk, of which alone libjpeg would tell, and half of the picture gone
        let scan = try TestJPEG.offset(of: 0xDA, in: file)
        let half = Array(file[..<(scan + (file.count - scan) / 2)]) + [0xFF, 0xD9]

        #expect(failure(half)?.code == .malformed)
        #expect(failure(TestJPEG.inserting([1, 2, 3], into: half))?.code == .malformed)
    }

    @Test func paddingBehindTheScanIsHarmless() {
        let padded = Array(file.dropLast(2)) + [UInt8](repeating: 0, count: 40) + [0xFF, 0xD9]

        #expect(ending(padded) == ending(file))
    }

    @Test func bytesBehindTheEndAreHarmless() {
        #expect(ending(file + Array("<script>".utf8)) == ending(file))
    }
}
