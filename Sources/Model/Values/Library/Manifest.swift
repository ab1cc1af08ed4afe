/// `out/<category>/manifest.json`: everything an app needs to show a category.
///
/// Absent values are left out, never null. URLs are relative to the manifest's folder, or absolute if a public base URL
/// is configured. Schema: `deploy/schema/manifest.schema.json`.
public struct Manifest: Hashable, Sendable, Codable {
    /// The version of the format.
    public static let currentVersion = 1

    /// The version of the format.
    public var version: Int
    /// Counts up with every published change of the category.
    public var generation: Int
    /// The id of the category.
    public var identifier: CategoryID
    /// The title.
    public var title: String
    /// The description; absent if there is none, like all that follow except the stickers.
    public var description: String?
    /// The author.
    public var publisher: String?
    /// The licence, in words.
    public var licence: String?
    /// Links to more information.
    public var links: Links?
    /// Specific words of its packs, by platform.
    public var packs: [PackPlatform: PackWords]?
    /// The category's folder, unless the title comes from it.
    public var folder: String?
    /// A preview: the largest PNG thumbnail of the cover.
    public var imageURL: String?
    /// The 96x96 PNG that represents the category.
    public var trayURL: String?
    /// The readiness of the category, by platform; absent if no packs are kept, and on further pages.
    public var readiness: [PackPlatform: Readiness]?
    /// The stickers in order, at most one page of them.
    public var stickers: [ManifestSticker]
    /// The next page, of the same form.
    public var nextURL: String?

    /// Creates a manifest, or one page of it.
    public init(
        version: Int = Manifest.currentVersion, generation: Int, identifier: CategoryID,
        title: String, words: CategoryWords = CategoryWords(), folder: String? = nil,
        imageURL: String? = nil, trayURL: String? = nil,
        stickers: [ManifestSticker], nextURL: String? = nil
    ) {
        self.version = version
        self.generation = generation
        self.identifier = identifier
        self.title = title
        description = words.description
        publisher = words.publisher
        licence = words.licence
        links = words.links
        packs = words.packs
        self.folder = folder
        self.imageURL = imageURL
        self.trayURL = trayURL
        self.stickers = stickers
        self.nextURL = nextURL
    }
}

extension Manifest {
    /// The category's words besides its folder's name.
    public var words: CategoryWords {
        var words = CategoryWords()
        words.title = folder == nil ? nil : title
        words.description = description
        words.publisher = publisher
        words.licence = licence
        words.links = links
        words.packs = packs
        return words
    }
}

/// One sticker of a manifest.
public struct ManifestSticker: Hashable, Sendable, Codable {
    /// The file the sticker was made from.
    public struct Source: Hashable, Sendable, Codable {
        /// The base name; if it is not valid UTF-8, its bytes are written as `%XX`.
        public var name: String
        /// `percent` if `name` is written with `%XX`.
        public var nameEncoding: String?
        /// The hash of the file's bytes.
        public var sha256: ContentHash
        /// True if the file no longer exists because the sticker was restored from the trash. Absent otherwise.
        public var missing: Bool?
        /// Words about the sticker under earlier names of the file that still apply; absent if there are none. Only a
        /// rebuild from the published files needs them.
        public var keptWords: StickerWords?
        /// The sticker's concessions beyond the rules of its category; absent if there are none. Only a rebuild from
        /// the published files needs them.
        public var concessions: Concessions?
        /// The names of the file in its folder in other formats, the latest first; absent if there are none. Words
        /// about these names still apply. Only a rebuild from the published files needs them.
        public var formerNames: [String]?

        /// Creates the description of a source file.
        public init(
            name: String, nameEncoding: String?, sha256: ContentHash, missing: Bool? = nil,
            keptWords: StickerWords? = nil, concessions: Concessions? = nil,
            formerNames: [String]? = nil
        ) {
            self.name = name
            self.nameEncoding = nameEncoding
            self.sha256 = sha256
            self.missing = missing
            self.keptWords = keptWords
            self.concessions = concessions
            self.formerNames = formerNames
        }
    }

    /// One file of the sticker.
    public struct File: Hashable, Sendable, Codable {
        /// Its purpose.
        public var role: StickerFile.Role
        /// The target whose rules it follows, for the roles `sticker` and `rendition`.
        public var target: String?
        /// Its format.
        public var format: ImageFormat
        /// Its address.
        public var url: String
        /// The width in pixels.
        public var width: Int
        /// The height in pixels.
        public var height: Int
        /// The size in bytes.
        public var bytes: Int
        /// The hash of its content.
        public var sha256: ContentHash
        /// The number of frames, if it moves.
        public var frames: Int?
        /// The playing time, if it moves.
        public var durationMilliseconds: Int?
        /// How it was encoded, for the role `rendition`; the sticker has its own `encoding`.
        public var encoding: Encoding?

        /// Describes `file` at `url`.
        public init(_ file: StickerFile, url: String) {
            role = file.role
            target = file.target
            format = file.format
            self.url = url
            width = file.size.width
            height = file.size.height
            bytes = file.bytes
            sha256 = file.sha256
            frames = file.frames
            durationMilliseconds = file.durationMilliseconds
            encoding = file.role == .rendition ? file.encoding : nil
        }
    }

    /// The sticker in another style.
    public struct Variant: Hashable, Sendable, Codable {
        /// The name of the style.
        public var style: String
        /// The file of the first target.
        public var imageURL: String
        /// The PNG for consumers without WebP.
        public var companionURL: String?
        /// Its files.
        public var files: [File]
    }

    /// The id.
    public var identifier: StickerID
    /// The title.
    public var title: String
    /// The emoji with the same meaning.
    public var emojis: [String]
    /// Search words besides its title; absent if there are none, like all that follow.
    public var keywords: [String]?
    /// The text for screen readers; its title if absent.
    public var accessibilityText: String?
    /// Its number among the stickers of its category.
    public var order: Int?
    /// True if it is shown before others where stickers are offered.
    public var pinned: Bool?
    /// The suitable audience.
    public var rating: Rating?
    /// How apps may tint it.
    public var tintMode: TintMode?
    /// Its author, if not the publisher of the category.
    public var publisher: String?
    /// Its licence, if not that of the category.
    public var licence: String?
    /// Links to more information, if other than the category's.
    public var links: Links?
    /// Whether it moves.
    public var animated: Bool
    /// The file of the first target.
    public var imageURL: String
    /// The PNG or GIF for consumers without WebP.
    public var companionURL: String?
    /// The largest PNG thumbnail.
    public var thumbnailURL: String?
    /// Every file, except those of `variants`.
    public var files: [File]
    /// Its style; absent if there is no other, like `variants`.
    public var style: String?
    /// The sticker in its other styles, in order: a tap on it may show the next one.
    public var variants: [Variant]?
    /// The file it was made from.
    public var source: Source
    /// How the file of the first target was encoded.
    public var encoding: Encoding
    /// The further targets without a file; absent if there are none.
    public var shortfalls: [Shortfall]?
    /// Its appearance in a chat; absent if an older release made it.
    public var appearance: Appearance?
    /// When it was first published, in ISO 8601; absent in manifests of release 0.4.
    public var publishedAt: String?
    /// When its picture, words or category last changed; changed addresses do not count.
    public var changedAt: String?

    /// Creates the entry of a sticker made as `product`, which includes a file of the role sticker; `url` returns the
    /// address of a file. `words` holds everything besides title and emoji.
    public init(
        identifier: StickerID, title: String, emojis: [String], product: StickerProduct,
        source: Source, words: StickerWords = StickerWords(), url: (StickerFile) -> String
    ) {
        self.identifier = identifier
        self.title = title
        self.emojis = emojis
        keywords = words.keywords
        accessibilityText = words.accessibilityText
        order = words.order
        pinned = words.pinned == true ? true : nil
        rating = words.rating
        tintMode = words.tintMode
        publisher = words.publisher
        licence = words.licence
        links = words.links
        animated = product.animated
        files = product.files.filter { $0.role != .variant }.map { File($0, url: url($0)) }
        style = product.files.first?.style
        variants = Self.variants(of: product, url)
        guard let image = files.first(where: { $0.role == .sticker }) else {
            preconditionFailure("the product of \(identifier) has no file of the role sticker")
        }
        imageURL = image.url
        companionURL = files.first { $0.role == .companion }?.url
        thumbnailURL = product.largestPNGThumbnail.map(url)
        self.source = source
        encoding = product.encoding
        shortfalls = product.shortfalls.isEmpty ? nil : product.shortfalls.map(\.published)
        appearance = product.appearance
    }

    private static func variants(
        of product: StickerProduct, _ url: (StickerFile) -> String
    ) -> [Variant]? {
        var variants: [Variant] = []
        for file in product.files where file.role == .variant {
            let found = File(file, url: url(file))
            // The first file of a style is the sticker, the second its copy.
            if let style = file.style, variants.last?.style != style {
                variants.append(Variant(style: style, imageURL: found.url, files: [found]))
            } else if !variants.isEmpty {
                variants[variants.count - 1].companionURL = found.url
                variants[variants.count - 1].files.append(found)
            }
        }
        return variants.isEmpty ? nil : variants
    }

    /// Whether two entries show the same, regardless of addresses, dates and measured appearance.
    public func showsTheSame(as other: ManifestSticker) -> Bool { content == other.content }

    private var content: ManifestSticker {
        var content = self
        (content.imageURL, content.companionURL, content.thumbnailURL) = ("", nil, nil)
        (content.publishedAt, content.changedAt) = (nil, nil)
        content.appearance = nil
        (content.source.keptWords, content.source.concessions) = (nil, nil)
        content.source.formerNames = nil
        for index in content.files.indices { content.files[index].url = "" }
        for index in (content.variants ?? []).indices {
            content.variants?[index].imageURL = ""
            content.variants?[index].companionURL = nil
            for file in (content.variants?[index].files ?? []).indices {
                content.variants?[index].files[file].url = ""
            }
        }
        return content
    }
}

extension StickerProduct {
    /// The preview that any consumer can show.
    public var largestPNGThumbnail: StickerFile? {
        files.filter { $0.role == .thumbnail && $0.format == .png }
            .max { $0.size.width < $1.size.width }
    }

    /// The 96x96 PNG.
    public var tray: StickerFile? { files.first { $0.role == .tray } }
}

/// `out/index.json`: the categories that have stickers.
public struct LibraryIndex: Hashable, Sendable, Codable {
    /// One category.
    public struct Category: Hashable, Sendable, Codable {
        /// The id.
        public var identifier: CategoryID
        /// The title.
        public var title: String
        /// The address of its manifest.
        public var manifestURL: String

        /// Creates a category of the index.
        public init(identifier: CategoryID, title: String, manifestURL: String) {
            self.identifier = identifier
            self.title = title
            self.manifestURL = manifestURL
        }
    }

    /// The version of the format.
    public var version: Int
    /// Counts up with every published change of the list.
    public var generation: Int
    /// The categories, ordered by id.
    public var categories: [Category]

    /// Creates an index.
    public init(
        version: Int = Manifest.currentVersion, generation: Int, categories: [Category]
    ) {
        self.version = version
        self.generation = generation
        self.categories = categories
    }
}
