/// An image format that stickerd reads or writes.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png, jpeg, gif, webp

    /// The extension of a published file in this format.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
