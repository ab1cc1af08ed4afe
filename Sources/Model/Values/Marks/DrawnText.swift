public import FoundationEssentials

/// The pixels of a text, drawn once for all stickers that wear it.
public struct DrawnText: Hashable, Sendable, Codable {
    /// The most pixels on a side.
    public static let sideMax = 2048
    /// The most pixels in all.
    public static let pixelsMax = 262_144
    /// The most bytes of all texts of a category, which are sent with each picture.
    public static let totalBytesMax = 2_000_000

    /// The size in pixels, tight around the visible part.
    public var size: PixelSize
    /// Straight RGBA, 8 bits a channel, row-major, top row first, no padding: 4 bytes for each pixel.
    public var rows: Data
    /// How many of its pixels cover one pixel of a canvas whose longer side has 512.
    public var scale: Double
    /// The number of its rows above the baseline of the first line; negative if all of it is below.
    public var rise: Int
    /// The characters drawn as boxes; `nil` if there are none.
    public var unknown: UnknownCharacters?

    /// Creates a drawn text; see the properties.
    public init(
        size: PixelSize, rows: Data, scale: Double, rise: Int = 0,
        unknown: UnknownCharacters? = nil
    ) {
        self.size = size
        self.rows = rows
        self.scale = scale
        self.rise = rise
        self.unknown = unknown
    }

    /// The scale at which texts are drawn unless that makes them too large.
    public static let scale = 2.0

    /// The possible scales: the longest text is this small in its largest font.
    public static let scales = 0.001...scale

    /// Whether a size is within the limits.
    public static func allows(_ size: PixelSize) -> Bool {
        size.width > 0 && size.height > 0 && size.longSide <= sideMax
            && size.pixelCount <= pixelsMax
    }
}
