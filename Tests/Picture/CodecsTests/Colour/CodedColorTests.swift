import StickerCodecs
import StickerRaster
import StickerValues
import Testing

/// Colours that are stated by numbers (ITU-T H.273). The values are what Chromium 156 shows.
struct CodedColorTests {
    private static let orange: [UInt8] = [255, 128, 0, 255]
    private static let gray: [UInt8] = [128, 128, 128, 255]
    private static let green: [UInt8] = [64, 200, 120, 255]
    private static let dark: [UInt8] = [16, 16, 16, 255]

    private func header(
        _ primaries: Int, _ transfer: Int, _ format: ImageFormat
    ) throws -> ImageHeader {
        var facts = ColorFacts(format, pixels: .rgb)
        facts.coded = CodedColor(primaries: primaries, transfer: transfer)
        var header = ImageHeader(
            format: format, size: PixelSize(width: 4, height: 1), layout: .rgba8, hasAlpha: false,
            detail: "")
        try header.describeColor(facts)
        return header
    }

    private func shown(_ primaries: Int, _ transfer: Int, _ format: ImageFormat) throws -> [UInt8] {
        let conversion = ColorConversion(try header(primaries, transfer, format))
        let row = Self.orange + Self.gray + Self.green + Self.dark
        return row.withUnsafeBytes { Array(conversion.convert(row: $0, pixels: 4)) }
    }

    @Test(
        arguments: [
            (12, 13, [255, 119, 0, 128, 128, 128, 0, 203, 111, 16, 16, 16]),
            (9, 13, [255, 97, 0, 128, 128, 128, 0, 210, 108, 16, 16, 16]),
            (1, 8, [255, 188, 0, 188, 188, 188, 137, 229, 183, 71, 71, 71]),
            (1, 5, [255, 106, 0, 106, 106, 106, 40, 189, 98, 1, 1, 1]),
            (4, 4, [255, 119, 0, 129, 129, 129, 0, 199, 117, 7, 7, 7]),
            (7, 7, [250, 143, 0, 141, 141, 141, 94, 204, 133, 34, 34, 34]),
            (8, 8, [255, 185, 0, 188, 188, 188, 74, 233, 180, 71, 71, 71]),
            (10, 13, [255, 0, 36, 128, 128, 128, 0, 255, 87, 16, 16, 16]),
            (11, 17, [255, 106, 0, 118, 118, 118, 0, 204, 98, 3, 3, 3]),
            (22, 13, [255, 130, 0, 128, 128, 128, 54, 196, 120, 16, 16, 16]),
        ] as [(Int, Int, [Int])])
    func coloursAreThoseOfTheNumbers(primaries: Int, transfer: Int, colors: [Int]) throws {
        for format in [ImageFormat.png, .avif, .heic] {
            let shown = try shown(primaries, transfer, format).enumerated()
                .filter { $0.offset % 4 != 3 }.map(\.element)

            #expect(zip(shown, colors).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(format): \(shown)")
        }
    }

    @Test(arguments: [(1, 13), (2, 2), (1, 1), (2, 6), (1, 14), (1, 2), (2, 13)])
    func numbersOfScreensAndTelevisionAreSRGBInHEIF(primaries: Int, transfer: Int) throws {
        let header = try header(primaries, transfer, .avif)

        #expect(header.color == .sRGB && header.warnings.isEmpty)
    }

    @Test(arguments: [1, 6, 11, 14, 15])
    func televisionIsShownAsByItsScreensInPNG(transfer: Int) throws {
        let shown = try shown(1, transfer, .png)

        #expect(abs(Int(shown[4]) - 121) <= 1 && abs(Int(shown[12]) - 4) <= 1, "\(shown)")
    }

    @Test(arguments: [(9, 16), (9, 18), (1, 16), (99, 18)])
    func brightnessBeyondWhiteIsRefused(primaries: Int, transfer: Int) {
        for format in [ImageFormat.png, .avif, .heic] {
            let error = #expect(throws: CodecError.self) {
                try header(primaries, transfer, format)
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test(arguments: [(1, 3), (3, 13), (0, 13), (1, 99), (99, 13), (1, 9), (12, 12)])
    func unknownNumbersAreSetAsideWithAWarning(primaries: Int, transfer: Int) throws {
        for format in [ImageFormat.png, .avif, .heic] {
            let header = try header(primaries, transfer, format)
            #expect(header.color == .sRGB)
            #expect(header.warnings.map(\.code) == ["bad-color"])
        }
    }

    /// Half a statement is none in PNG; in HEIF the other half is that of sRGB.
    @Test func halfAStatementCountsInHEIFAlone() throws {
        #expect(try header(12, 2, .png).warnings.map(\.code) == ["bad-color"])
        #expect(try header(2, 2, .png).warnings.isEmpty)
        #expect(try shown(12, 2, .avif) == shown(12, 13, .avif))
        #expect(try shown(2, 8, .avif) == shown(1, 8, .avif))
    }
}
