public import StickerValues

extension IMGLYLibrary {
    /// Creates a whole library.
    ///
    /// - Parameters:
    ///   - categories: the static ones.
    ///   - smart: the category of smart stickers.
    ///   - theirs: the category of a user's stickers.
    ///   - personal: whether users may add stickers, and their tint mode.
    public init(
        categories: [Category], smart: Category?, theirs: Category? = nil,
        personal: PersonalConfiguration
    ) {
        self.init(
            categories: categories, smart: smart, theirs: theirs,
            personalStickers: personal.drop != nil, tintMode: personal.tintMode)
    }
}
