import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDrawing

// One at a time, as in a worker: Cairo keeps fonts for a whole process, and has been seen to fail when several threads draw
// with them.
/// Texts, judged by where and in which colours they are.
@Suite(.needsFonts, .serialized)
struct TextDrawingTests {
    private func drawing() throws -> TextDrawing {
        TextDrawing(fonts: try FontFolder(try #require(TestFonts.path)))
    }

    private func draw(
        _ words: String, scale: Double = 2, _ change: (inout MarkText) -> Void = { _ in }
    ) throws -> PixelBuffer {
        var text = MarkText(words)
        change(&text)
        let drawing = try drawing()
        return try withExtendedLifetime(drawing) {
            try drawing.layout(text, scale).draw().takePixels()
        }
    }

    private func fault(_ words: String, font: String = "Inter") -> TextFault? {
        #expect(throws: TextFault.self) { _ = try draw(words) { $0.font = font } }
    }

    // MARK: Shapes

    /// Nothing is cut off: the same text with a border has exactly as much more on each side.
    @Test(arguments: [
        "mix 🎉 ok", "fjÅg,", "Ẳ̃̃̃̃ǵ", "🎉", "👩‍👩‍👧🇩🇪", "two\nlines", "j", "f", "'",
    ])
    func nothingIsCutOffAndNothingIsAround(words: String) throws {
        for font in ["Inter", "Inter Black Italic"] {
            let plain = try draw(words) { $0.font = font }
            let bordered = try draw(words) { ($0.font, $0.strokePixels) = (font, 4) }

            let edges = plain.edges
            #expect(edges.allSatisfy { $0 > 0 }, "transparent rows or columns around \(words)")
            #expect(bordered.size == plain.size.grown(by: 8))
        }
    }

    /// Where the font ends is not where a picture ends: 300 pixels are enough to compare.
    @Test func sizeFollowsTheScale() throws {
        let one = try draw("fjord", scale: 4)
        let two = try draw("fjord", scale: 8)

        #expect(abs(2 * one.size.width - two.size.width) <= 4)
        #expect(abs(2 * one.size.height - two.size.height) <= 4)
        let large = try draw("fjord", scale: 4) { $0.size = 96 }
        #expect(large.size == two.size)
    }

    /// The em of Inter is 2048 units, and an H has 1490 of them.
    @Test func sizeIsThatOfTheFont() throws {
        let letter = try draw("H", scale: 1) { ($0.font, $0.size) = ("Inter", 200) }

        #expect(abs(letter.size.height - 200 * 1490 / 2048) <= 2, "\(letter.size)")
    }

    @Test func fatterFontsAreWiderAndDarker() throws {
        var last = (width: 0, ink: 0)
        for style in ["", " Medium", " SemiBold", " Bold", " ExtraBold", " Black"] {
            let drawn = try draw("minimum") { $0.font = "Inter" + style }
            let (width, ink) = (drawn.size.width, drawn.ink)
            #expect(width > last.width && ink > last.ink, "Inter\(style)")
            last = (width, ink)
        }
    }

    @Test func italicsLean() throws {
        let upright = try draw("l")
        let italic = try draw("l") { $0.font = "Inter Bold Italic" }

        #expect(italic.size.width > upright.size.width + 5)
    }

    @Test func linesAreCentred() throws {
        let drawn = try draw("i\nmmmm\ni")

        // The bars of both short lines are in the middle, and nothing else of their rows.
        for y in [drawn.size.height / 12, drawn.size.height - 2] {
            let found = drawn.columns(inRow: y)
            let columns = try #require(found)
            let middle = Double(columns.lowerBound + columns.upperBound) / 2
            #expect(abs(middle - Double(drawn.size.width) / 2) <= 3, "\(columns) in row \(y)")
        }
    }

    // MARK: Colours

    @Test func lettersHaveTheirColorAlsoAtTheirEdges() throws {
        let drawn = try draw("Red & co") { $0.color = SIMD4(200, 30, 77, 255) }

        let (colors, alphas) = (drawn.colors, drawn.alphas)
        #expect(colors == [SIMD3(200, 30, 77)])
        #expect(alphas.count > 50)
    }

    @Test func emojiHaveTheirOwnColorsBesideLetters() throws {
        let colors = try draw("mix 🎉 ok") { $0.color = SIMD4(0, 0, 255, 255) }.colors

        #expect(colors.contains(SIMD3(0, 0, 255)))
        // Yellow, red and pink.
        #expect(colors.contains { $0.x > 220 && $0.y > 160 && $0.z < 80 })
        #expect(colors.contains { $0.x > 200 && $0.y < 100 && $0.z < 100 })
        #expect(colors.contains { $0.x > 220 && $0.y < 170 && $0.z > 120 })
    }

    /// Their font has pictures of 109 pixels alone; `names.conf` has the rule that scales them.
    @Test(arguments: [20.0, 60, 200])
    func emojiAreAsLargeAsTheirLetters(size: Double) throws {
        var text = MarkText("🎉")
        text.size = size

        let drawn = try drawing().draw(text)

        let width = Double(drawn.pixels.size.width) / drawn.scale / size
        #expect((0.9...1.6).contains(width), "\(width) times the size of the letters")
    }

    @Test func alphaCountsForAllOfIt() throws {
        let change = { (text: inout MarkText) in
            (text.strokePixels, text.strokeColor) = (3, SIMD3(9, 8, 7))
        }
        let opaque = try draw("a🎉", change)
        let half = try draw("a🎉") {
            change(&$0)
            $0.color.w = 128
        }

        let alphas = [opaque.alphas.max(), half.alphas.max()]
        let isSubset = half.colors.isSubset(of: opaque.colors)
        #expect(alphas == [255, 128] && isSubset)
    }

    @Test func borderSurroundsTheShape() throws {
        let drawn = try draw("🎉 H") {
            ($0.color, $0.strokePixels) = (SIMD4(255, 0, 0, 255), 5)
            $0.strokeColor = SIMD3(0, 0, 255)
        }

        // Whatever lies at an edge is the border: 10 pixels at scale 2.
        for depth in 0..<9 {
            let ring = drawn.ring(depth)
            #expect(ring.isSubset(of: [SIMD3(0, 0, 255)]), "\(depth)")
        }
        let (colors, alphas) = (drawn.colors, drawn.alphas)
        #expect(colors.contains(SIMD3(255, 0, 0)))
        #expect(alphas.contains { 1..<255 ~= $0 })
    }

    // MARK: Limits

    @Test func ordinaryTextIsDrawnAtTwiceItsSize() throws {
        let result = try drawing().draw(MarkText("@studio"))

        #expect(result.scale == 2)
    }

    @Test(
        arguments: [
            (String(repeating: "W", count: 200), 512.0),
            (String(repeating: "WWWW\n", count: 7), 300.0), ("W", 512.0), ("🎉🎉", 512.0),
        ] as [(String, Double)])
    func largeTextIsDrawnSmaller(words: String, height: Double) throws {
        var text = MarkText(words)
        (text.size, text.strokePixels) = (height, 32)
        let result = try drawing().draw(text)
        let (scale, size) = (result.scale, result.pixels.size)

        #expect(DrawnText.allows(size))
        #expect(scale < 2 || words.count < 3)
        // Not smaller than it has to be.
        #expect(
            scale == 2 || size.longSide > DrawnText.sideMax * 9 / 10
                || size.pixelCount > DrawnText.pixelsMax * 8 / 10, "\(size)")
    }

    @Test func sameTextGivesTheSamePixels() throws {
        var text = MarkText("mix 🎉 ok\nfjord")
        text.strokePixels = 2
        let first = try drawing().draw(text)

        for _ in 0..<50 {
            let again = try drawing().draw(text)
            let isSame = again.pixels.isSame(as: first.pixels)
            #expect(isSame)
        }
    }

    // MARK: Faults

    @Test func missingFontIsToldWithThoseThatAreThere() throws {
        let error = try #require(fault("hi", font: "Comic Sans Bold"))

        #expect(error.code == .unknownFamily)
        #expect(error.detail == "there is no font \"Comic Sans\"")
        #expect(error.remedy.hasPrefix("use one of: Inter, Noto Color Emoji; or add a font"))
        for font in ["Sans", "Serif", "Monospace", "Bold", "Inter, Arial"] {
            #expect(fault("hi", font: font)?.code == .unknownFamily, "\(font)")
        }
    }

    @Test func missingStyleIsToldWithThoseThatAreThere() throws {
        let error = try #require(fault("hi", font: "Inter Thin"))

        #expect(error.code == .unknownStyle)
        #expect(error.detail == "there is no font \"Inter Thin\"")
        let names = error.remedy.dropFirst("use one of: ".count).prefix { $0 != ";" }
            .split(separator: ", ").map(String.init)
        #expect(names.count == 12 && names.contains("Inter Semi-Bold Italic"), "\(names)")
        for name in names {
            #expect(throws: Never.self) { _ = try draw("hi") { $0.font = name } }
        }
    }

    @Test func fontIsFoundInAnyCaseAndSpelling() throws {
        let names = [
            "inter BOLD", "Inter Extra Bold Italic", "Inter SemiBold", "Inter  Semi-bold ", "Inter",
            "Noto Color Emoji", "Inter, Noto Color Emoji",
        ]
        for name in names {
            #expect(throws: Never.self) { _ = try draw("hi") { $0.font = name } }
        }
    }

    /// Private and unassigned ones, which no font has.
    @Test func missingCharactersAreNamed() throws {
        let boxes = try drawing().draw(MarkText("hi \u{10FFFD}\u{378}\u{FE0F} \u{10FFFD}"))
        let family = try drawing().draw(MarkText("mix 🎉 ok 👩‍👩‍👧🇩🇪 1️⃣ ❤️\u{200B}"))

        let (unknown, none) = (boxes.unknown, family.unknown)
        #expect(unknown?.text == "\u{378}\u{10FFFD}")
        #expect(none == nil)
    }

    @Test func sizeDoesNotStandInTheFont() {
        #expect(fault("hi", font: "Inter Bold 12")?.code == .malformed)
    }

    @Test(.timeLimit(.minutes(1)))
    func textThatShowsNothingIsAFaultAtEveryScale() throws {
        for text in ["\u{200B}", "\u{AD}", "\u{200D}"] {
            #expect(throws: TextFault.self) { _ = try drawing().draw(MarkText(text)) }
        }
    }

    @Test func textThatCannotBeSeenIsAFault() {
        #expect(fault("\u{200B}")?.code == .invisible)
        #expect(fault("  ")?.code == .malformed)
        #expect(fault("a\u{7}")?.code == .malformed)
    }

    @Test func markupIsTextLikeAnyOther() throws {
        let marked = try draw("<b>a</b>")
        let plain = try draw("a")

        #expect(marked.size.width > 3 * plain.size.width)
    }

    @Test func folderWithoutFontsIsTold() throws {
        let folder = try TemporaryFolder()

        let error = #expect(throws: TextFault.self) { try FontFolder(folder.path("none")) }
        #expect(error?.code == .noFonts)
    }
}

extension PixelBuffer {
    /// Visible pixels in the first and last row, and in the first and last column.
    fileprivate var edges: [Int] {
        let (right, bottom) = (size.width - 1, size.height - 1)
        return [
            (0...right).count { self[$0, 0].w > 0 }, (0...right).count { self[$0, bottom].w > 0 },
            (0...bottom).count { self[0, $0].w > 0 }, (0...bottom).count { self[right, $0].w > 0 },
        ]
    }

    /// All alpha together.
    fileprivate var ink: Int {
        var sum = 0
        for y in 0..<size.height { for x in 0..<size.width { sum += Int(self[x, y].w) } }
        return sum
    }

    /// The colours of all that can be seen.
    fileprivate var colors: Set<SIMD3<UInt8>> {
        var colors: Set<SIMD3<UInt8>> = []
        for y in 0..<size.height {
            for x in 0..<size.width where self[x, y].w > 0 { colors.insert(self[x, y].rgb) }
        }
        return colors
    }

    fileprivate var alphas: Set<UInt8> {
        var alphas: Set<UInt8> = []
        for y in 0..<size.height { for x in 0..<size.width { alphas.insert(self[x, y].w) } }
        return alphas
    }

    /// The colours that can be seen at `depth` pixels from the edges.
    fileprivate func ring(_ depth: Int) -> Set<SIMD3<UInt8>> {
        var colors: Set<SIMD3<UInt8>> = []
        for y in depth..<size.height - depth {
            for x in depth..<size.width - depth
            where x == depth || y == depth || x == size.width - 1 - depth
                || y == size.height - 1 - depth
            {
                if self[x, y].w > 0 { colors.insert(self[x, y].rgb) }
            }
        }
        return colors
    }

    /// From the first to the last visible pixel of a row.
    fileprivate func columns(inRow y: Int) -> Range<Int>? {
        let seen = (0..<size.width).filter { self[$0, y].w > 0 }
        return seen.first.flatMap { first in seen.last.map { first..<$0 + 1 } }
    }

    fileprivate borrowing func isSame(as other: borrowing PixelBuffer) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { own in
            other.withUnsafeBytes { own.elementsEqual($0) }
        }
    }
}

extension SIMD4<UInt8> {
    fileprivate var rgb: SIMD3<UInt8> { SIMD3(x, y, z) }
}
