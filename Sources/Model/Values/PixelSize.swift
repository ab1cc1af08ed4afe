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

    /// The product of the sides, or `Int.max` if it does not fit into an `Int`.
    public var pixelCount: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? Int.max : product
    }

    /// Width and height swapped.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The size with `pixels` more on every side.
    public func grown(by pixels: Int) -> PixelSize {
        PixelSize(width: width + 2 * pixels, height: height + 2 * pixels)
    }

    /// The size multiplied by an integer.
    public func enlarged(_ factor: Int) -> PixelSize {
        PixelSize(width: width * factor, height: height * factor)
    }

    /// The largest size of the same shape inside `box`; each side is at least 1 pixel, rounded half up.
    ///
    /// Sides below 1 count as 1. Any two sizes are allowed, whatever a hostile header claims.
    public func scaled(into box: PixelSize) -> PixelSize {
        guard width > 0, height > 0, box.width > 0, box.height > 0 else {
            return raisedToOne.scaled(into: box.raisedToOne)
        }
        // In 128 bits, so that the product of two sides cannot overflow.
        let (ownWidth, ownHeight) = (Int128(width), Int128(height))
        let (boxWidth, boxHeight) = (Int128(box.width), Int128(box.height))
        guard ownWidth * boxHeight >= ownHeight * boxWidth else {
            let fitting = (ownWidth * boxHeight * 2 + ownHeight) / (ownHeight * 2)
            return PixelSize(width: max(1, Int(fitting)), height: box.height)
        }
        let fitting = (ownHeight * boxWidth * 2 + ownWidth) / (ownWidth * 2)
        return PixelSize(width: box.width, height: max(1, Int(fitting)))
    }

    private var raisedToOne: PixelSize { PixelSize(width: max(1, width), height: max(1, height)) }

    /// `1600x1200`
    public var description: String { "\(width)x\(height)" }
}
