import StickerCodecs
import StickerModel
import StickerRaster
import Testing

/// Colours that are told by numbers (ITU-T H.273).
struct CodedColorTests {
    private func converted(
        _ color: [UInt8], _ primaries: Int, _ transfer: Int
    ) throws -> [UInt8] {
        let description = try CodedColor.description(
            primaries: primaries, transfer: transfer, .avif)
        let header = ImageHeader(
            format: .avif, size: PixelSize(width: 1, height: 1), layout: .rgba8, hasAlpha: false,
            color: description, detail: "")
        let conversion = ColorConversion(header)
        return color.withUnsafeBytes { Array(conversion.convert(row: $0, pixels: 1)) }
    }

    private func isNear(_ color: [UInt8], _ expected: [UInt8]) -> Bool {
        zip(color, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }

    @Test(arguments: [(1, 13), (2, 2), (1, 1), (2, 6), (1, 14)])
    func screenColoursStay(primaries: Int, transfer: Int) throws {
        #expect(
            try CodedColor.description(primaries: primaries, transfer: transfer, .avif) == .sRGB)
    }

    /// The values are those of CSS Color 4 for display-p3 and rec2020 with the curve of sRGB.
    @Test func widerColoursAreConverted() throws {
        #expect(isNear(try converted([128, 128, 128, 255], 12, 13), [128, 128, 128, 255]))
        #expect(isNear(try converted([200, 100, 100, 255], 12, 13), [215, 93, 97, 255]))
        #expect(try converted([255, 0, 0, 255], 12, 13) == [255, 0, 0, 255])
    }

    @Test func otherCurvesAreConverted() throws {
        #expect(isNear(try converted([55, 55, 55, 255], 1, 8), [128, 128, 128, 255]))
        #expect(isNear(try converted([128, 128, 128, 255], 1, 4), [128, 128, 128, 255]))
    }

    @Test(arguments: [(9, 16), (9, 18), (1, 3), (4, 13), (22, 13), (1, 99)])
    func whatIsBrighterThanWhiteOrUnknownIsRefused(primaries: Int, transfer: Int) {
        #expect(throws: CodecError.self) {
            try CodedColor.description(primaries: primaries, transfer: transfer, .heic)
        }
    }
}
