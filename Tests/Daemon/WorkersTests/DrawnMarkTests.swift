import StickerCodecs
import StickerConfiguration
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Marks that are SVG files are drawn by the program that draws, and by no other.
@Suite(.needsFonts)
struct DrawnMarkTests {
    private let maker = WorkerMaking(program: Built.path("stickerd-worker")) { .init() }

    private func mark(_ svg: String) -> Watermark {
        var file = WatermarkFile(path: "mark.svg")
        let bytes = Array(svg.utf8)
        file.content = FileContent(
            bytes: bytes, hash: ContentHash(rawValue: String(bytes.hashValue)))
        return Watermark(id: "logo", .image(file))
    }

    private func settings(_ marks: [Watermark]) -> StickerSettings {
        var settings = StickerSettings()
        settings.watermarks = marks
        return settings
    }

    /// A red circle in a box of 2:1.
    private static let circle = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
        <circle cx="15" cy="5" r="5" fill="#ff0000"/></svg>
        """

    private func sticker(_ mark: Watermark) throws -> PixelBuffer {
        try sticker(SourceBytes(try picture(SIMD4(0, 0, 255, 255))), mark)
    }

    private func picture(_ color: SIMD4<UInt8>) throws -> [UInt8] {
        try PNGEncoder.encode(
            PixelBuffer.drawn(PixelSize(width: 64, height: 64)) { _, _ in color })
    }

    private func sticker(_ source: SourceBytes, _ mark: Watermark) throws -> PixelBuffer {
        let report = maker.make(
            source, recipe: Recipe(settings: settings([mark])), limits: DecodeLimits())
        return try WebPDecoder.still(try #require(try report.result.get().files.first).bytes)
    }

    @Test func drawingLiesOverTheSticker() throws {
        var mark = mark(Self.circle)
        mark.width = 0.5

        let pixels = try sticker(mark)

        // 256x128 pixels at the bottom right, of which the right half is the circle.
        #expect(pixels[448, 448] == SIMD4(255, 0, 0, 255))
        #expect(pixels[320, 448] == SIMD4(0, 0, 255, 255))
        #expect(pixels[448, 380] == SIMD4(0, 0, 255, 255))
    }

    /// Each program reads other pictures, and all of them the same marks.
    @Test func markLiesOverADrawing() throws {
        var file = WatermarkFile(path: "mark.png")
        let bytes = try picture(SIMD4(255, 0, 0, 255))
        file.content = FileContent(
            bytes: bytes, hash: ContentHash(rawValue: String(bytes.hashValue)))
        let source = SourceBytes(
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
                <rect width="9" height="9" fill="#0000ff"/></svg>
                """.utf8))

        for var mark in [Watermark(id: "a", .image(file)), mark(Self.circle)] {
            mark.width = 0.5
            let pixels = try sticker(source, mark)
            #expect(pixels[448, 448] == SIMD4(255, 0, 0, 255))
            #expect(pixels[100, 100] == SIMD4(0, 0, 255, 255))
        }
    }

    @Test func drawingHasTheSizeOfACanvasUnlessItIsGivenOne() throws {
        let pixels = try sticker(mark(Self.circle))

        #expect(
            pixels[384, 384] == SIMD4(255, 0, 0, 255) && pixels[384, 270] == SIMD4(255, 0, 0, 255))
        #expect(pixels[384, 250] == SIMD4(0, 0, 255, 255))
    }

    @Test func configurationWithADrawingIsTried() throws {
        var configuration = Configuration()
        configuration.sticker = settings([mark(Self.circle)])
        #expect(try maker.check(filesOf: configuration).isEmpty)

        configuration.sticker = settings([mark("<svg xmlns='http://www.w3.org/2000/svg'><a")])
        let error = #expect(throws: ConfigurationError.self) {
            try maker.check(filesOf: configuration)
        }
        #expect(error?.faults.map(\.path) == ["sticker.watermarks.logo.image"])
    }

    @Test func recipeHasTheHashOfTheFile() throws {
        var marks = [mark(Self.circle)]
        let before = marks
        let files = DrawnFiles()
        var drawn = 0

        for _ in 0..<2 {
            var again = before
            try files.draw(&again) { _ in
                drawn += 1
                return .init(bytes: [1], remarks: [])
            }
            marks = again
        }

        #expect(drawn == 1 && marks == before && marks[0].file?.content?.bytes == [1])
    }
}
