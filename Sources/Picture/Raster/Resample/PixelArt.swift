public import StickerValues

/// Art with deliberately visible pixels, for scaling.
public struct PixelArt: Hashable, Sendable {
    /// The size in pixels of the art, as stored: that of its file divided by `block`.
    public var size: PixelSize
    /// Columns and rows of the file per pixel of the art: more than 1 if it was enlarged before.
    public var block: Int
    /// The number of different colours, if they were counted.
    public var colors: Int?

    /// Creates a description; see the properties.
    public init(size: PixelSize, block: Int = 1, colors: Int? = nil) {
        self.size = size
        self.block = block
        self.colors = colors
    }

    /// Describes a picture of `drawn` pixels in which each pixel of the art takes `block` columns and rows.
    public init(blocksOf block: Int, in drawn: PixelSize) {
        let size = PixelSize(width: drawn.width / block, height: drawn.height / block)
        self.init(size: size, block: block)
    }

    /// The whole factor by which the art can be enlarged inside `box`.
    ///
    /// - Parameter box: the size of the whole picture on the canvas, in the shape and orientation of `size`.
    /// - Returns: the factor, or `nil` if less than three quarters of the box would be filled.
    public func factor(inside box: PixelSize) -> Int? {
        let factor = min(box.width / size.width, box.height / size.height)
        return 4 * factor * size.longSide >= 3 * box.longSide ? factor : nil
    }
}
