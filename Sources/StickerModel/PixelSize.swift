/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size of `width` x `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The canvas of every sticker: 512 x 512 (WhatsApp accepts nothing else).
    public static let sticker = PixelSize(width: 512, height: 512)

    /// The longer side in pixels.
    public var longSide: Int { max(width, height) }

    /// The product of the sides, or `Int.max` where it does not fit an `Int`.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? Int.max : product
    }

    /// Width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The largest size of the same shape inside `box`; each side at least 1 pixel, rounded half up.
    public func fitted(inside box: PixelSize) -> PixelSize {
        guard width * box.height >= height * box.width else {
            return PixelSize(
                width: max(1, (width * box.height * 2 + height) / (height * 2)), height: box.height)
        }
        return PixelSize(
            width: box.width, height: max(1, (height * box.width * 2 + width) / (width * 2)))
    }

    /// For people: `1600x1200`.
    public var description: String { "\(width)x\(height)" }
}
