/// An image format that stickerd reads or writes.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png, gif, jpeg, webp

    /// Whether pictures of this format become stickers.
    public var isRead: Bool { self != .webp }

    /// The extensions used for its files, in lower case; a published file has the first.
    public var fileExtensions: [String] {
        switch self {
        case .png: ["png", "apng"]
        case .gif: ["gif"]
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .webp: ["webp"]
        }
    }

    /// The extension of a published file in this format.
    public var fileExtension: String { fileExtensions[0] }
}
