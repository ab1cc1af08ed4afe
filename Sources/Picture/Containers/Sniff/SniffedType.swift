public import StickerModel

/// What bytes are, judging by how they begin.
public enum SniffedType: Sendable, Hashable {
    /// A format with a decoder here.
    case picture(ImageFormat)
    /// Something known that cannot be read, in words for people: `an SVG drawing`.
    case foreign(String)
    /// Nothing known.
    case unknown
}
