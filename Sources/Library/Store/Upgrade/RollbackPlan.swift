public import StickerModel

/// What going back to the release before means for a library.
public struct RollbackPlan: Hashable, Sendable, Encodable {
    /// A sticker that changed since the upgrade.
    public struct Sticker: Hashable, Sendable, Encodable {
        /// Its id.
        public var sticker: StickerID
        /// The category that shows it.
        public var category: CategoryID
        /// Its file, below its drop and escaped; absent if it has none.
        public var file: String?
        /// The file that it had at the upgrade; absent if it was another sticker's, or none.
        public var formerFile: String?
        /// What becomes of it; absent where that is the same for all.
        public var fate: Fate?
    }

    /// What becomes of a sticker that the older release does not know.
    public enum Fate: String, Sendable, Encodable {
        /// It keeps its id; the older release makes it of its file.
        case made
        /// The older release does not read its file. The id is not given to another one.
        case unread
        /// It has no file, or one that came with this release. The id is not given to another one.
        case gone
    }

    /// A category that came, or whose folder was renamed, since the upgrade.
    public struct Category: Hashable, Sendable, Encodable {
        /// Its id, which stays.
        public var category: CategoryID
        /// The name of its folder, escaped.
        public var folder: String
        /// The name that it had; absent if the category came.
        public var formerFolder: String?
    }

    /// The release that the library goes back to.
    public var to: String
    /// When its database was copied.
    public var copiedAt: Timestamp
    /// Stickers that were there at the upgrade, and keep ids and files.
    public var kept = 0
    /// Stickers that came since.
    public var came: [Sticker] = []
    /// Stickers whose file was renamed or moved since, or has another sticker's id now.
    public var renamed: [Sticker] = []
    /// Stickers whose file has other bytes since: the older release makes them again.
    public var replaced: [Sticker] = []
    /// Stickers that were removed since, and stay removed.
    public var removed: [Sticker] = []
    /// Categories that came or were renamed since.
    public var categories: [Category] = []
    /// Published files that are missing, as paths below `out`: the older release makes their stickers again.
    public var missing: [String] = []
    /// Keys that differ from their defaults and that the older release does not know.
    public var unknownKeys: [String] = []
}
