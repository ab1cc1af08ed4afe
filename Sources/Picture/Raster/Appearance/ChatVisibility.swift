import StickerValues

/// How much of a picture stands out on each of the chat backgrounds.
///
/// Two things make a sticker recognisable: areas that differ from the ground, and contours, which are steps of colour
/// between neighbouring cells of the picture. Black line art on black has neither; a white figure with a black outline
/// on white has its contours, a soft light on black its area. The larger share of the two is the result.
struct ChatVisibility {
    /// The distance from which two colours can be distinguished at a glance; light grey (#D8D8D8) and white are about
    /// that far apart, and so are black and dark grey (#434343).
    private static let leastDistance: Float = 0.07

    /// The area of the art in cells; half-transparent ones count half.
    private(set) var area: Float = 0
    private var visibleArea = SeenColors.Grounds.zero
    /// The contours that are visible on any ground.
    private var contours: Float = 0
    private var visibleContours = SeenColors.Grounds.zero

    init() {}

    /// Counts the contents of `grid`.
    init(of grid: CellGrid) {
        let eye = ChatEye()
        let ground = eye.see(.zero)
        var above = [SeenColors](repeating: ground, count: grid.columns)
        for row in 0..<grid.rows {
            var (left, leftColor) = (ground, SIMD4<UInt8>.zero)
            for column in 0..<grid.columns {
                let color = grid.colors[row * grid.columns + column]
                // Neighbours are often equal.
                let seen = color == leftColor ? left : eye.see(color)
                note(seen, on: ground, alpha: Float(color.w) / 255)
                // The area outside the art is no neighbour: the frame of a photograph is not its content.
                if column > 0 { noteStep(seen, left) }
                if row > 0 { noteStep(seen, above[column]) }
                (above[column], left, leftColor) = (seen, seen, color)
            }
        }
    }

    @inline(__always)
    private mutating func note(_ seen: SeenColors, on ground: SeenColors, alpha: Float) {
        area += alpha
        visibleArea += Self.visible(seen, ground) * alpha
    }

    @inline(__always)
    private mutating func noteStep(_ seen: SeenColors, _ neighbour: SeenColors) {
        let visible = Self.visible(seen, neighbour)
        contours += visible.max()
        visibleContours += visible
    }

    /// For each background 1 if the colours can be distinguished there, else 0.
    @inline(__always)
    private static func visible(_ one: SeenColors, _ other: SeenColors) -> SeenColors.Grounds {
        let isVisible = one.squaredDistances(to: other) .>= leastDistance * leastDistance
        return SeenColors.Grounds.zero.replacing(with: 1, where: isVisible)
    }

    /// Adds a frame that is shown for some time.
    mutating func add(_ frame: ChatVisibility, milliseconds: Int) {
        let weight = Float(milliseconds)
        area += frame.area * weight
        visibleArea += frame.visibleArea * weight
        contours += frame.contours * weight
        visibleContours += frame.visibleContours * weight
    }

    /// The share that stands out on the worst of the dark or of the light backgrounds; 0 for an empty picture.
    func percent(onDark: Bool) -> Int {
        let shares = pointwiseMax(
            visibleArea / max(area, .leastNormalMagnitude),
            visibleContours / max(contours, .leastNormalMagnitude))
        let worst = zip(ChatGround.allCases, shares.indices).lazy
            .filter { $0.0.isDark == onDark }.map { shares[$0.1] }.min()
        return Int(((worst ?? 0) * 100).rounded())
    }
}
