import StickerCodecs
import StickerValues

/// Follows librsvg's drawing of a file, and counts the work instead of doing it; everything that `use`, markers,
/// patterns, masks and clips repeat counts again.
///
/// The limits bound its own time: each step is an element, and it ends at the first limit.
struct SVGCostWalk {
    var cost: SVGCost
    let named: [String: SVGElement]
    /// All pixels.
    let canvas: SVGBox
    private var traits: [ObjectIdentifier: SVGTraits] = [:]
    private var groups: [ObjectIdentifier: SVGBox?] = [:]
    /// The elements being drawn: none refers to itself.
    private var open: Set<ObjectIdentifier> = []
    private var depth = 0

    /// The place of an element, and its inherited traits.
    struct Place {
        /// From user units to pixels.
        var matrix: SVGMatrix
        /// Its visible pixels.
        var visible: SVGBox
        var fill = SVGTraits.Paint.color
        var stroke = SVGTraits.Paint.none
        var strokeWidth = 1.0
        var dash = 0.0
        var markers = ["", "", ""]

        /// The place of the contents of an element.
        func within(_ own: SVGTraits) -> Place {
            var place = self
            place.matrix = matrix * own.matrix
            place.fill = own.fill ?? fill
            place.stroke = own.stroke ?? stroke
            place.strokeWidth = own.strokeWidth ?? strokeWidth
            place.dash = own.dash ?? dash
            if own.markers.contains(where: { $0 != nil }) {
                place.markers = zip(own.markers, markers).map { $0 ?? $1 }
            }
            return place
        }
    }

    /// The deepest nesting of elements with everything that `use` and others repeat.
    private static let depthMax = 500

    /// Counts all work.
    ///
    /// - Parameters:
    ///   - root: the drawing after all rewrites.
    ///   - named: its elements by their `id`.
    ///   - side: the longer side of the largest canvas, in pixels.
    ///   - cost: that of the containing drawing, if any.
    /// - Returns: `cost` plus that of this drawing.
    /// - Throws: `CodecError` `.tooComplex` if it is too much.
    static func cost(
        of root: SVGElement, named: [String: SVGElement], side: Int, after cost: SVGCost
    ) throws(CodecError) -> SVGCost {
        let size = root.style.viewport
        let longer = max(size.x, size.y)
        let scale = longer.isFinite && longer > 0 ? Double(side) / longer : 1
        let canvas = SVGBox(x: 0, y: 0, width: size.x * scale, height: size.y * scale)
        var walk = SVGCostWalk(cost: cost, named: named, canvas: canvas)
        let corner = root.viewBox.map { SIMD2($0.x, $0.y) } ?? .zero
        let place = Place(
            matrix: .scale(scale, scale) * .translation(-corner.x, -corner.y), visible: canvas)
        try walk.countAttributes(in: root)
        try walk.countFitted(in: root, place)
        try walk.visitContent(of: root, place.within(walk.traits(of: root)))
        return walk.cost
    }

    private init(cost: SVGCost, named: [String: SVGElement], canvas: SVGBox) {
        (self.cost, self.named, self.canvas) = (cost, named, canvas)
    }

    var canvasPixels: Double { canvas.width * canvas.height }

    /// The parser compares each with all others of its element.
    private mutating func countAttributes(in root: SVGElement) throws(CodecError) {
        var comparisons = 0.0
        root.visit { comparisons += Double($0.attributes.count * $0.attributes.count) }
        try cost.add(.attributes, comparisons)
    }

    mutating func traits(of element: SVGElement) -> SVGTraits {
        if let known = traits[ObjectIdentifier(element)] { return known }
        let found = SVGTraits(element)
        traits[ObjectIdentifier(element)] = found
        return found
    }

    /// The box of a shape or a group of shapes, in the units before its `transform`; `nil` if unknown.
    private mutating func bounds(of element: SVGElement) -> SVGBox? {
        guard element.name == "g" || element.name == "a" else { return traits(of: element).bounds }
        if let known = groups[ObjectIdentifier(element)] { return known }
        var points: [SIMD2<Double>]? = []
        for child in element.elements
        where child.isSVG && !SVGElement.undrawn.contains(child.name) {
            let own = traits(of: child)
            guard !own.isHidden else { continue }
            let box = bounds(of: child).map { own.matrix.box(around: $0) }
            points = box.flatMap { box in points.map { $0 + box.corners } }
        }
        let found = points.flatMap { SVGBox(around: $0) }
        groups[ObjectIdentifier(element)] = .some(found)
        return found
    }

    // MARK: Elements

    private mutating func visit(_ element: SVGElement, _ outer: Place) throws(CodecError) {
        guard element.isSVG, !SVGElement.undrawn.contains(element.name) else { return }
        try show(element, outer)
    }

    /// Draws an element, even one that is only drawn where others refer to it.
    mutating func show(_ element: SVGElement, _ outer: Place) throws(CodecError) {
        var own = traits(of: element)
        guard !own.isHidden, open.insert(ObjectIdentifier(element)).inserted else { return }
        depth += 1
        defer {
            open.remove(ObjectIdentifier(element))
            depth -= 1
        }
        try SVGLimits.check(
            depth, Self.depthMax, "elements are drawn too deeply within one another", "levels")
        try cost.add(.elements, 1)
        if !own.filters.isEmpty { own.bounds = bounds(of: element) }
        let place = outer.within(own)
        let box =
            own.bounds.map { place.matrix.box(around: $0).cut(to: place.visible) } ?? place.visible
        try countLayers(of: own, place, box)
        switch element.name {
        case "use": try visitTarget(of: element, place)
        case "svg", "symbol": try visitContent(of: element, nested(element, place))
        case "text": try countText(element, place)
        case "image": try cost.add(.painting, 10 * box.area)
        case _ where SVGTraits.isShape(element): try paint(own, place, box)
        default: try visitContent(of: element, place)
        }
    }

    mutating func visitContent(
        of element: SVGElement, _ place: Place
    ) throws(CodecError) {
        for case .element(let child) in element.children { try visit(child, place) }
    }

    /// The contents of another element, wherever it is.
    mutating func showContent(of id: String, _ place: Place) throws(CodecError) {
        guard let element = named[id], open.insert(ObjectIdentifier(element)).inserted
        else { return }
        defer { open.remove(ObjectIdentifier(element)) }
        try visitContent(of: element, place.within(traits(of: element)))
    }

    private mutating func visitTarget(of use: SVGElement, _ place: Place) throws(CodecError) {
        guard let target = use.reference.flatMap({ named[$0] }) else { return }
        var place = place
        place.matrix = place.matrix * .translation(use.length("x") ?? 0, use.length("y") ?? 0)
        try show(target, place)
    }

    /// The place inside a nested picture.
    func nested(_ element: SVGElement, _ outer: Place) -> Place {
        guard let box = element.viewBox else { return outer }
        let width = element.length("width") ?? element.style.viewport.x
        let height = element.length("height") ?? element.style.viewport.y
        let scale = min(width / box.width, height / box.height)
        var place = outer
        place.matrix =
            outer.matrix * .translation(element.length("x") ?? 0, element.length("y") ?? 0)
            * .scale(scale, scale) * .translation(-box.x, -box.y)
        return place
    }
}

extension SVGBox {
    var area: Double { width * height }

    var corners: [SIMD2<Double>] { [SIMD2(x, y), SIMD2(x + width, y + height)] }

    /// The part within `other`.
    func cut(to other: SVGBox) -> SVGBox {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return SVGBox(
            x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
            height: max(0, min(y + height, other.y + other.height) - top))
    }
}

extension SVGMatrix {
    /// The greatest length of a unit.
    var reach: Double { max((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot()) }

    /// The upright box around a box.
    func box(around box: SVGBox) -> SVGBox {
        let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { x, y in
            self * SIMD2(box.x + x * box.width, box.y + y * box.height)
        }
        return SVGBox(around: corners) ?? box
    }
}
