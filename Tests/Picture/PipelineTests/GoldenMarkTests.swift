import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Changed art still looks as it did when it was last reviewed.
///
/// `STICKERD_WRITE_GOLDEN=1 swift test --filter GoldenMarkTests` draws the pictures again; look at them before they are
/// committed.
struct GoldenMarkTests {
    private static let folder = "Tests/Picture/PipelineTests/Fixtures/marks"
    private static let side = 160

    struct Golden: Sendable, CustomTestStringConvertible {
        var name: String
        var isMoving = false
        var change: @Sendable (inout StickerSettings) throws -> Void
        var testDescription: String { name }
    }

    private static let goldens: [Golden] = [
        Golden(name: "plain") { _ in },
        Golden(name: "outline") { ($0.outline.pixels, $0.outline.color) = (24, "#FFFFFF") },
        Golden(name: "outline-moving", isMoving: true) {
            ($0.outline.pixels, $0.outline.color) = (24, "#3050FF")
        },
        Golden(name: "tint-solid") { ($0.tint.mode, $0.tint.color) = (.solid, "#2060C0") },
        Golden(name: "tint-colorized") { ($0.tint.mode, $0.tint.color) = (.colorized, "#2060C0") },
        Golden(name: "logo") { $0.watermarks = [try logo()] },
        Golden(name: "logo-moving", isMoving: true) { $0.watermarks = [try logo()] },
        Golden(name: "bands") {
            var (below, above) = (
                Watermark(id: "below", .color(SIMD4(0, 0, 0, 128))),
                Watermark(id: "above", .color(SIMD4(255, 230, 0, 200)))
            )
            (below.width, below.height, below.anchor) = (1, 0.3, .init(x: 0, y: 1))
            (above.width, above.height, above.anchor) = (0.4, 0.4, .init(x: 0.5, y: 0.9))
            above.opacity = 0.7
            $0.watermarks = [below, above]
        },
        Golden(name: "raw") {
            var form = Watermark.RawPixels(size: PixelSize(width: 4, height: 4))
            (form.isPremultiplied, form.isFlipped) = (true, true)
            let bytes = (0..<16).flatMap { index -> [UInt8] in
                let alpha = UInt8(index * 17)
                return [index % 2 == 0 ? alpha : 0, 0, index < 8 ? alpha : 0, alpha]
            }
            var mark = Watermark(id: "raw", .raw(file(bytes), form))
            (mark.width, mark.anchor) = (0.5, .init(x: 0, y: 0))
            $0.watermarks = [mark]
        },
        Golden(name: "imgly") {
            var mark = try logo()
            mark.imgly = IMGLYPlace()
            mark.imgly?.size = 0.5
            $0.watermarks = [mark]
        },
        Golden(name: "keyframes", isMoving: true) {
            var mark = try logo()
            mark.keyframes = [.init(milliseconds: 0), .init(milliseconds: 300)]
            (mark.keyframes[0].anchor, mark.keyframes[0].opacity) = (.init(x: 0, y: 0), 0.2)
            (mark.keyframes[1].anchor, mark.keyframes[1].width) = (.init(x: 1, y: 1), 0.8)
            $0.watermarks = [mark]
        },
        Golden(name: "moving-mark", isMoving: true) { $0.watermarks = [try spinner()] },
        Golden(name: "moving-mark-on-still") {
            var mark = try spinner()
            mark.animates = true
            $0.watermarks = [mark]
        },
    ]

    // MARK: Art and marks

    /// A disc with a hole and soft edges, with a shade from left to right.
    private static func art(at number: Int) -> PixelBuffer {
        PixelBuffer.drawn(PixelSize(width: 200, height: 150)) { x, y in
            let (dx, dy) = (Double(x - 70 - 20 * number), Double(y - 75))
            let distance = (dx * dx + dy * dy).squareRoot()
            let cover = min(1, max(0, 50 - distance)) * min(1, max(0, distance - 15))
            return SIMD4(UInt8(x), UInt8(40 * number), 90, UInt8(cover * 255))
        }
    }

    private static func source(isMoving: Bool) throws -> SourceBytes {
        guard isMoving else { return SourceBytes(try PNGEncoder.encode(art(at: 0))) }
        let frames = (0..<4).map { number in
            let picture = art(at: number)
            let (width, height) = (picture.size.width, picture.size.height)
            var pixels: [SIMD4<UInt8>] = []
            for y in 0..<height { for x in 0..<width { pixels.append(picture[x, y]) } }
            return TestAPNG.Frame(width: width, height: height, pixels: pixels)
        }
        return SourceBytes(TestAPNG(width: 200, height: 150, frames: frames).bytes)
    }

    private static func file(_ bytes: [UInt8]) -> WatermarkFile {
        var file = WatermarkFile(path: "mark")
        file.content = FileContent(
            bytes: bytes, hash: ContentHash(rawValue: String(bytes.hashValue)))
        return file
    }

    /// A red plate with a white bar.
    private static func logo() throws -> Watermark {
        let picture = PixelBuffer.drawn(PixelSize(width: 120, height: 60)) { x, y in
            20..<100 ~= x && 24..<36 ~= y ? SIMD4(255, 255, 255, 255) : SIMD4(220, 30, 30, 220)
        }
        var mark = Watermark(id: "logo", .image(file(try PNGEncoder.encode(picture))))
        mark.width = 0.4
        mark.offset = .init(x: -0.05, y: -0.05)
        return mark
    }

    /// A quarter that goes round.
    private static func spinner() throws -> Watermark {
        let size = PixelSize(width: 40, height: 40)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for number in 0..<4 {
            let picture = PixelBuffer.drawn(size) { x, y in
                let quarter = (x < 20 ? 0 : 1) ^ (y < 20 ? 0 : 3)
                return quarter == number ? SIMD4(0, 120, 0, 255) : .zero
            }
            try encoder.add(frame: picture, durationMilliseconds: 100)
        }
        let bytes = try #require(try encoder.finish())
        var mark = Watermark(id: "spinner", .image(file(bytes)))
        (mark.width, mark.anchor) = (0.5, .init(x: 0, y: 0))
        return mark
    }

    // MARK: Comparison

    /// The sticker before it is encoded; of an animation, four frames side by side.
    private func drawn(_ golden: Golden) throws -> PixelBuffer {
        var settings = StickerSettings()
        try golden.change(&settings)
        var target = try #require(Target.builtIn["whatsapp"])
        target.canvas = TargetCanvas(width: Self.side, height: Self.side)
        target.name = "golden"
        let run = PipelineRun(
            recipe: Recipe(settings: settings, targets: [target]), limits: DecodeLimits())
        let picture = try run.open(try Self.source(isMoving: golden.isMoving))
        let artwork = try run.draw(picture, on: target.canvas)
        let marks = run.recipe.wearing(moves: picture.moves).marks(of: target)
        let shown = try run.mark(artwork, with: marks, for: target)
        let canvases: [Canvas]
        switch shown {
        case .still(let canvas): canvases = [canvas]
        case .moving(let frames, let timeline):
            #expect(timeline.frames.count == 4)
            canvases = try timeline.frames.map { try frames.canvas($0.source) }
        }
        return PixelBuffer.drawn(
            PixelSize(width: Self.side * canvases.count, height: Self.side)
        ) { x, y in canvases[x / Self.side].pixels[x % Self.side, y] }
    }

    private func known(_ path: String) throws -> PixelBuffer {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let decoder = try PNGDecoder(SourceBytes(bytes), limits: DecodeLimits())
        let size = decoder.header.size
        var pixels: [UInt8] = []
        try decoder.decode(size: size) { pixels += Array($0.prefix(size.width * 4)) }
        return PixelBuffer.drawn(size) { x, y in
            let place = (y * size.width + x) * 4
            return SIMD4(pixels[place], pixels[place + 1], pixels[place + 2], pixels[place + 3])
        }
    }

    @Test(arguments: goldens)
    func looksAsItDid(golden: Golden) throws {
        let path = Repository.path("\(Self.folder)/\(golden.name).png")
        let drawn = try drawn(golden)
        if ProcessInfo.processInfo.environment["STICKERD_WRITE_GOLDEN"] == "1" {
            try Data(try PNGEncoder.encode(drawn)).write(to: URL(filePath: path))
        }
        let known = try known(path)
        try #require(drawn.size == known.size)
        // Other machines may round otherwise.
        #expect(drawn.largestDifference(from: known) <= 2)
    }
}
