public import StickerValues

/// The order and width of the samples in a row. Alpha is straight.
public enum SampleLayout: Sendable, Hashable {
    /// Red, green, blue, alpha; 8 bits each.
    case rgba8
    /// Red, green, blue, alpha; 16 bits each in the machine's byte order.
    case rgba16
    /// Cyan, magenta, yellow, black; 8 bits each, 0 means no ink.
    case cmyk8
    /// Cyan, magenta, yellow, black, alpha; 8 bits each.
    case cmyka8

    /// Bytes of one pixel.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba8, .cmyk8: 4
        case .rgba16: 8
        case .cmyka8: 5
        }
    }

    /// Whether the samples are inks, which become pixels in the colour stage.
    public var isInk: Bool { self == .cmyk8 || self == .cmyka8 }
}

/// The eight ways a picture may be stored in its file (EXIF tag 0x0112); the raw value is the tag's.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
    case up = 1
    case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

    /// Whether setting the picture upright swaps width and height.
    public var transposes: Bool { rawValue >= 5 }
}

/// The colours stated by a file; unstated ones are sRGB.
public enum ColorDescription: Sendable, Hashable {
    /// sRGB, stated or assumed.
    case sRGB
    /// An ICC profile (ISO 15076-1), as embedded.
    case icc([UInt8])
    /// A PNG gAMA value: samples are light to the power of this, 0.45455 for example.
    case gamma(Double)
}

/// The facts about a picture before its pixels are decoded.
public struct ImageHeader: Sendable, Hashable {
    /// The format, detected from the bytes.
    public var format: ImageFormat
    /// The stored size, before orientation.
    public var size: PixelSize
    /// The layout of delivered rows.
    public var layout: SampleLayout
    /// How the picture is stored in the file.
    public var orientation: Orientation
    /// Whether any pixel may be less than opaque.
    public var hasAlpha: Bool
    /// The colours of the samples.
    public var color: ColorDescription
    /// For the job log: `8 bit palette, interlaced`.
    public var detail: String
    /// Oddities that do not stop the work.
    public var warnings: [Warning]
    /// Characters of its texts that no font has; `nil` if there are none.
    public var unknownCharacters: UnknownCharacters?

    /// Creates a header; see the properties.
    public init(
        format: ImageFormat, size: PixelSize, layout: SampleLayout, orientation: Orientation = .up,
        hasAlpha: Bool, color: ColorDescription = .sRGB, detail: String, warnings: [Warning] = [],
        unknownCharacters: UnknownCharacters? = nil
    ) {
        self.format = format
        self.size = size
        self.layout = layout
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.color = color
        self.detail = detail
        self.warnings = warnings
        self.unknownCharacters = unknownCharacters
    }
}
