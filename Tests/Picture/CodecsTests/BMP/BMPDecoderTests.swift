import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct BMPDecoderTests {
    /// A bitmap with BITMAPINFOHEADER.
    private func file(
        width: Int = 2, height: Int = 2, bits: Int = 24, compression: Int = 0, colors: Int = 0,
        palette: [UInt8] = [], pixels: [UInt8]
    ) -> [UInt8] {
        let start = 54 + palette.count
        let header =
            [(40, 4), (width, 4), (height, 4), (1, 2), (bits, 2), (compression, 4)]
            + [(pixels.count, 4), (0, 4), (0, 4), (colors, 4), (0, 4)]
        return Array("BM".utf8) + RIFF.little(0, 8) + RIFF.little(start, 4)
            + header.flatMap { RIFF.little($0.0, $0.1) } + palette + pixels
    }

    /// A bitmap of two pixels with BITMAPV5HEADER and an embedded profile.
    private func file(_ profile: [UInt8], pixels: [UInt8]) -> [UInt8] {
        let start = 14 + 124
        let header =
            [(124, 4), (2, 4), (1, 4), (1, 2), (24, 2)].flatMap { RIFF.little($0.0, $0.1) }
            + [UInt8](repeating: 0, count: 40) + Array("DEBM".utf8)
            + [UInt8](repeating: 0, count: 52) + RIFF.little(124 + pixels.count, 4)
            + RIFF.little(profile.count, 4) + [0, 0, 0, 0]
        return Array("BM".utf8) + RIFF.little(0, 8) + RIFF.little(start, 4) + header + pixels
            + profile
    }

    private func failure(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) -> CodecError? {
        if case .error(let error) = ending(file, limits: limits) { error } else { nil }
    }

    private let fourPixels: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]
    private let grays: [UInt8] = [0, 0, 0, 0, 255, 255, 255, 0]

    @Test(.needsPillow) func otherDecodersSeeTheSameBitmaps() throws {
        let pictures = try IndependentDecoders.pictures("bmp")

        for picture in pictures {
            let decoded = try decodeStill(SourceBytes(picture.file))
            #expect(decoded.size == PixelSize(width: picture.width, height: picture.height))
            #expect(picture.difference(decoded.bytes) <= picture.tolerance, "\(picture.name)")
        }
        #expect(pictures.count == 14)
    }

    @Test func grayProfileNeedsPixelsThatAreAllGray() throws {
        let profile = TestICC.gray(gamma: 1.8).bytes
        let gray = file(profile, pixels: [1, 1, 1, 99, 99, 99, 0, 0])
        let colours = file(profile, pixels: [1, 1, 1, 99, 9, 99, 0, 0])

        #expect(try stillDecoder(SourceBytes(gray)).header.color == .icc(profile))
        let header = try stillDecoder(SourceBytes(colours)).header
        #expect(header.color == .sRGB && header.warnings.map(\.code) == ["bad-profile"])
    }

    @Test func rowsComeFromTheBottomUp() throws {
        let decoded = try decodeStill(SourceBytes(file(pixels: fourPixels)))

        #expect([decoded[0, 0], decoded[1, 1]] == [[9, 8, 7, 255], [6, 5, 4, 255]])
    }

    @Test func rowsMayComeFromTheTopDown() throws {
        let decoded = try decodeStill(SourceBytes(file(height: -2, pixels: fourPixels)))

        #expect([decoded[0, 0], decoded[1, 1]] == [[3, 2, 1, 255], [12, 11, 10, 255]])
    }

    @Test func paddingOfTheLastRowMayBeMissing() {
        let whole = file(pixels: fourPixels)

        #expect(ending(whole) == ending(Array(whole.dropLast(2))))
        #expect(failure(Array(whole.dropLast(3)))?.code == .truncated)
    }

    @Test func cutBitmapsGiveNoPixels() {
        expectNoPixelsFromAnyPrefix(of: Array(file(pixels: fourPixels).dropLast(2))) { ending($0) }
        let runs = file(
            bits: 8, compression: 1, colors: 2, palette: grays, pixels: [2, 1, 0, 0, 1, 0, 0, 1])
        expectNoPixelsFromAnyPrefix(of: runs) { ending($0) }
    }

    @Test func damagedBitmapsEndTheSameEveryTime() {
        expectStableEndings(of: file(pixels: fourPixels), rounds: 1000) { ending($0) }
        let runs = file(
            width: 40, bits: 4, compression: 2, colors: 2, palette: grays,
            pixels: [40, 1, 0, 0, 0, 5, 1, 0, 1, 0, 10, 1, 0, 2, 3, 0, 9, 1, 0, 1])
        expectStableEndings(of: runs, rounds: 1000) { ending($0) }
    }

    @Test func colourOutsideThePaletteIsRefused() {
        let bytes = file(bits: 8, colors: 2, palette: grays, pixels: [0, 1, 0, 0, 1, 2, 0, 0])
        #expect(failure(bytes)?.code == .malformed)
    }

    @Test func pixelsThatRunsLeaveOutAreTransparent() throws {
        let bytes = file(
            bits: 8, compression: 1, colors: 2, palette: grays, pixels: [1, 1, 0, 0, 0, 1])

        let decoded = try decodeStill(SourceBytes(bytes))

        #expect([decoded[0, 1], decoded[1, 1]] == [[255, 255, 255, 255], [0, 0, 0, 0]])
        #expect(decoded[0, 0] == [0, 0, 0, 0])
    }

    @Test func runsAboveThePictureAreRefused() {
        let bytes = file(
            bits: 8, compression: 1, colors: 2, palette: grays,
            pixels: [2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 1])
        #expect(failure(bytes)?.code == .malformed)
    }

    @Test func sidesAreCheckedBeforeAnythingElse() {
        #expect(failure(file(width: 0, pixels: []))?.code == .badDimensions)
        #expect(failure(file(width: 1 << 30, height: 1 << 30, pixels: []))?.code == .badDimensions)
        #expect(failure(file(width: 9000, height: 9000, pixels: []))?.code == .tooManyPixels)
        #expect(failure(file(width: -1, pixels: []))?.code == .malformed)
        #expect(failure(file(height: Int(Int32.min), pixels: []))?.code == .badDimensions)
    }

    @Test(arguments: [(4, 24), (5, 24), (7, 24), (1, 4), (2, 8), (0, 7)])
    func otherCompressionsAreRefused(compression: Int, bits: Int) {
        let code = failure(file(bits: bits, compression: compression, pixels: fourPixels))?.code
        #expect(code == (4...5 ~= compression ? .unsupported : .malformed))
    }

    /// Two pixels of 32 bits without masks for their colours, in a header of `version` bytes.
    private func plain(version: Int, alphaMask: Int, alpha: [UInt8], bits: Int = 32) -> [UInt8] {
        var bytes = file(
            height: 1, bits: bits, pixels: [10, 20, 30, alpha[0], 40, 50, 60, alpha[1]])
        let later = RIFF.little(0, 12) + RIFF.little(alphaMask, 4) + RIFF.little(0, version - 56)
        bytes.insert(contentsOf: later, at: 54)
        bytes.replaceSubrange(14..<18, with: RIFF.little(version, 4))
        bytes.replaceSubrange(10..<14, with: RIFF.little(14 + version, 4))
        return bytes
    }

    @Test(arguments: [108, 124], [0xFF00_0000, 0xFF, 0xF000_0000])
    func plainPixelsHaveAlphaIfALaterHeaderHasAMaskForIt(version: Int, mask: Int) throws {
        let bytes = plain(version: version, alphaMask: mask, alpha: [0, 128])

        let decoded = try decodeStill(SourceBytes(bytes))

        #expect([decoded[0, 0][3], decoded[1, 0][3]] == [0, 128])
        #expect(decoded[1, 0] == [60, 50, 40, 128])
    }

    @Test func otherFourthBytesAreNoAlpha() throws {
        let files = [
            plain(version: 124, alphaMask: 0, alpha: [0, 128]),
            plain(version: 124, alphaMask: 0xFF00_0000, alpha: [0, 0]),
            plain(version: 56, alphaMask: 0xFF00_0000, alpha: [0, 128]),
            file(height: 1, bits: 32, pixels: [10, 20, 30, 0, 40, 50, 60, 128]),
        ]

        for file in files {
            let decoded = try decodeStill(SourceBytes(file))
            #expect([decoded[0, 0], decoded[1, 0]] == [[30, 20, 10, 255], [60, 50, 40, 255]])
        }
    }

    @Test func masksThatShareBitsAreRefused() {
        let shared = [0xFF, 0xFF, 0xFF00].flatMap { RIFF.little($0, 4) }
        let scattered = [0x05, 0xFF00, 0xFF0000].flatMap { RIFF.little($0, 4) }
        let pixels = [UInt8](repeating: 7, count: 16)

        #expect(
            failure(file(bits: 32, compression: 3, palette: shared, pixels: pixels))?.code
                == .malformed)
        #expect(
            failure(file(bits: 32, compression: 3, palette: scattered, pixels: pixels))?.code
                == .unsupported)
    }
}
