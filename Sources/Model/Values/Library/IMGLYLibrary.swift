/// The part `sticker` of the configuration of IMG.LY's editors, as their wrapper for React Native reads it
/// (https://github.com/imgly/vesdk-react-native, configuration.ts).
public struct IMGLYLibrary: Hashable, Sendable, Encodable {
    /// The category in which its editors show smart stickers.
    public static let smartCategory = "imgly_sticker_category_emoticons"
    /// The title of smart stickers without one.
    public static let smartName = "Smart stickers"
    /// The category in which its editors show stickers added by a user.
    public static let personalCategory = "imgly_sticker_category_personal"
    private static let reservedPrefix = "imgly_"

    /// Whether an id is one of its own: ours never are.
    public static func isReserved(_ id: some StringProtocol) -> Bool {
        id.hasPrefix(reservedPrefix)
    }

    /// One category.
    public struct Category: Hashable, Sendable, Encodable {
        /// The id, by which documents of users find its stickers.
        public var identifier: String
        /// The title; unique, as versions before 8.3.2 crash otherwise.
        public var name: String
        /// The address of a picture.
        public var thumbnailURI: String
        /// Its stickers, in order.
        public var items: [Item]

        /// Creates a category; `nil` if it is empty.
        ///
        /// - Parameters:
        ///   - identifier: its id.
        ///   - name: its title.
        ///   - thumbnailURI: the address of its picture; that of its first sticker if it has none.
        ///   - items: its stickers; those with the name of an earlier one get a number.
        public init?(
            identifier: String, name: String, thumbnailURI: String? = nil, items: [Item]
        ) {
            guard let first = items.first else { return nil }
            (self.identifier, self.name) = (identifier, name)
            self.thumbnailURI = thumbnailURI ?? first.thumbnailURI ?? first.stickerURI
            self.items = items.numbered(\.name)
        }
    }

    /// One sticker.
    public struct Item: Hashable, Sendable, Encodable {
        /// The id, by which documents of users find it.
        public var identifier: String
        /// The title, also for screen readers.
        public var name: String
        /// The address of a PNG, a JPEG or a GIF; its documented formats do not include WebP.
        public var stickerURI: String
        /// The address of a small still; its editors make one if it is absent.
        public var thumbnailURI: String?
        /// How it may be tinted: never if it moves.
        public var tintMode: TintMode
        /// Whether brightness, contrast and saturation can be changed: never of animations, and not by default.
        public var adjustments = false
        /// Its other styles; absent if there are none. The wrapper does not know this key: it is for apps that make a
        /// `MultiImageSticker` of the sticker and these, on which a tap shows the next one.
        public var variants: [Variant]?

        /// Creates a sticker.
        ///
        /// - Parameters:
        ///   - identifier: its id.
        ///   - name: the text for screen readers.
        ///   - stickerURI: the address of its picture.
        ///   - thumbnailURI: the address of a small still.
        ///   - tintMode: how it may be tinted as a still.
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
    /// Whether users may add stickers; absent, like the next, in a part of a library.
    public var personalStickers: Bool?
    /// Their initial tint mode.
    public var defaultPersonalStickerTintMode: TintMode?

    /// Creates a part of a library.
    public init(categories: [Category]) { self.categories = categories }

    /// Creates a whole library; categories with the same name get numbers.
    ///
    /// - Parameters:
    ///   - categories: the static ones.
    ///   - smart: the category of smart stickers.
    ///   - theirs: the category of a user's stickers.
    ///   - personalStickers: whether users may add stickers.
    ///   - tintMode: the initial tint mode of those.
    public init(
        categories: [Category], smart: Category?, theirs: Category? = nil,
        personalStickers: Bool, tintMode: TintMode
    ) {
        let named = (categories + [smart, theirs].compactMap(\.self)).numbered(\.name)
        // As in the editors: the user's own first.
        self.categories =
            named.dropFirst(categories.count).reversed() + named.prefix(categories.count)
        self.personalStickers = personalStickers
        defaultPersonalStickerTintMode = tintMode
    }
}

extension Array {
    /// The elements, with names that differ.
    fileprivate func numbered(_ name: WritableKeyPath<Element, String>) -> [Element] {
        zip(self, map { $0[keyPath: name] }.numbered).map { element, text in
            var element = element
            element[keyPath: name] = text
            return element
        }
    }
}

extension [String] {
    /// Each text once: of equal ones, all but the first get a number.
    var numbered: [String] {
        let own = Set(self)
        var numbers: [String: Int] = [:]
        return map { text in
            var number = numbers[text, default: 0] + 1
            while number > 1, own.contains("\(text) \(number)") { number += 1 }
            numbers[text] = number
            return number == 1 ? text : "\(text) \(number)"
        }
    }
}
