import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDrawing

/// Drawings as they are rewritten for librsvg.
struct SVGRewritingTests {
    private func rewritten(_ text: String) throws -> String {
        let source = try SVGSource(
            SourceBytes(Array(text.utf8)), shared: SVGShared(limits: DecodeLimits()))
        return source.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func drawing(_ style: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><style>\(style)</style>"
            + "<g><rect width='9' height='9'/></g></svg>"
    }

    /// A confined worker cannot look types up.
    @Test(arguments: ["", "image/jpg", "text/plain"])
    func pictureIsNamedByItsBytes(type: String) throws {
        let pixels = PixelBuffer(size: PixelSize(width: 2, height: 2))
        let file = Base64.encoded(try PNGEncoder.encode(pixels))
        let text = try rewritten(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
                + "<image width='9' height='9' href='data:\(type);base64,\(file)'/></svg>")

        #expect(text.contains("data:image/png;base64,\(file)"))
    }

    /// P3 grey-brown, by the matrices of CSS Color 4.
    @Test func coloursOfAnEmbeddedPictureAreThoseOfItsCICP() throws {
        let plain = try PNGEncoder.encode(
            .drawn(PixelSize(width: 2, height: 2)) { _, _ in SIMD4(150, 120, 90, 255) })
        let file = TestPNG.inserting(TestPNG.chunk("cICP", [12, 13, 0, 1]), into: plain)
        let text = try rewritten(picture("image/png", file))

        let address = text.split(separator: "\"").first { $0.hasPrefix("data:") }
        let shown = try #require(address.flatMap { DataAddress(String($0)) })
        var first: [UInt8] = []
        let decoder = try PNGDecoder(SourceBytes(shown.bytes), limits: DecodeLimits())
        try decoder.decode(size: decoder.header.size) { first = Array($0.prefix(4)) }
        #expect(first == [156, 119, 85, 255])
        #expect(decoder.header.color == .sRGB)
    }

    private func picture(_ type: String, _ bytes: [UInt8]) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><image width='9' height='9' "
            + "href='\(DataAddress.text(type, bytes))'/></svg>"
    }

    @Test func whatAnEmbeddedDrawingLosesIsNamed() throws {
        let inner =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><script/>"
            + "<text font-family='Nowhere Sans'>a</text><image href='data:,x%00'/></svg>"
        let outer = SourceBytes(Array(picture("image/svg+xml", Array(inner.utf8)).utf8))
        let decoder = try SVGDecoder(
            outer, limits: DecodeLimits(), fonts: try TestFonts.read())

        let warnings = decoder.header.warnings.map(\.detail).joined()
        #expect(warnings.contains("scripts") && warnings.contains("unknown type"))
        #expect(warnings.contains("Nowhere Sans"))
    }

    /// The letters of texts that are drawn, and of no others.
    @Test(arguments: [
        ("<text>a<tspan>b</tspan><title>c</title></text><title>d</title>", "ab"),
        ("<text display='none'>a</text><g style='display:none'><text>b</text></g>", ""),
        ("<style>.a{display:none}</style><text>a<tspan class='a'>b</tspan></text>", "a"),
        ("<g visibility='hidden'><text>a<tspan visibility='visible'>b</tspan></text></g>", "b"),
        ("<defs><text>a</text><text id='b'>b</text></defs><use href='#b'/>", "b"),
        (
            "<symbol id='a'><text>a</text></symbol><symbol><text>b</text></symbol>"
                + "<use href='#a'/>", "a"
        ),
        (
            "<mask id='m'><text>a</text></mask><mask id='n'><text>b</text></mask>"
                + "<rect mask='url(#m)' width='9' height='9'/>", "a"
        ),
        (
            "<switch><text systemLanguage='fr'>a</text><text systemLanguage='en'>b</text>"
                + "<text>c</text></switch>", "b"
        ),
    ])
    func textsThatAreDrawnAreKnown(content: String, letters: String) throws {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\(content)</svg>"
        let shared = SVGShared(limits: DecodeLimits())
        _ = try SVGSource(SourceBytes(Array(drawing.utf8)), shared: shared)

        #expect(String(shared.characters.sorted()) == letters)
    }

    /// The drawing in the middle takes a million pixels, and the picture in it a few.
    @Test func picturesOfAllDrawingsHaveOneBudget() throws {
        let pixels = PixelBuffer(size: PixelSize(width: 8, height: 8))
        let file = TestPNG.inserting(
            TestPNG.chunk("cICP", [12, 13, 0, 1]), into: try PNGEncoder.encode(pixels))
        let inner = Array(picture("image/png", file).utf8)
        let outer = SourceBytes(Array(picture("image/svg+xml", inner).utf8))
        let shared = SVGShared(limits: DecodeLimits())
        shared.pixelsLeft = SVGRewriting.side * SVGRewriting.side + 63
        _ = try SVGSource(outer, shared: shared)

        #expect(shared.notes.leftOut.count == 1)
    }

    /// So that no sticker changes without need.
    @Test(arguments: [
        "rect { fill: #a06 }", "g > rect:first-child { fill: red; stroke: rgb(1, 2, 3) }",
        "#a.b, rect[width='9'] { opacity: .5; filter: url(#f) }",
        "@font-face { font-family: x; src: url(x) } rect { stroke-width: 2mm }",
    ])
    func whatIsUnderstoodStaysAsItIs(style: String) throws {
        let text = drawing(style)
        #expect(try rewritten(text) == text)
    }

    @Test(arguments: [
        ("svg { --a: #a06 } rect { fill: var(--a) }", "fill:#a06"),
        ("rect { fill: var(--a, var(--b, red)) }", "fill:red"),
        ("svg { --a: var(--b); --b: var(--a) } rect { fill: var(--a, blue) }", "fill:blue"),
        ("rect { fill: oklch(1 0 0) }", "fill:rgb(255, 255, 255)"),
        ("@media screen { rect { fill: red } }", "fill:red"),
        ("g { rect { fill: red } }", "fill:red"),
    ])
    func othersStandInTheirElements(style: String, expected: String) throws {
        let text = try rewritten(drawing(style))
        #expect(text.contains("<rect width=\"9\" height=\"9\" style=\"\(expected)\"/>"), "\(text)")
    }

    /// Only the symbol needs to be rewritten.
    @Test func colorsOfFunctionsOutliveOtherRewrites() throws {
        let text = try rewritten(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><symbol id='s'/><use href='#s'/>"
                + "<rect width='9' height='9' fill='rgb(255,0,0)'/></svg>")
        #expect(text.filter { $0 != " " }.contains("style=\"fill:rgb(255,0,0)\""), "\(text)")
    }

    /// No entity alone has too much.
    @Test(arguments: [
        ("<g>", "</g>", "elements are nested too deeply"),
        ("<feFlood/>", "", "the filters are too many"),
    ])
    func entitiesDoNotHideWhatIsTooMuch(start: String, end: String, detail: String) {
        let entities = (1...15).map { level in
            let inner = level == 1 ? "" : "&e\(level - 1);"
            let copies = end.isEmpty ? 100 : 20
            return "<!ENTITY e\(level) \"" + String(repeating: start, count: copies) + inner
                + String(repeating: end, count: copies) + "\">"
        }
        let text =
            "<!DOCTYPE svg [\(entities.joined())]>"
            + "<svg xmlns='http://www.w3.org/2000/svg'>&e15;</svg>"

        let error = #expect(throws: CodecError.self) { try rewritten(text) }
        #expect(error?.code == .tooComplex)
        #expect(error?.detail == detail)
    }

    /// Thirty times ten of the one before.
    @Test func variablesThatGrowHaveNoValue() throws {
        let levels = (1...30).map { level in
            "--a\(level):" + String(repeating: " var(--a\(level - 1))", count: 10)
        }
        let text = try rewritten(
            drawing(
                "svg { --a0: 1; \(levels.joined(separator: ";")) } rect { fill: var(--a30, red) }"))

        #expect(text.contains("fill:red") && text.count < 10_000)
    }

    @Test func selectorsThatTakeTooLongAreRefused() {
        let style = String(repeating: "x * * * * * * a { fill: var(--a) }\n", count: 4000)
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg'><style>\(style)</style>"
            + String(repeating: "<g>", count: 150) + String(repeating: "<a/>", count: 2000)
            + String(repeating: "</g>", count: 150) + "</svg>"

        let error = #expect(throws: CodecError.self) { try rewritten(text) }
        #expect(error?.code == .tooComplex && error?.limit == "20,000,000 steps")
    }

    @Test func octavesThatNobodySeesAreLeftOut() throws {
        let filter = { (octaves: String) in
            "<filter id='f'><feTurbulence baseFrequency='.1' numOctaves='\(octaves)'/></filter>"
                + "<rect width='9' height='9' filter='url(#f)'/>"
        }

        #expect(try rewritten(plain(filter("1000000000"))).contains("numOctaves=\"10\""))
        #expect(try rewritten(plain(filter("9"))) == plain(filter("9")))
    }

    private func plain(_ content: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\(content)</svg>"
    }

    /// A drawing that librsvg understands reaches it byte for byte.
    @Test(arguments: [
        "<path d='M1 1' stroke='red' stroke-width='2' stroke-linecap='round'/>",
        "<g id='item' class='gem'><rect width='9' height='9'/></g>",
    ])
    func soundDrawingStaysAsItIs(content: String) throws {
        #expect(try rewritten(plain(content)) == plain(content))
    }

    @Test func capOfAPathThatEndsWhereItBeginsIsDrawn() throws {
        let path = "<path d='M1 1h0' stroke='red' stroke-width='2' stroke-linecap='round'/>"

        #expect(try rewritten(plain(path)).contains("h0.02"))
    }

    @Test func attributeOfAnAuthorIsNoNameOfOurs() throws {
        let symbol = "<symbol id='s' data-content='x'><rect width='9' height='9'/></symbol>"
        let text = try rewritten(plain(symbol + "<use href='#s'/>"))

        #expect(!text.contains("#x") && text.contains("data-content"))
    }

    @Test func chainOfClipsEndsWithAWarning() throws {
        let clips = (0..<40).map { "<clipPath id='c\($0)' clip-path='url(#c\($0 + 1))'/>" }
        let text = plain(clips.joined() + "<rect clip-path='url(#c0)'/>")
        let shared = SVGShared(limits: DecodeLimits())
        _ = try SVGSource(SourceBytes(Array(text.utf8)), shared: shared)

        #expect(shared.notes.differing == ["more than 16 clips of one another"])
    }

    /// Nothing grows without end, and nothing fails.
    @Test func hostileDrawingsStayWithinTheirLimits() {
        let files = HostileSVG.all(picture: "/x.png", drawing: "/x.svg", server: "http://x")
        for file in files where file.bytes.count <= SVGLimits.bytesMax {
            let outline = file.bytes.withUnsafeBytes { SVGOutline($0) }
            guard outline.elements <= SVGLimits.elementsMax, outline.depth <= SVGLimits.depthMax
            else { continue }
            guard
                let source = try? SVGSource(
                    SourceBytes(file.bytes), shared: SVGShared(limits: DecodeLimits()))
            else { continue }
            let count = source.bytes.withUnsafeBytes { $0.count }
            #expect(count <= 48 << 20, "\(file.name)")
        }
    }

    @Test func everyDamageOfAStyleSheetEnds() throws {
        let text = Array(
            drawing(
                "@media (min-width: 9px) { g { & > rect:not(.a, :nth-child(2n+1)) { --a: 1px; "
                    + "fill: color-mix(in oklch, red, #00f 20%); transform: rotate(9deg) "
                    + "translate(calc(1px + 50%), var(--a)); clip-path: circle(5px at 9px) } } }"
            ).utf8)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            var damaged = text
            for _ in 0..<4 {
                let place = Int.random(in: 90..<damaged.count - 50, using: &generator)
                damaged[place] =
                    Array("(){}[];:,.#@&*\"'\\-+%/! 0e\n".utf8).randomElement(using: &generator)
                    ?? 0
            }
            #expect(try !rewritten(String(decoding: damaged, as: UTF8.self)).isEmpty)
        }
    }
}
