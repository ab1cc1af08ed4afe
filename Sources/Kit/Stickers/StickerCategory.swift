public import Foundation

/// Stickers that belong together, in order.
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
    /// What it is about.
    public var description: String?
    /// Who made it.
    public var publisher: String?
    /// Under which terms, in words.
    public var licence: String?
    /// Where to find more: `website`, `email`, `privacyPolicy`, `licence`, `appStore` and `playStore`.
    public var links: [String: String] = [:]
    /// Counts up with every published change of the category; 0 if the app made it itself.
    public var generation = 0

    /// Creates a category as the samples of editors do.
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

    /// Creates a category as older samples of editors do; its id is its title.
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
