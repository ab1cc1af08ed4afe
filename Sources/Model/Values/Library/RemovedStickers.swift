/// `out/_removed.json`, or a later page of it: the removed stickers, the last removed first. Their ids are never given
/// to other pictures, not even after a rebuild from the published files.
///
/// Schema: `deploy/schema/removed.schema.json`.
public struct RemovedStickers: Hashable, Sendable, Codable {
    /// The name of the first page in `out`; an id never begins with `_`.
    public static let fileName = "_removed.json"
    /// The prefix of further pages' names.
    public static let pagePrefix = "_removed-"

    /// The version of the format.
    public var version: Int
    /// Counts up with every published change of the list; only on its first page.
    public var generation: Int?
    /// At most one page of them.
    public var removed: [RemovedSticker]
    /// The next page, of the same form.
    public var nextURL: String?

    /// Creates a list, or one page of it.
    public init(
        version: Int = Manifest.currentVersion, generation: Int?, removed: [RemovedSticker],
        nextURL: String? = nil
    ) {
        self.version = version
        self.generation = generation
        self.removed = removed
        self.nextURL = nextURL
    }
}

/// A removed sticker.
public struct RemovedSticker: Hashable, Sendable, Codable {
    /// Its id, which it gets back if its picture comes back.
    public var identifier: StickerID
    /// Its published title; its id if release 0.4 removed it and nothing else is known.
    public var title: String
    /// The category that showed it.
    public var category: CategoryID
    /// The hash of its source file, by which that file is recognised; absent if unknown.
    public var sha256: ContentHash?
    /// When it was removed, in ISO 8601.
    public var removedAt: String
    /// The sticker that shows its picture now; absent unless its file turned out to be the next version of that
    /// sticker's file.
    public var successor: StickerID?

    /// Creates an entry of the list.
    public init(
        identifier: StickerID, title: String, category: CategoryID, sha256: ContentHash?,
        removedAt: String, successor: StickerID? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.category = category
        self.sha256 = sha256
        self.removedAt = removedAt
        self.successor = successor
    }
}
