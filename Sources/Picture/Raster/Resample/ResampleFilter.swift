/// How the pixels of a resized picture are computed.
public enum ResampleFilter: Hashable, Sendable {
    /// Lanczos3: smooth.
    case lanczos3
    /// The nearest pixel, unchanged.
    case nearest
    /// The same for pixel art in a multiple of its size. Invisible pixels keep no colour, so that only visible colours
    /// remain.
    case wholeFactor

    /// The name for the job log.
    public var name: String { self == .lanczos3 ? "lanczos3" : "nearest" }
}
