extension IMGLYLibrary {
    /// Creates a whole library; categories with the same name get numbers.
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
        let all = categories + [smart, theirs].compactMap(\.self)
        let named = zip(all, all.map(\.name).numbered).map { category, name in
            var category = category
            category.name = name
            return category
        }
        // As in the editors: the user's own first.
        self.categories =
            named.dropFirst(categories.count).reversed() + named.prefix(categories.count)
        personalStickers = personal.drop != nil
        defaultPersonalStickerTintMode = personal.tintMode
    }
}
