/// Everything besides the bytes of a file that decides what its sticker looks like.
///
/// Equal bytes and equal recipes give equal files, so they are made once.
public struct Recipe: Hashable, Sendable, Codable {
    /// Raised whenever the code makes other pixels or bytes from the same input.
    public static let currentRevision = 2

    /// The revision of the code.
    public var revision: Int
    /// The settings of the category.
    public var settings: StickerSettings

    /// The recipe of a category with `settings`. Emoji stand in manifests, not in pictures, so they
    /// are no part of it.
    public init(settings: StickerSettings, revision: Int = Recipe.currentRevision) {
        self.settings = settings
        self.settings.emojis = []
        self.revision = revision
    }
}
