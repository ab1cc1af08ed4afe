public import StickerValues

extension StickerProduct {
    /// A product of this revision of the code, for WhatsApp alone.
    public init(recipe: RecipeID, animated: Bool, encoding: Encoding, files: [StickerFile]) {
        self.init(
            recipe: recipe, revision: Recipe.currentRevision, animated: animated,
            encoding: encoding, files: files)
    }
}
