public import Foundation

/// Related stickers, in order.
public struct StickerCategory: Hashable, Sendable, Identifiable {
    /// The id.
    public var identifier: String
    /// The name for people.
    public var title: String
    /// A preview.
    public var imageURL: URL?
    /// The stickers in order.
    public var stickers: [Sticker]
    /// The 96x96 PNG that represents the category.
    public var trayURL: URL?
    /// Its description.
    public var description: String?
    /// Its author.
    public var publisher: String?
    /// Its terms, in words.
    public var licence: String?
    /// Further links: `website`, `email`, `privacyPolicy`, `licence`, `appStore` and `playStore`.
    public var links: [String: String] = [:]
    /// Counts up with every published change of the category; 0 if the app created it.
    public var generation = 0

    /// Creates a category, as in the samples of editors.
    ///
    /// - Parameters:
    ///   - identifier: the id.
    ///   - title: the name for people.
    ///   - imageURL: a preview, if there is one.
    ///   - stickers: the stickers in order.
    public init(identifier: String, title: String, imageURL: URL?, stickers: [Sticker]) {
        self.identifier = identifier
        self.title = title
        self.imageURL = imageURL
        self.stickers = stickers
    }

    /// Creates a category, as in older samples of editors; its id is its title.
    ///
    /// - Parameters:
    ///   - title: the name for people.
    ///   - imageURL: a preview, if there is one.
    ///   - stickers: the stickers in order.
    public init(title: String, imageURL: URL?, stickers: [Sticker]) {
        self.init(identifier: title, title: title, imageURL: imageURL, stickers: stickers)
    }

    /// The same as `identifier`.
    public var id: String { identifier }
}
