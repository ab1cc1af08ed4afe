import FoundationEssentials

/// Drawings that take as long as one likes: kinds of work, each as much as is asked for.
public enum CostlySVG {
    /// A kind of work.
    public struct Kind: Sendable, CustomStringConvertible {
        /// The costly part.
        public let name: String
        private let content: @Sendable (Int) -> String

        init(_ name: String, _ content: @escaping @Sendable (Int) -> String) {
            (self.name, self.content) = (name, content)
        }

        /// The drawing with `amount` of it, at least 1.
        public func drawing(_ amount: Int) -> [UInt8] {
            Array(CostlySVG.file(content(amount)).utf8)
        }

        /// For the names of tests.
        public var description: String { name }
    }

    /// All kinds.
    public static let all =
        filters + filteredParts + layers + repetitions + outlines + paints + texts

    private static func file(_ content: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 512 512\">\(content)</svg>"
    }

    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }

    private static let whole = "<rect width=\"512\" height=\"512\""

    // MARK: Filters

    private static let filters = [
        primitive("octaves", "<feTurbulence baseFrequency=\".05\" numOctaves=\"10\"/>"),
        primitive("octaves-too-many", "<feTurbulence baseFrequency=\".9\" numOctaves=\"1000\"/>"),
        primitive(
            "stitched",
            "<feTurbulence baseFrequency=\".3\" numOctaves=\"4\" stitchTiles=\"stitch\"/>"),
        primitive("noise", "<feTurbulence type=\"fractalNoise\" baseFrequency=\".5\"/>"),
        primitive("blurs", "<feGaussianBlur stdDeviation=\"9\"/>"),
        primitive("fine-blurs", "<feGaussianBlur stdDeviation=\".3\"/>"),
        primitive("flat-blurs", "<feGaussianBlur stdDeviation=\"200 0\"/>"),
        primitive("shadows", "<feDropShadow/>"),
        primitive("dilations", "<feMorphology operator=\"dilate\" radius=\"9\"/>"),
        primitive("fine-erosions", "<feMorphology radius=\".5\"/>"),
        primitive("moves", "<feDisplacementMap in2=\"SourceGraphic\" scale=\"9\"/>"),
        primitive("matrices", "<feColorMatrix type=\"hueRotate\" values=\"9\"/>"),
        primitive(
            "transfers",
            "<feComponentTransfer><feFuncR type=\"gamma\" exponent=\"2\"/></feComponentTransfer>"),
        primitive("blends", "<feBlend in2=\"SourceGraphic\" mode=\"luminosity\"/>"),
        primitive(
            "composites",
            "<feComposite in2=\"SourceGraphic\" operator=\"arithmetic\" k1=\".5\" k2=\".5\"/>"),
        primitive("offsets", "<feOffset dx=\"3\"/>"),
        primitive("floods", "<feFlood flood-color=\"red\"/>"),
        primitive("tiles", "<feFlood x=\"0\" y=\"0\" width=\"9\" height=\"9\"/><feTile/>"),
        primitive(
            "lights",
            "<feSpecularLighting specularExponent=\"20\"><fePointLight x=\"1\" y=\"1\" z=\"1\"/>"
                + "</feSpecularLighting>"),
        primitive(
            "spots",
            "<feDiffuseLighting><feSpotLight specularExponent=\"9\" x=\"1\" y=\"1\" z=\"1\"/>"
                + "</feDiffuseLighting>"),
        Kind("merges") { filtered("<feMerge>\(times($0, "<feMergeNode/>"))</feMerge>") },
        Kind("kernels") { amount in
            let side = min(amount, 1000)
            return filtered(
                "<feConvolveMatrix order=\"\(side)\" kernelMatrix=\"\(times(side * side, "1 "))\"/>"
            )
        },
        primitive(
            "convolutions", "<feConvolveMatrix order=\"5\" kernelMatrix=\"\(times(25, "1 "))\"/>"),
    ]

    private static func primitive(_ name: String, _ element: String) -> Kind {
        Kind(name) { filtered(times($0, element)) }
    }

    private static func filtered(_ primitives: String) -> String {
        "<filter id=\"f\" x=\"0\" y=\"0\" width=\"1\" height=\"1\">\(primitives)</filter>"
            + "\(whole) filter=\"url(#f)\"/>"
    }

    private static let blur = "<filter id=\"f\"><feGaussianBlur stdDeviation=\"5\"/></filter>"

    private static let filteredParts = [
        Kind("filter-uses") { blur + times($0, "\(whole) filter=\"url(#f)\"/>") },
        Kind("small-filter-uses") {
            blur + times($0, "<rect width=\"5\" height=\"5\" filter=\"url(#f)\"/>")
        },
        Kind("filter-lists") {
            blur + "\(whole) filter=\"\(times($0, "url(#f) "))\"/>"
        },
        Kind("filter-functions") { "\(whole) filter=\"\(times($0, "blur(3px) "))\"/>" },
        Kind("filters-in-sheets") {
            "<style>.a { filter: url(#f) }</style>" + blur + times($0, "\(whole) class=\"a\"/>")
        },
        Kind("filters-of-groups") {
            blur + times($0, "<g filter=\"url(#f)\"><circle r=\"99\"/></g>")
        },
        Kind("filters-in-uses") {
            blur + "<g id=\"a\">\(whole) filter=\"url(#f)\"/></g>" + times($0, "<use href=\"#a\"/>")
        },
        Kind("filters-in-masks") {
            blur + "<mask id=\"m\">\(whole) filter=\"url(#f)\"/></mask>"
                + times($0, "\(whole) mask=\"url(#m)\"/>")
        },
        Kind("filters-in-patterns") {
            blur
                + "<pattern id=\"p\" width=\"1\" height=\"1\">\(whole) filter=\"url(#f)\"/></pattern>"
                + times($0, "\(whole) fill=\"url(#p)\"/>")
        },
        Kind("filters-in-markers") {
            blur + "<marker id=\"a\"><circle r=\"9\" filter=\"url(#f)\"/></marker>"
                + "<path marker-mid=\"url(#a)\" d=\"M0 0\(times($0, "l9 9l-9-9"))\"/>"
        },
        Kind("wide-regions") {
            "<filter id=\"f\" x=\"-9\" y=\"-9\" width=\"19\" height=\"19\">"
                + "<feGaussianBlur stdDeviation=\"5\"/></filter>"
                + times(
                    $0, "<rect x=\"200\" y=\"200\" width=\"60\" height=\"60\" filter=\"url(#f)\"/>")
        },
        Kind("pictures-of-parts") {
            "<g id=\"a\">\(times(100, "<circle r=\"99\" fill-opacity=\".5\"/>"))</g>"
                + filtered(times($0, "<feImage href=\"#a\"/>"))
        },
    ]

    // MARK: Layers

    private static let layers = [
        Kind("opacity") { times($0, "\(whole) opacity=\".5\"/>") },
        Kind("opacity-of-groups") { times($0, "<g opacity=\".5\"><circle r=\"9\"/></g>") },
        Kind("opacity-within") {
            times(min($0, 150), "<g opacity=\".9\">") + "<circle r=\"9\"/>"
                + times(min($0, 150), "</g>")
        },
        Kind("blending") { times($0, "\(whole) style=\"mix-blend-mode:multiply\"/>") },
        Kind("masks") {
            "<mask id=\"m\"><circle r=\"99\" fill=\"#fff\"/></mask>"
                + times($0, "<circle r=\"9\" mask=\"url(#m)\"/>")
        },
        Kind("masks-in-boxes") {
            "<mask id=\"m\" maskContentUnits=\"objectBoundingBox\"><circle r=\"1\" fill=\"#fff\"/></mask>"
                + times($0, "\(whole) mask=\"url(#m)\"/>")
        },
        Kind("masks-of-masks") { levels in
            (1...levels).map { level in
                let last = "\(whole) mask=\"url(#m\(level - 1))\"/>"
                return "<mask id=\"m\(level)\">\(last)\(last)</mask>"
            }.joined() + "\(whole) mask=\"url(#m\(levels))\"/>"
        },
        Kind("clips") {
            "<clipPath id=\"c\">\(times(100, "<circle r=\"99\"/>"))</clipPath>"
                + times($0, "\(whole) clip-path=\"url(#c)\"/>")
        },
        Kind("clips-in-boxes") {
            "<clipPath id=\"c\" clipPathUnits=\"objectBoundingBox\"><circle r=\".5\"/></clipPath>"
                + times($0, "\(whole) clip-path=\"url(#c)\"/>")
        },
    ]

    // MARK: What is shown again

    private static let repetitions = [
        Kind("elements") { times($0, "<rect width=\"9\" height=\"9\"/>") },
        Kind("uses-of-uses") { levels in
            "<defs><g id=\"a0\"><circle r=\"9\"/></g>"
                + (1...levels).map { level in
                    let last = "<use href=\"#a\(level - 1)\"/>"
                    return "<g id=\"a\(level)\">\(last)\(last)</g>"
                }.joined() + "</defs><use href=\"#a\(levels)\"/>"
        },
        Kind("uses") {
            "<g id=\"a\">\(times(1000, "<circle r=\"9\"/>"))</g>" + times($0, "<use href=\"#a\"/>")
        },
        Kind("deep-uses") { levels in
            "<g id=\"a0\"><circle r=\"9\"/></g>"
                + (1...levels).map { "<g id=\"a\($0)\"><use href=\"#a\($0 - 1)\"/></g>" }.joined()
        },
        Kind("symbols") {
            "<symbol id=\"s\" viewBox=\"0 0 9 9\">\(times(1000, "<circle r=\"9\"/>"))</symbol>"
                + times($0, "<use href=\"#s\" width=\"99\" height=\"99\"/>")
        },
        Kind("markers") {
            "<marker id=\"a\"><circle r=\"99\"/></marker>"
                + "<path marker-mid=\"url(#a)\" d=\"M0 0\(times($0, "l9 9l-9-9"))\"/>"
        },
        Kind("full-markers") {
            "<marker id=\"a\" overflow=\"visible\">\(times(200, "<circle r=\"99\"/>"))</marker>"
                + "<polyline marker-mid=\"url(#a)\" points=\"\(times($0, "9,9 300,300 "))\"/>"
        },
        Kind("patterns") {
            "<pattern id=\"p\" width=\".1\" height=\".1\">\(times(200, "<circle r=\"9\"/>"))</pattern>"
                + times($0, "\(whole) fill=\"url(#p)\"/>")
        },
        Kind("turned-patterns") {
            "<pattern id=\"p\" width=\"9.3\" height=\"9.3\" patternUnits=\"userSpaceOnUse\" "
                + "patternTransform=\"rotate(20)\"><circle r=\"4\"/></pattern>"
                + times($0, "\(whole) fill=\"url(#p)\"/>")
        },
        Kind("patterns-of-patterns") { levels in
            "<pattern id=\"p0\" width=\".5\" height=\".5\"><circle r=\"9\"/></pattern>"
                + (1...levels).map { level in
                    let last = "\(whole) fill=\"url(#p\(level - 1))\"/>"
                    return
                        "<pattern id=\"p\(level)\" width=\".9\" height=\".9\">\(last)\(last)</pattern>"
                }.joined() + "\(whole) fill=\"url(#p\(levels))\"/>"
        },
        Kind("drawings") { count in
            (0..<min(count, 200)).map { number in
                let inner = file(
                    "<g id=\"n\(number)\">\(blur)\(times(20, "\(whole) filter=\"url(#f)\"/>"))</g>")
                return "<image width=\"99\" height=\"99\" href=\"data:image/svg+xml;base64,"
                    + "\(Data(inner.utf8).base64EncodedString())\"/>"
            }.joined()
        },
    ]

    // MARK: Outlines

    private static func zigzag(_ count: Int, _ side: Int) -> String {
        "M9 9" + (0..<count).map { "L\($0 * 7919 % side) \($0 * 104_729 % side)" }.joined()
    }

    private static let outlines = [
        Kind("circles") { times($0, "<circle cx=\"256\" cy=\"256\" r=\"250\"/>") },
        Kind("long-lines") { "<path d=\"\(zigzag($0, 512))\"/>" },
        Kind("dense-lines") { "<path d=\"\(zigzag($0, 7))\"/>" },
        Kind("two-knots") { "<path d=\"\(zigzag($0, 7))M0 500\(zigzag($0, 7))\" />" },
        Kind("long-strokes") {
            "<path fill=\"none\" stroke=\"red\" stroke-width=\"9\" d=\"\(zigzag($0, 512))\"/>"
        },
        Kind("dense-strokes") {
            "<path fill=\"none\" stroke=\"red\" stroke-linejoin=\"round\" d=\"\(zigzag($0, 7))\"/>"
        },
        Kind("curves") {
            "<path d=\"M9 99\(times($0, "c9 50 100-50 40 2c-9 20-80-9-40-2"))\"/>"
        },
        Kind("arcs") { "<path d=\"M9 99\(times($0, "a99 99 0 1 1 30 30a9 9 0 1 1-30-30"))\"/>" },
        Kind("polygons") { "<polygon points=\"\(times($0, "9,9 500,100 30,500 "))\"/>" },
        Kind("dashes") {
            "<path stroke=\"red\" stroke-dasharray=\".5\" fill=\"none\" d=\"\(zigzag($0, 512))\"/>"
        },
        Kind("far-dashes") {
            "<path d=\"M-\($0)0000 0L\($0)0000 512\" stroke=\"#000\" stroke-dasharray=\"1 .5\"/>"
        },
    ]

    // MARK: Paints

    private static func stops(_ count: Int) -> String {
        (0..<count).map { number in
            "<stop offset=\"\(Double(number) / Double(count))\" stop-color=\"#\(100 + number % 899)\"/>"
        }.joined()
    }

    private static let paints = [
        Kind("gradients") {
            "<linearGradient id=\"g\" x2=\"1\" y2=\"1\">\(stops(3))</linearGradient>"
                + times($0, "\(whole) fill=\"url(#g)\"/>")
        },
        Kind("round-gradients") {
            "<radialGradient id=\"g\">\(stops(3))</radialGradient>"
                + times($0, "\(whole) fill=\"url(#g)\"/>")
        },
        Kind("stops") {
            "<linearGradient id=\"g\" x2=\"1\" y2=\"1\">\(stops($0))</linearGradient>"
                + "\(whole) fill=\"url(#g)\"/>"
        },
        Kind("repeated-stops") {
            "<radialGradient id=\"g\" r=\".01\" spreadMethod=\"repeat\">\(stops($0))</radialGradient>"
                + "\(whole) fill=\"url(#g)\"/>"
        },
        Kind("stops-of-many") {
            "<linearGradient id=\"h\">\(stops(1000))</linearGradient>"
                + "<linearGradient id=\"g\" href=\"#h\"/>"
                + times($0, "<rect width=\"1\" height=\"1\" fill=\"url(#g)\"/>")
        },
    ]

    // MARK: Texts

    private static let texts = [
        Kind("texts") { times($0, "<text y=\"99\">a</text>") },
        Kind("parts-of-text") { "<text y=\"99\">\(times($0, "<tspan>a</tspan>"))</text>" },
        Kind("long-text") { "<text y=\"99\" font-size=\"9\">\(times($0, "Wg "))</text>" },
        Kind("bordered-text") {
            "<text y=\"99\" font-size=\"9\" stroke=\"red\">\(times($0, "Wg "))</text>"
        },
        Kind("large-text") {
            times($0, "<text y=\"400\" font-size=\"600\" fill-opacity=\".5\">Wg@</text>")
        },
        Kind("marks") { "<text y=\"99\">a\(times($0, "\u{301}"))</text>" },
        Kind("unsorted-marks") { "<text y=\"99\">a\(times($0, "\u{301}\u{323}"))</text>" },
        Kind("large-emoji") {
            // A sign of which Inter has no outline: others are left out.
            "<text y=\"400\" font-family=\"Noto Color Emoji\" font-size=\"\($0)\">\u{2764}</text>"
        },
        Kind("fitted-texts") {
            times(
                min($0, 50),
                "<text y=\"99\" font-size=\"2000\" data-fit=\"500\" stroke=\"#ff0000\" "
                    + "stroke-width=\"200\">\(times(130, "Wg@"))</text>")
        },
        Kind("fitted-emoji") {
            times(
                min($0, 50),
                "<text y=\"99\" font-size=\"2000\" data-fit=\"1000000\" stroke=\"#ff0000\" "
                    + "stroke-width=\"200\">\(times(90, "\u{1F600}"))</text>")
        },
        Kind("attributes") {
            times($0, "<g \((0..<1000).map { "a\($0)=\"\"" }.joined(separator: " "))/>")
        },
    ]
}
