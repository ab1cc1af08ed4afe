public import StickerValues

/// A rectangle of whole pixels; the origin is the top left corner.
public struct PixelRectangle: Sendable, Hashable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Creates a rectangle; a side may be 0.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle without pixels.
    static let empty = PixelRectangle(x: 0, y: 0, width: 0, height: 0)

    /// Creates the rectangle of a whole picture of `size`.
    public init(all size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// Its sides.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// Whether it holds no pixel.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The part inside a picture of `size`.
    func clipped(to size: PixelSize) -> PixelRectangle {
        let (left, top) = (min(x, size.width), min(y, size.height))
        return PixelRectangle(
            x: left, y: top, width: min(x + width, size.width) - left,
            height: min(y + height, size.height) - top)
    }

    /// The smallest rectangle around both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}
