/// The traits of an element that cost work, read only once.
struct SVGTraits {
    /// The fill or stroke of an outline.
    enum Paint: Equatable {
        case none, color
        /// A gradient or pattern, by its name.
        case server(String)
    }

    /// The inherited traits; `nil` if unspecified.
    var fill, stroke: Paint?
    var strokeWidth: Double?
    /// The mean length of dashes and gaps; 0 without them.
    var dash: Double?
    /// The names of markers at the start, in the middle and at the end, or empty.
    var markers: [String?]

    let matrix: SVGMatrix
    /// The box of its shape, in its own units; `nil` if unknown.
    var bounds: SVGBox?
    /// Its outline: the number of pieces and their total length.
    var pieces = 0.0
    var length = 0.0
    /// The height that would hold the whole outline at its greatest density.
    var rows = 0.0
    /// The number of places for markers.
    var vertices = 0
    let isHidden: Bool
    /// Whether it is drawn on a separate layer.
    let isLayer: Bool
    /// Whether that layer is blended with the background.
    let isBlended: Bool
    let filters: [String]
    let mask: String?
    let clip: String?

    private static let markerNames = ["marker-start", "marker-mid", "marker-end"]

    init(_ element: SVGElement) {
        (fill, stroke) = (Self.paint(element, "fill"), Self.paint(element, "stroke"))
        strokeWidth = element.length("stroke-width")
        dash = Self.dash(element)
        let all = Self.name(element, "marker")
        markers = Self.markerNames.map { Self.name(element, $0) ?? all }
        matrix = element["transform"].flatMap { SVGMatrix($0) } ?? .identity
        isHidden = element.value("display")?.first?.ident == "none"
        isBlended = ![nil, "normal"].contains(element.value("mix-blend-mode")?.first?.ident)
        isLayer = isBlended || Self.isTranslucent(element)
        filters = Self.names(element, "filter")
        mask = Self.name(element, "mask")
        clip = Self.name(element, "clip-path")
        let parts = Self.outline(of: element)
        let isDrawnByPoints = ["path", "polygon", "polyline"].contains(element.name)
        bounds =
            isDrawnByPoints
            ? SVGBox(around: Array(parts.joined()))
            : Self.isShape(element) ? element.bounds : nil
        measure(parts, of: element)
    }

    /// Whether it has an outline.
    static func isShape(_ element: SVGElement) -> Bool {
        ["rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "image"]
            .contains(element.name)
    }

    // MARK: Outlines

    private static func outline(of element: SVGElement) -> [[SIMD2<Double>]] {
        switch element.name {
        case "path": return element["d"].map { SVGPath($0).parts } ?? []
        case "polygon", "polyline":
            let numbers = element.numbers("points")
            let points = stride(from: 1, to: numbers.count, by: 2).map {
                SIMD2(numbers[$0 - 1], numbers[$0])
            }
            return [points + (element.name == "polygon" ? points.prefix(1) : [])]
        default: return []
        }
    }

    private mutating func measure(_ parts: [[SIMD2<Double>]], of element: SVGElement) {
        for part in parts {
            vertices += part.count
            for (first, second) in zip(part, part.dropFirst()) {
                let way = second - first
                length += (way * way).sum().squareRoot()
            }
        }
        pieces = Double(vertices)
        rows = Self.rows(of: parts)
        // The points of a path are followed up to a limit.
        let named = Double(Self.numbers(in: element["d"] ?? "")) / 2
        if named > 2 * pieces, pieces > 0 {
            (length, pieces) = (length * named / pieces, named)
        }
        if parts.isEmpty, let bounds {
            (pieces, length) = (16, 2 * (bounds.width + bounds.height))
            rows = bounds.height
            vertices = element.name == "line" ? 2 : 0
        }
    }

    /// Twenty times the lowest band that holds a twentieth of all lines.
    private static func rows(of parts: [[SIMD2<Double>]]) -> Double {
        var (middles, heights): ([Double], Double) = ([], 0)
        for part in parts {
            for (first, second) in zip(part, part.dropFirst()) where first.y != second.y {
                middles.append((first.y + second.y) / 2)
                heights += abs(second.y - first.y)
            }
        }
        guard !middles.isEmpty else { return 0 }
        middles.sort()
        let step = max(1, middles.count / 20)
        let band = zip(middles, middles.dropFirst(step)).map { $1 - $0 }.min() ?? 0
        return 20 * band + heights / Double(middles.count)
    }

    /// Roughly how many numbers path data has.
    private static func numbers(in data: String) -> Int {
        var (count, isInside) = (0, false)
        for byte in data.utf8 {
            let isDigit = 0x30...0x39 ~= byte || byte == UInt8(ascii: ".")
            if isDigit, !isInside { count += 1 }
            isInside = isDigit
        }
        return count
    }

    // MARK: Values

    private static func paint(_ element: SVGElement, _ name: String) -> Paint? {
        guard let first = element.value(name)?.first else { return nil }
        if let id = first.reference { return .server(id) }
        return first.ident == "none" ? Paint.none : first.ident == "inherit" ? nil : .color
    }

    private static func dash(_ element: SVGElement) -> Double? {
        guard let value = element.value("stroke-dasharray") else { return nil }
        let lengths = value.compactMap { element.style.pixels([$0], for: "stroke-width") }
        return lengths.isEmpty ? 0 : lengths.reduce(0, +) / Double(lengths.count)
    }

    private static func isTranslucent(_ element: SVGElement) -> Bool {
        let opacity = element.value("opacity")?.first.flatMap { CSSLength.number($0) } ?? 1
        return opacity < 1 || element.value("isolation")?.first?.ident == "isolate"
    }

    private static func names(_ element: SVGElement, _ property: String) -> [String] {
        element.value(property)?.compactMap(\.reference) ?? []
    }

    private static func name(_ element: SVGElement, _ property: String) -> String? {
        element.value(property)?.first.map { $0.reference ?? "" }
    }
}
