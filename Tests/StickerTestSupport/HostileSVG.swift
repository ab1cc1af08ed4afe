/// Drawings that ask for what they may not have, or for more than anyone has.
public enum HostileSVG {
    /// A file.
    public struct File: Sendable {
        /// The hostile part.
        public let name: String
        /// Its contents.
        public let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }
    }

    private static let head =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        + "width=\"512\" height=\"512\" viewBox=\"0 0 512 512\">"
        + "<circle cx=\"100\" cy=\"100\" r=\"80\" fill=\"#00f\"/>"

    private static func drawing(_ content: String, prolog: String = "") -> String {
        "\(prolog)\(head)\(content)</svg>"
    }

    private static func file(_ name: String, _ content: String, prolog: String = "") -> File {
        File(name, drawing(content, prolog: prolog))
    }

    /// All of them. What they show of outside is red: a PNG, and an SVG whose rectangle is called `r`, both by their
    /// absolute paths, and a `server` such as `http://127.0.0.1:1234`.
    public static func all(picture: String, drawing: String, server: String) -> [File] {
        outside(picture: picture, drawing: drawing, server: server) + huge + small
    }

    /// Those of which none takes long.
    public static let small = circular + faulty

    // MARK: What is outside

    private static func outside(picture: String, drawing: String, server: String) -> [File] {
        let places = [
            ("path", picture), ("file", "file://\(picture)"),
            ("local", "file://localhost\(picture)"),
            ("up", String(repeating: "../", count: 30) + picture.dropFirst()),
            ("http", "\(server)/red.png"), ("relative-http", "//127.0.0.1/red.png"),
            ("resource", "resource:///org/gtk/red.png"), ("upper", "FILE://\(picture)"),
            ("space", " file://\(picture)"), ("proc", "/proc/self/fd/0"),
            ("fd", "file:///dev/fd/0"),
        ]
        let pictures = places.flatMap { name, place in
            [
                file(
                    "image-\(name)",
                    "<image x=\"0\" y=\"0\" width=\"512\" height=\"512\" xlink:href=\"\(place)\"/>"),
                file(
                    "feimage-\(name)",
                    "<filter id=\"f\"><feImage href=\"\(place)\"/></filter>"
                        + "<rect width=\"512\" height=\"512\" filter=\"url(#f)\"/>"),
            ]
        }
        let parts = [("file", "file://\(drawing)"), ("path", drawing), ("http", "\(server)/r.svg")]
        let references = parts.flatMap { name, place in
            [
                file("use-\(name)", "<use href=\"\(place)#r\"/>"),
                file(
                    "image-svg-\(name)", "<image href=\"\(place)\" width=\"512\" height=\"512\"/>"),
                file(
                    "fill-\(name)",
                    "<rect width=\"512\" height=\"512\" fill=\"url(\(place)#r)\"/>"),
                file(
                    "mask-\(name)",
                    "<rect width=\"512\" height=\"512\" mask=\"url(\(place)#r)\"/>"),
                file(
                    "filter-\(name)",
                    "<rect width=\"512\" height=\"512\" filter=\"url(\(place)#r)\"/>"),
                file(
                    "gradient-\(name)",
                    "<linearGradient id=\"g\" href=\"\(place)#r\"/>"
                        + "<rect width=\"512\" height=\"512\" fill=\"url(#g)\"/>"),
                file("import-\(name)", "<style>@import url(\"\(place)\");</style>"),
                file(
                    "font-\(name)",
                    "<style>@font-face { font-family: x; src: url(\"\(place)\"); }</style>"
                        + "<text y=\"90\" font-family=\"x\">x</text>"),
                file("cursor-\(name)", "<g cursor=\"url(\(place))\"><circle r=\"9\"/></g>"),
                file(
                    "stylesheet-\(name)", "<g/>",
                    prolog: "<?xml-stylesheet href=\"\(place)\" type=\"text/css\"?>"),
                file(
                    "xinclude-\(name)",
                    "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"\(place)\"/>"),
                file(
                    "xinclude-text-\(name)",
                    "<text y=\"90\"><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" "
                        + "href=\"\(place)\" parse=\"text\"/></text>"),
                file(
                    "entity-\(name)", "<text y=\"90\">&x;</text>",
                    prolog: "<!DOCTYPE svg [<!ENTITY x SYSTEM \"\(place)\">]>"),
                file(
                    "parameter-\(name)", "<text y=\"90\">&x;</text>",
                    prolog: "<!DOCTYPE svg [<!ENTITY % p SYSTEM \"\(place)\"> %p;]>"),
                file(
                    "dtd-\(name)", "<g/>", prolog: "<!DOCTYPE svg SYSTEM \"\(place)\">"),
            ]
        }
        let code = [
            file("script", "<script>while (true) {}</script>"),
            file("script-address", "<script href=\"\(server)/x.js\"/>"),
            file("onload", "<g onload=\"while (true) {}\"/>"),
            file(
                "page",
                "<foreignObject width=\"512\" height=\"512\"><iframe xmlns="
                    + "\"http://www.w3.org/1999/xhtml\" src=\"\(server)\"/></foreignObject>"),
            file("link", "<a href=\"javascript:x()\"><circle r=\"9\"/></a>"),
        ]
        return pictures + references + code
    }

    // MARK: What refers to itself

    private static let circular: [File] = [
        file("use-itself", "<g id=\"a\"><use href=\"#a\"/></g>"),
        file(
            "use-each-other", "<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g>"
        ),
        file("symbol-itself", "<symbol id=\"a\"><use href=\"#a\"/></symbol><use href=\"#a\"/>"),
        file(
            "pattern-itself",
            "<pattern id=\"a\" width=\"9\" height=\"9\"><rect width=\"9\" height=\"9\" "
                + "fill=\"url(#a)\"/></pattern><rect width=\"512\" height=\"512\" fill=\"url(#a)\"/>"
        ),
        file(
            "pattern-parent", "<pattern id=\"a\" href=\"#a\"/><rect width=\"9\" fill=\"url(#a)\"/>"),
        file(
            "mask-itself",
            "<mask id=\"a\"><rect width=\"512\" height=\"512\" mask=\"url(#a)\"/></mask>"
                + "<rect width=\"512\" height=\"512\" mask=\"url(#a)\"/>"),
        file(
            "clip-itself",
            "<clipPath id=\"a\" clip-path=\"url(#a)\"><circle r=\"9\"/></clipPath>"
                + "<rect width=\"512\" height=\"512\" clip-path=\"url(#a)\"/>"),
        file(
            "gradient-itself",
            "<linearGradient id=\"a\" href=\"#b\"/><linearGradient id=\"b\" href=\"#a\"/>"
                + "<rect width=\"512\" height=\"512\" fill=\"url(#a)\"/>"),
        file(
            "marker-itself",
            "<marker id=\"a\"><path d=\"M0 0L9 9\" marker-end=\"url(#a)\"/></marker>"
                + "<path d=\"M0 0L9 9\" stroke=\"#000\" marker-end=\"url(#a)\"/>"),
        file(
            "filter-itself",
            "<filter id=\"a\"><feImage href=\"#b\"/></filter>"
                + "<rect id=\"b\" width=\"512\" height=\"512\" filter=\"url(#a)\"/>"),
        file("text-itself", "<text id=\"a\"><tref href=\"#a\"/></text>"),
        file(
            "entity-itself", "<text>&a;</text>",
            prolog: "<!DOCTYPE svg [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]>"),
        file("image-itself", "<image href=\"#\" width=\"512\" height=\"512\"/>"),
    ]

    // MARK: What is too much

    /// Rectangles that each need a pattern of their own, as it is measured in parts of them.
    private static func turned(_ count: Int, pattern: String) -> String {
        "<pattern id=\"p\" width=\"1\" height=\"1\">\(pattern)</pattern>"
            + "<g fill=\"url(#p)\" transform=\"rotate(9)\">"
            + (0..<count).map { "<rect x=\"\($0)\" width=\"1\" height=\"1\"/>" }.joined() + "</g>"
    }

    private static let huge: [File] = [
        file("use-bomb", bomb("<circle r=\"9\"/>") { "<use href=\"#\($0)\"/>" }),
        file(
            "pattern-bomb",
            "<pattern id=\"p\" width=\".00001\" height=\".00001\" patternUnits=\"userSpaceOnUse\">"
                + "<circle r=\"1\"/></pattern><rect width=\"512\" height=\"512\" fill=\"url(#p)\"/>"
        ),
        file(
            "pattern-large",
            "<pattern id=\"p\" width=\"1e9\" height=\"1e9\" patternUnits=\"userSpaceOnUse\">"
                + "<rect width=\"1e9\" height=\"1e9\"/></pattern>"
                + "<rect width=\"512\" height=\"512\" fill=\"url(#p)\"/>"),
        file(
            "laughs", "<text>&l9;</text>",
            prolog: "<!DOCTYPE svg [<!ENTITY l0 \"ha\">"
                + (1...9).map { level in
                    "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
                }.joined() + "]>"),
        file(
            "quadratic-entity", "<text>\(String(repeating: "&a;", count: 50_000))</text>",
            prolog: "<!DOCTYPE svg [<!ENTITY a \"\(String(repeating: "a", count: 50_000))\">]>"),
        file(
            "clips-of-clips",
            (0..<20_000).map { "<clipPath id=\"c\($0)\" clip-path=\"url(#c\($0 + 1))\"/>" }
                .joined() + "<circle r=\"9\" clip-path=\"url(#c0)\"/>"),
        file(
            "spaces-in-a-turn",
            "<circle r=\"9\" transform=\"rotate\(String(repeating: " ", count: 2_000_000))9\"/>"),
        file(
            "turned-patterns",
            turned(20_000, pattern: String(repeating: "<g/>", count: 20_000))),
        file(
            "turned-long-paths",
            turned(2000, pattern: "<path d=\"M0 0\(String(repeating: "h1", count: 500_000))\"/>")),
        file("deep", nested(100_000, "g")), file("deep-within", nested(190, "g opacity=\".9\"")),
        file("deep-text", "<text>\(nested(5000, "tspan"))</text>"),
        file("blur", filtered("<feGaussianBlur stdDeviation=\"1e9\"/>")),
        file("blur-fine", filtered("<feGaussianBlur stdDeviation=\"200 0.1\"/>", count: 300)),
        file("filters", filtered("<feGaussianBlur stdDeviation=\"30\"/>", count: 5000)),
        file(
            "turbulence",
            filtered("<feTurbulence baseFrequency=\"0.9\" numOctaves=\"1000000000\"/>")),
        file(
            "turbulences",
            filtered("<feTurbulence baseFrequency=\"0.9\" numOctaves=\"100\"/>", count: 500)),
        file("morphology", filtered("<feMorphology operator=\"dilate\" radius=\"100000\"/>")),
        file(
            "morphologies", filtered("<feMorphology operator=\"erode\" radius=\"90\"/>", count: 200)
        ),
        file(
            "convolution",
            filtered(
                "<feConvolveMatrix order=\"1000\" kernelMatrix=\""
                    + String(repeating: "1 ", count: 1_000_000) + "\"/>")),
        file(
            "lights",
            filtered(
                "<feSpecularLighting surfaceScale=\"1e9\" specularExponent=\"128\">"
                    + "<fePointLight x=\"1\" y=\"1\" z=\"1\"/></feSpecularLighting>", count: 200)),
        file(
            "merge",
            filtered("<feMerge>\(String(repeating: "<feMergeNode/>", count: 900))</feMerge>")),
        file(
            "filter-region",
            "<filter id=\"f\" x=\"-1e9\" y=\"-1e9\" width=\"2e9\" height=\"2e9\">"
                + "<feFlood/><feTile/><feOffset dx=\"1e9\"/></filter>"
                + "<rect width=\"512\" height=\"512\" filter=\"url(#f)\"/>"),
        file(
            "dashes",
            "<path d=\"M0 0L512 512L0 512Z\" stroke=\"#000\" stroke-dasharray=\".00001\"/>"),
        file(
            "dashes-far",
            "<path d=\"M-1e15 0L1e15 512\" stroke=\"#000\" stroke-dasharray=\"1 .5\"/>"),
        file(
            "long-path",
            "<path stroke=\"#000\" d=\"M0 0"
                + (0..<200_000).map { "l\($0 % 7 * 60 - 180) \($0 % 11 * 40 - 200)" }.joined()
                + "\"/>"),
        file(
            "markers",
            "<marker id=\"a\"><circle r=\"99\"/></marker><path marker-mid=\"url(#a)\" d=\"M0 0"
                + String(repeating: "l9 9l-9-9", count: 30_000) + "\"/>"),
        file("font-size", "<text y=\"400\" font-size=\"1e9\">W</text>"),
        file("font-sizes", "<text y=\"400\" font-size=\"20000\">Wgg@&amp;</text>"),
        file("long-text", "<text y=\"9\">\(String(repeating: "Wg ", count: 300_000))</text>"),
        file(
            "marks-on-marks",
            "<text y=\"9\">a\(String(repeating: "\u{301}", count: 100_000))</text>"),
        file(
            "spacing", "<text y=\"9\" letter-spacing=\"1e30\" word-spacing=\"-1e30\">a b c</text>"),
        file("elements", String(repeating: "<rect width=\"9\" height=\"9\"/>", count: 250_000)),
        file("circles", String(repeating: "<circle r=\"500\" opacity=\".5\"/>", count: 30_000)),
        file(
            "stops",
            "<linearGradient id=\"g\">\(String(repeating: "<stop offset=\".5\"/>", count: 150_000))"
                + "</linearGradient><rect width=\"512\" height=\"512\" fill=\"url(#g)\"/>"),
        file(
            "selectors",
            "<style>\(String(repeating: "* * * * * * * g { fill: red }\n", count: 2000))</style>"
                + nested(150, "g")
                + String(repeating: "<g><circle r=\"1\"/></g>", count: 2000)),
        file(
            "attributes",
            "<g \((0..<100_000).map { "a\($0)=\"\"" }.joined(separator: " "))/>"),
        file("long-name", "<\(String(repeating: "n", count: 3_000_000))/>"),
        file("long-comment", "<!-- \(String(repeating: "- ", count: 3_000_000))-->"),
        file("masks", maskBomb), file("clips", clipBomb),
        file(
            "opacity",
            (0..<150).map { "<g opacity=\".9\\\($0)\">" }.joined() + "<circle r=\"9\"/>"
                + String(repeating: "</g>", count: 150)),
        file("picture-bomb", "<image width=\"512\" height=\"512\" href=\"\(pictureBomb)\"/>"),
        file(
            "pictures",
            String(
                repeating: "<image width=\"512\" height=\"512\" href=\"data:image/png;base64,"
                    + "iVBORw0KGgo=\"/>", count: 5000)),
        File("too-large", drawing("<!--\(String(repeating: "x", count: 17 << 20))-->")),
    ]

    /// Thirty times twice what is in the one before.
    private static func bomb(_ first: String, _ reference: (String) -> String) -> String {
        "<defs><g id=\"a0\">\(first)</g>"
            + (1...30).map { level in
                let last = reference("a\(level - 1)")
                return "<g id=\"a\(level)\">\(last)\(last)</g>"
            }.joined() + "</defs>\(reference("a30"))"
    }

    private static let maskBomb = bombOfLevels(24) { level in
        "<mask id=\"m\(level)\"><rect width=\"512\" height=\"512\" mask=\"url(#m\(level - 1))\"/>"
            + "<rect width=\"512\" height=\"512\" mask=\"url(#m\(level - 1))\"/></mask>"
    } last: {
        "<rect width=\"512\" height=\"512\" mask=\"url(#m\($0))\"/>"
    }

    private static let clipBomb = bombOfLevels(24) { level in
        "<clipPath id=\"m\(level)\"><rect width=\"512\" height=\"512\" "
            + "clip-path=\"url(#m\(level - 1))\"/>"
            + "<circle r=\"300\" clip-path=\"url(#m\(level - 1))\"/></clipPath>"
    } last: {
        "<rect width=\"512\" height=\"512\" clip-path=\"url(#m\($0))\"/>"
    }

    private static func bombOfLevels(
        _ count: Int, _ level: (Int) -> String, last: (Int) -> String
    ) -> String {
        (1...count).map(level).joined() + last(count)
    }

    private static func nested(_ count: Int, _ element: String) -> String {
        let name = element.prefix { $0 != " " }
        return String(repeating: "<\(element)>", count: count)
            + String(repeating: "</\(name)>", count: count)
    }

    private static func filtered(_ primitive: String, count: Int = 1) -> String {
        "<filter id=\"f\" x=\"0\" y=\"0\" width=\"1\" height=\"1\">"
            + String(repeating: primitive, count: count)
            + "</filter><rect width=\"512\" height=\"512\" filter=\"url(#f)\"/>"
    }

    /// The header of a PNG of 30,000 x 30,000 pixels, and nothing else.
    private static let pictureBomb =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAYAAAAAAAAAAAAAAElEQVQAAAAA"

    // MARK: What makes no sense

    private static let faulty: [File] =
        [
            ("1e30", "1e30"), ("1e-30", "1e-30"), ("-5", "9"), ("0", "0"), ("NaN", "inf"),
            ("1e30", "1"),
            ("1", "100000"), ("100%", "0%"), ("9em", "9ex"), ("2147483648", "2147483648"),
        ].map { width, height in
            File(
                "size \(width) \(height)",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\">"
                    + "<rect width=\"9\" height=\"9\"/></svg>")
        }
        + ["0 0 0 0", "0 0 1e30 1e-30", "1e30 1e30 1 1", "0 0 -1 -1", "NaN NaN NaN NaN", "0"].map {
            box in
            File(
                "box \(box)",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(box)\">"
                    + "<rect width=\"9\" height=\"9\"/></svg>")
        } + [
            File(
                "no-namespace",
                "<svg width=\"9\" height=\"9\"><rect width=\"9\" height=\"9\"/></svg>"),
            File("empty", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
            File("zero-byte", drawing("<g a=\"\0\"/>")),
            file("cut-entity", "&", prolog: ""), file("unknown-entity", "&nothing;"),
            file("mismatch", "<g></h>"), file("doubled", "<g a=\"1\" a=\"2\"/>"),
            file("encoding", "<g/>", prolog: "<?xml version=\"1.0\" encoding=\"x-nothing\"?>"),
            file(
                "transform",
                "<g transform=\"scale(0) matrix(1e30 1e30 1e30 1e30 1e30 1e30)\"><rect/></g>"),
            file("percent", "<rect width=\"1e9%\" height=\"1e9%\" stroke-width=\"1e9%\"/>"),
            file("arc", "<path d=\"M0 0A1e30 1e-30 1e30 1 1 1e30 1e30\" stroke=\"#000\"/>"),
        ]
}
