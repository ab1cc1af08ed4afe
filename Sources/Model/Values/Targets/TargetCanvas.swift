/// A platform's canvas, and how a picture is placed on it.
public struct TargetCanvas: Hashable, Sendable, Codable {
    /// How the canvas relates to its box of `width` x `height`.
    public enum Fit: String, Sendable, Codable, CaseIterable {
        /// The canvas is the box; the part outside the picture is transparent.
        case exact
        /// The canvas is the picture, with neither side longer than the box. Small pictures are not enlarged.
        case within
        /// The canvas is the picture, with one side exactly as long as that of the box and the other no longer.
        case touch
    }

    /// The width of the box.
    public var width: Int
    /// The height of the box.
    public var height: Int
    /// How the canvas relates to the box.
    public var fit: Fit
    /// Transparent pixels on every side.
    public var marginPixels: Int
    /// Both sides of the canvas are multiples of this; transparent pixels pad them.
    public var sideMultiple: Int

    /// Creates a canvas; see the properties.
    public init(
        width: Int, height: Int, fit: Fit = .exact, marginPixels: Int = 0, sideMultiple: Int = 1
    ) {
        self.width = width
        self.height = height
        self.fit = fit
        self.marginPixels = marginPixels
        self.sideMultiple = sideMultiple
    }

    /// The size at which an upright picture of `size` is drawn.
    public func drawn(_ size: PixelSize) -> PixelSize {
        let room = PixelSize(
            width: max(1, width - 2 * marginPixels), height: max(1, height - 2 * marginPixels))
        if fit == .within, size.width <= room.width, size.height <= room.height { return size }
        return size.scaled(into: room)
    }

    /// The size of the canvas for an upright picture of `size`.
    public func size(for size: PixelSize) -> PixelSize {
        guard fit != .exact else { return PixelSize(width: width, height: height) }
        let drawn = drawn(size)
        return PixelSize(width: side(drawn.width), height: side(drawn.height))
    }

    private func side(_ drawn: Int) -> Int {
        (drawn + 2 * marginPixels + sideMultiple - 1) / sideMultiple * sideMultiple
    }
}
