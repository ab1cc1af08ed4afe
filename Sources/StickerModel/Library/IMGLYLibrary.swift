/// The part `sticker` of the configuration of IMG.LY's editors, as their wrapper for React Native reads it
/// (https://github.com/imgly/vesdk-react-native, configuration.ts).
public struct IMGLYLibrary: Hashable, Sendable, Encodable {
    /// The category in which its editors show smart stickers.
    public static let smartCategory = "imgly_sticker_category_emoticons"
    /// The category in which its editors show what a user has added.
    public static let personalCategory = "imgly_sticker_category_personal"
    private static let reservedPrefix = "imgly_"

    /// Whether an id is one of its own: those of ours never are.
    public static func isReserved(_ id: some StringProtocol) -> Bool {
        id.hasPrefix(reservedPrefix)
    }

    /// One category.
    public struct Category: Hashable, Sendable, Encodable {
        /// The id, by which documents of users find its stickers.
        public var identifier: String
        /// The name for people; unique, as versions before 8.3.2 end otherwise.
        public var name: String
        /// The address of a picture.
        public var thumbnailURI: String
        /// Its stickers, in order.
        public var items: [Item]

        /// Creates a category.
        public init(identifier: String, name: String, thumbnailURI: String, items: [Item]) {
            (self.identifier, self.name) = (identifier, name)
            (self.thumbnailURI, self.items) = (thumbnailURI, items)
        }
    }

    /// One sticker.
    public struct Item: Hashable, Sendable, Encodable {
        /// The id, by which documents of users find it.
        public var identifier: String
        /// Also what a screen reader says.
        public var name: String
        /// The address of a PNG, a JPEG or a GIF; WebP is on no list of its formats.
        public var stickerURI: String
        /// The address of a small still; its editors make one if it is absent.
        public var thumbnailURI: String?
        /// How it may be coloured: never if it moves.
        public var tintMode: TintMode
        /// Whether brightness, contrast and saturation can be changed: never of what moves, and not by default.
        public var adjustments = false
        /// Its other styles; absent if there are none. The wrapper does not know this key: it is for apps that make a
        /// `MultiImageSticker` of the sticker and these, on which a tap shows the next one.
        public var variants: [Variant]?

        /// Creates a sticker.
        ///
        /// - Parameters:
        ///   - identifier: its id.
        ///   - name: what a screen reader says.
        ///   - stickerURI: the address of its picture.
        ///   - thumbnailURI: that of a small still.
        ///   - tintMode: how it may be coloured if it stands still.
        ///   - moves: whether it moves.
        ///   - variants: its other styles.
        public init(
            identifier: String, name: String, stickerURI: String, thumbnailURI: String?,
            tintMode: TintMode?, moves: Bool, variants: [Variant] = []
        ) {
            (self.identifier, self.name) = (identifier, name)
            (self.stickerURI, self.thumbnailURI) = (stickerURI, thumbnailURI)
            self.tintMode = moves ? .none : tintMode ?? .none
            self.variants = variants.isEmpty ? nil : variants
        }
    }

    /// A sticker in another style.
    public struct Variant: Hashable, Sendable, Encodable {
        /// The id of the sticker, a hyphen, which no id has, and the style.
        public var identifier: String
        /// The name of the style.
        public var style: String
        /// The address of its picture.
        public var stickerURI: String

        /// Creates the variant of a sticker.
        public init(of sticker: StickerID, style: String, stickerURI: String) {
            identifier = "\(sticker)-\(style)"
            (self.style, self.stickerURI) = (style, stickerURI)
        }
    }

    /// The categories, in order.
    public var categories: [Category]
    /// Whether users add stickers of their own; absent, like what follows, in what is a part of a library.
    public var personalStickers: Bool?
    /// How those are coloured at first.
    public var defaultPersonalStickerTintMode: TintMode?

    /// Creates a part of a library.
    public init(categories: [Category]) { self.categories = categories }

    /// Creates a whole library.
    ///
    /// - Parameters:
    ///   - categories: those that do not change by themselves.
    ///   - smart: the stickers that do; they come first, as in the editors.
    ///   - smartName: the name for people of their category, unless another one has it.
    ///   - personal: whether users may add something, and how that is coloured.
    public init(
        categories: [Category], smart: [Item], smartName: String?, personal: PersonalConfiguration
    ) {
        self.categories = categories
        personalStickers = personal.drop != nil
        defaultPersonalStickerTintMode = personal.tintMode
        guard let first = smart.first else { return }
        let isTaken = categories.contains { $0.name == smartName }
        let category = Category(
            identifier: Self.smartCategory,
            name: (isTaken ? nil : smartName) ?? "Smart stickers",
            thumbnailURI: first.thumbnailURI ?? first.stickerURI, items: Self.named(smart))
        self.categories.insert(category, at: 0)
    }

    /// Gives those of some stickers a number that have the name of an earlier one.
    ///
    /// - Parameter items: the stickers of a category.
    /// - Returns: the same stickers in the same order; each name is there once.
    public static func named(_ items: [Item]) -> [Item] {
        zip(items, items.map(\.name).numbered).map { item, name in
            var item = item
            item.name = name
            return item
        }
    }
}

extension [String] {
    /// Each text once: of those that are the same, all but the first get a number.
    package var numbered: [String] {
        var taken: Set<String> = []
        let own = Set(self)
        return map { text in
            var name = text
            var number = 1
            while taken.contains(name) || number > 1 && own.contains(name) {
                number += 1
                name = "\(text) \(number)"
            }
            taken.insert(name)
            return name
        }
    }
}
