/// How the pixels of a picture in its new size are made of those in its old one.
public enum ResampleFilter: Hashable, Sendable {
    /// Lanczos3: smooth.
    case lanczos3
    /// The nearest pixel, as it is.
    case nearest
    /// The same for pixel art in a multiple of its size. Of a pixel of which nothing shows, no colour is kept, so that
    /// those that show are all that there are.
    case wholeFactor

    /// The name for the job log.
    public var name: String { self == .lanczos3 ? "lanczos3" : "nearest" }
}
