/// The smallest rectangle around the noted pixels.
struct PixelBounds {
    private var (left, top) = (Int.max, Int.max)
    private var (right, bottom) = (-1, -1)

    mutating func note(_ x: Int, _ y: Int) {
        if x < left { left = x }
        if x > right { right = x }
        if y < top { top = y }
        if y > bottom { bottom = y }
    }

    /// Empty if no pixel was noted.
    var rectangle: PixelRectangle {
        guard right >= 0 else { return .empty }
        return PixelRectangle(
            x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}
