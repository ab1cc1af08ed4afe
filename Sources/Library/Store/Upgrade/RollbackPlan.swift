public import StickerValues

/// The effect of a rollback on a library.
public struct RollbackPlan: Hashable, Sendable, Encodable {
    /// A sticker that changed since the upgrade.
    public struct Sticker: Hashable, Sendable, Encodable {
        /// Its id.
        public var sticker: StickerID
        /// The category that shows it.
        public var category: CategoryID
        /// Its file, below its drop and escaped; absent if it has none.
        public var file: String?
        /// Its file at the upgrade; absent if that was another sticker's, or there was none.
        public var formerFile: String?
        /// Its fate; absent where all have the same.
        public var fate: Fate?
    }

    /// The fate of a sticker that the older release does not know.
    public enum Fate: String, Sendable, Encodable {
        /// It keeps its id; the older release makes it from its file.
        case made
        /// The older release does not read its file. Its id stays reserved.
        case unread
        /// It has no file, or one that came with this release. Its id stays reserved.
        case gone
    }

    /// A category added, or whose folder was renamed, since the upgrade.
    public struct Category: Hashable, Sendable, Encodable {
        /// Its id, which stays.
        public var category: CategoryID
        /// The name of its folder, escaped.
        public var folder: String
        /// Its former name; absent if the category is new.
        public var formerFolder: String?
    }

    /// The release to go back to.
    public var to: String
    /// When its database was copied.
    public var copiedAt: Timestamp
    /// Stickers present at the upgrade that keep ids and files.
    public var kept = 0
    /// Stickers added since.
    public var came: [Sticker] = []
    /// Stickers whose file was renamed or moved since, or has another sticker's id now.
    public var renamed: [Sticker] = []
    /// Stickers whose file changed since: the older release makes them again.
    public var replaced: [Sticker] = []
    /// Stickers removed since, which stay removed.
    public var removed: [Sticker] = []
    /// Categories added or renamed since.
    public var categories: [Category] = []
    /// Published files that are missing, as paths below `out`: the older release makes their stickers again.
    public var missing: [String] = []
    /// Keys that are not at their defaults and that the older release does not know.
    public var unknownKeys: [String] = []
}
