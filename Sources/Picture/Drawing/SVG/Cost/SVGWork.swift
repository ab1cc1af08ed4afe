import StickerCodecs
import StickerValues

/// A kind of work for librsvg, with its limit: the only table of the allowed cost of a drawing.
///
/// Each limit alone is about 7 s of one core of 2023 on a canvas of 2048x2048 pixels. A picture is drawn on one at most
/// twice, so that all limits together keep to a third of the usual `limits.cpuSecondsMax`.
enum SVGWork: Int, CaseIterable {
    /// Drawn elements, each as often as `use`, markers, patterns, masks and clips show it.
    case elements
    /// Straight pieces of outlines, with those of curves, strokes and dashes.
    case pieces
    /// Pixels along outlines.
    case outlines
    /// Painted pixels; those of gradients, patterns and pictures count several times.
    case painting
    /// Pixels of layers: opacity, masks, blending and filters each need some as large as the canvas.
    case layers
    /// Pixels of filter primitives, weighted by the work per pixel.
    case filters
    /// Glyphs, with the layout of each text.
    case glyphs
    /// Stops of gradients, as often as these are used.
    case stops
    /// Comparisons of attributes with one another.
    case attributes

    /// The most of it in one drawing.
    var limit: Double {
        switch self {
        case .elements: 500_000
        case .pieces: 5_000_000
        case .outlines: 400_000_000
        case .painting: 7_000_000_000
        case .layers: 7_000_000_000
        case .filters: 7_000_000_000
        case .glyphs: 50_000
        case .stops: 2_000_000
        case .attributes: 1_000_000_000
        }
    }

    /// For people.
    var name: String {
        switch self {
        case .elements: "elements, with all repetitions"
        case .pieces: "pieces of outlines and dashes"
        case .outlines: "pixels along outlines"
        case .painting: "painted pixels"
        case .layers: "pixels of opacity, masks and blending"
        case .filters: "pixels of filters"
        case .glyphs: "glyphs"
        case .stops: "gradient stops, with all repetitions"
        case .attributes: "comparisons of attributes"
        }
    }
}

/// The work of a drawing, counted before it is done.
struct SVGCost {
    private var amounts = [Double](repeating: 0, count: SVGWork.allCases.count)
    /// The used part of the limits: the sum over all kinds.
    private(set) var share = 0.0

    /// Adds work.
    ///
    /// - Throws: `CodecError` `.tooComplex` if it is too much, alone or together with all other work.
    mutating func add(_ work: SVGWork, _ amount: Double) throws(CodecError) {
        let amount = amount.isNaN ? .infinity : max(0, amount)
        amounts[work.rawValue] += amount
        share += amount / work.limit
        guard share > 1 else { return }
        throw excess
    }

    /// The amount of a kind of work.
    subscript(work: SVGWork) -> Double { amounts[work.rawValue] }

    private func share(of work: SVGWork) -> Double { self[work] / work.limit }

    private var excess: CodecError {
        let most = SVGWork.allCases.max { share(of: $0) < share(of: $1) } ?? .elements
        guard share(of: most) <= 1 else {
            return CodecError(
                .tooComplex, .svg, "drawing it is too much work",
                measured: "\(Self.shown(self[most])) or more \(most.name)",
                limit: Self.shown(most.limit))
        }
        let parts = SVGWork.allCases.filter { share(of: $0) >= 0.1 }
            .sorted { share(of: $0) > share(of: $1) }
            .map { "\(Int(share(of: $0) * 100)) % of the \($0.name)" }
        return CodecError(
            .tooComplex, .svg, "drawing it is too much work in all",
            measured: "more than 100 %: \(parts.joined(separator: ", "))", limit: "100 %")
    }

    private static func shown(_ amount: Double) -> String {
        Int(min(amount.rounded(), 9e15)).grouped
    }
}
