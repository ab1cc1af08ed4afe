public import StickerModel
public import StickerPacks

/// `current.json` in `out/_packs/<platform>/<category>`: the packs as they are handed over now. Shape:
/// `deploy/schema/packs.schema.json`.
///
/// It tells consumers which folder to take, and a library that has lost its database which sticker is in which pack.
public struct PublishedPacks: Hashable, Sendable, Codable {
    /// The version of the format.
    public static let currentVersion = 1

    /// One part of a category.
    public struct Part: Hashable, Sendable, Codable {
        /// The category.
        public var category: CategoryID
        /// The id of its pack; absent, like the title, if none is handed over.
        public var identifier: String?
        /// The name of its pack for people.
        public var title: String?
        /// The highest version that was given.
        public var version: Int
        /// What its stickers have in common.
        public var kind: PartKind
        /// Its number among those of its kind.
        public var number: Int
        /// Its place in the library, on platforms where a place is for ever.
        public var place: Int?
        /// Its stickers, in order.
        public var stickers: [StickerID]
        /// What tells its pack from others.
        public var digest: String?
        /// The pack, if that cannot be made from the manifest now, because it has a fault.
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
    /// The files below the folder; absent without a folder, and in what an earlier release wrote.
    public var files: [File]?
    /// The parts.
    public var packs: [Part]
}

extension PublishedPacks {
    /// The same without packs that are handed over: members and versions alone. Pictures of a pack that was kept for its
    /// faults may go.
    var remembered: PublishedPacks {
        var remembered = self
        (remembered.folder, remembered.forms, remembered.files) = (nil, [], nil)
        remembered.packs = packs.map(\.withoutKept)
        return remembered
    }
}

extension PublishedPacks.Part {
    /// Describes what is remembered of a part.
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
        // Stickers with a fault are in the part and not in its pack.
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

    /// What the books would remember of it.
    var remembered: RememberedPart {
        RememberedPart(
            StickerPacks.Part(kind: kind, number: number, stickers: stickers), pack: kept,
            digest: digest, version: version, place: place ?? 0)
    }
}
