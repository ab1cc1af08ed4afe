public import StickerPacks
public import StickerValues

/// `current.json` in `out/_packs/<platform>/<category>`: the packs as handed over now. Schema:
/// `deploy/schema/packs.schema.json`.
///
/// It names the folder for consumers and, for a library without its database, the stickers of each pack.
public struct PublishedPacks: Hashable, Sendable, Codable {
    /// The version of the format.
    public static let currentVersion = 1

    /// One part of a category.
    public struct Part: Hashable, Sendable, Codable {
        /// The category.
        public var category: CategoryID
        /// The id of its pack; absent, like the title, if none is handed over.
        public var identifier: String?
        /// The title of its pack.
        public var title: String?
        /// The highest version given.
        public var version: Int
        /// The common property of its stickers.
        public var kind: PartKind
        /// Its number among those of its kind.
        public var number: Int
        /// Its place in the library, on platforms with permanent places.
        public var place: Int?
        /// Its stickers, in order.
        public var stickers: [StickerID]
        /// Identifies the content of its pack.
        public var digest: String?
        /// The pack, if the manifest cannot reproduce it because of a fault.
        public var kept: Pack?
    }

    /// One file below `folder`.
    public struct File: Hashable, Sendable, Codable {
        /// Its path below `folder`, beginning with the form.
        public var path: String
        /// Its size.
        public var bytes: Int
        /// The hash of its bytes.
        public var sha256: ContentHash
    }

    /// The version of the format.
    public var version = PublishedPacks.currentVersion
    /// The platform.
    public var platform: PackPlatform
    /// The folder beside this file that holds the forms, named by its content; absent if there are no packs.
    public var folder: String?
    /// The folders in it, one for each form; the usual one first.
    public var forms: [String]
    /// The files below the folder; absent without a folder, and from an earlier release.
    public var files: [File]?
    /// The parts.
    public var packs: [Part]
}

extension PublishedPacks {
    /// The same without packs: only members and versions. Pictures of a pack that was kept for its faults may go.
    var remembered: PublishedPacks {
        var remembered = self
        (remembered.folder, remembered.forms, remembered.files) = (nil, [], nil)
        remembered.packs = packs.map(\.withoutKept)
        return remembered
    }
}

extension PublishedPacks.Part {
    /// Creates an entry from a stored part.
    public init(_ remembered: RememberedPart, of category: CategoryID) {
        self.category = category
        identifier = remembered.pack?.identifier
        title = remembered.pack?.title
        version = remembered.version
        kind = remembered.part.kind
        number = remembered.part.number
        place = remembered.place > 0 ? remembered.place : nil
        stickers = remembered.part.stickers
        digest = remembered.digest
        // Faulty stickers are in the part but not in its pack.
        let handedOver = remembered.pack?.stickers.map(\.identifier) ?? []
        let isUpToDate = stickers.filter(Set(handedOver).contains) == handedOver
        kept = isUpToDate && !remembered.isKept ? nil : remembered.pack
    }

    /// The same without a pack that is older than the part.
    var withoutKept: PublishedPacks.Part {
        var part = self
        part.kept = nil
        return part
    }

    /// The part in its stored form.
    var remembered: RememberedPart {
        RememberedPart(
            StickerPacks.Part(kind: kind, number: number, stickers: stickers), pack: kept,
            digest: digest, version: version, place: place ?? 0)
    }
}
