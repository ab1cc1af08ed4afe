import FoundationEssentials
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// The contents of a contact sheet.
struct SheetTests {
    private static let tile = 144
    private static let gap = 24
    private static let grounds = ChatGround.allCases.map { SIMD4($0.color, 255) }

    private func cell(
        _ name: String, _ file: [UInt8], moves: Bool = false, _ marks: [SheetPage.Mark] = []
    ) -> (cell: SheetPage.Cell, file: [UInt8]) {
        (
            SheetPage.Cell(
                identifier: StickerID(rawValue: name), bytes: file.count, moves: moves, marks: marks
            ),
            file
        )
    }

    private func drawn(
        _ cells: [(cell: SheetPage.Cell, file: [UInt8])], _ letters: [String: DrawnText] = [:]
    ) throws -> (sheet: Canvas, faults: [SheetPage.Fault]) {
        let drawing = SheetDrawing(
            SheetPage(cells: cells.map(\.cell)), letters, readers: .common,
            limits: DecodeLimits())
        let (png, faults) = try drawing.draw(SourceBytes(cells.flatMap(\.file)))
        let picture = try PNGDecoder(SourceBytes(png), limits: DecodeLimits())
        let rows = rowResampler(
            from: picture.header.size, to: picture.header.size, layout: .rgba8, hasAlpha: true,
            filter: .nearest)
        try picture.decode(size: picture.header.size) { (row) throws(CodecError) in
            rows.consume(row)
        }
        return (Canvas(rows.finish()), faults)
    }

    /// A red square with much room around it.
    private func square() throws -> [UInt8] {
        try PNGEncoder.encode(
            .drawn(PixelSize(width: 100, height: 100)) { x, y in
                30..<70 ~= x && 30..<70 ~= y ? SIMD4(255, 0, 0, 255) : .zero
            })
    }

    /// First nothing but a point, then a green square.
    private func animation() throws -> [UInt8] {
        let size = PixelSize(width: 100, height: 100)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for side in [2, 80] {
            let frame = PixelBuffer.drawn(size) { x, y in
                x < side && y < side ? SIMD4(0, 255, 0, 255) : .zero
            }
            try encoder.add(frame: frame, durationMilliseconds: 500)
        }
        return try #require(try encoder.finish())
    }

    private func count(
        _ color: SIMD4<UInt8>, in sheet: Canvas, x: Range<Int>, y: Range<Int>
    ) -> Int {
        y.reduce(0) { sum, y in sum + x.count { sheet.pixels[$0, y] == color } }
    }

    @Test func stickerIsShownOnEveryGround() throws {
        let letters = ["red_square": block(width: 90, height: 10, rise: 8)]

        let (sheet, faults) = try drawn([cell("red_square", try square())], letters)

        #expect(faults.isEmpty)
        for (index, ground) in Self.grounds.enumerated() {
            let left = Self.gap + index * Self.tile
            #expect(sheet.pixels[left + 2, Self.gap + 2] == ground)
            #expect(sheet.pixels[left + 72, Self.gap + 72] == SIMD4(255, 0, 0, 255))
        }
        let baseline = Self.gap + Self.tile + 22
        let ink = SIMD4<UInt8>(0x20, 0x20, 0x20, 255)
        let all = 0..<sheet.pixels.size.width
        #expect(count(ink, in: sheet, x: all, y: baseline - 8..<baseline + 2) == 900)
        #expect(count(ink, in: sheet, x: all, y: 0..<sheet.pixels.size.height) == 900)
    }

    @Test func laterFramesAreShownBelowWhatMoves() throws {
        let (sheet, _) = try drawn([
            cell("growing", try animation(), moves: true), cell("still", try square()),
        ])

        let strip = Self.gap + Self.tile
        let green = SIMD4<UInt8>(0, 255, 0, 255)
        #expect(sheet.pixels[Self.gap + 72, Self.gap + 72] == Self.grounds[0])
        // Four small frames of the first half, and four of the second.
        for index in 0..<8 {
            let middle = sheet.pixels[Self.gap + index * 72 + 20, strip + 20]
            #expect((middle == green) == (index >= 4))
        }
        #expect(sheet.pixels.size.width == Self.gap + 2 * (4 * Self.tile + Self.gap))
    }

    @Test func marksFrameWhatTheyAreAbout() throws {
        let (sheet, _) = try drawn([
            cell(
                "vanishing", try square(),
                [.init("vanishes-on-dark", .dark), .init("margin", .edge)])
        ])

        let (alarm, advice) = (SIMD4<UInt8>(0xC8, 0, 0, 255), SIMD4<UInt8>(0x9A, 0x5A, 0, 255))
        let middle = Self.gap + 72
        #expect(sheet.pixels[Self.gap + 2 * Self.tile - 4, middle] == alarm)
        #expect(sheet.pixels[Self.gap + 4 * Self.tile + 3, middle] == alarm)
        #expect(sheet.pixels[Self.gap - 2, middle] == advice)
        #expect(sheet.pixels[Self.gap - 3, middle] != advice)
    }

    @Test func fileThatCannotBeReadIsNamedAndTheOthersAreDrawn() throws {
        let (sheet, faults) = try drawn([
            cell("none", []), cell("cut", Array(try square().prefix(60))),
            cell("red_square", try square()),
        ])

        #expect(faults.map(\.identifier.rawValue) == ["none", "cut"])
        #expect(faults.allSatisfy { !$0.detail.isEmpty })
        let third = Self.gap + 2 * (4 * Self.tile + Self.gap)
        #expect(sheet.pixels[third + 72, Self.gap + 72] == SIMD4(255, 0, 0, 255))
    }

    @Test func longWordsAreNarrowedAndMarksFollowOneAnother() throws {
        let letters = [
            "long": block(width: 900, height: 10, rise: 8),
            "margin": block(width: 40, height: 10, rise: 8),
            "vanishes-on-dark": block(width: 60, height: 10, rise: 8),
        ]
        let marks = [SheetPage.Mark("vanishes-on-dark", .dark), .init("margin", .edge)]

        let (sheet, _) = try drawn([cell("long", try square(), marks)], letters)

        let below = Self.gap + Self.tile + 5
        let width = 4 * Self.tile
        let ink = SIMD4<UInt8>(0x20, 0x20, 0x20, 255)
        #expect(
            count(ink, in: sheet, x: 0..<width + 2 * Self.gap, y: below..<below + 20) == width * 10)
        let (alarm, advice) = (SIMD4<UInt8>(0xC8, 0, 0, 255), SIMD4<UInt8>(0x9A, 0x5A, 0, 255))
        let second = below + 20..<below + 40
        #expect(count(alarm, in: sheet, x: Self.gap..<Self.gap + 60, y: second) == 600)
        #expect(count(advice, in: sheet, x: Self.gap + 84..<Self.gap + 124, y: second) == 400)
    }

    @Test func wordsBeyondThePageAreCut() throws {
        let letters = ["tall": block(width: 20, height: 400, rise: 300)]

        #expect(try drawn([cell("tall", try square())], letters).faults.isEmpty)
    }

    private func block(width: Int, height: Int, rise: Int) -> DrawnText {
        let size = PixelSize(width: width, height: height)
        let black: [UInt8] = [0, 0, 0, 255]
        let rows = Array(repeating: black, count: size.pixelCount).flatMap(\.self)
        return DrawnText(size: size, rows: Data(rows), scale: 2, rise: rise)
    }
}
