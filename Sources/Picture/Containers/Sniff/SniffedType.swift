public import StickerValues

/// The type of a file by its first bytes.
public enum SniffedType: Sendable, Hashable {
    /// A format with a decoder here.
    case picture(ImageFormat)
    /// A known but unsupported type, in words for people: `an SVG drawing`.
    case foreign(String)
    /// An unknown type.
    case unknown
}
