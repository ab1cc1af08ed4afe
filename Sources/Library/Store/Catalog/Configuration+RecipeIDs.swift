public import StickerConfiguration
public import StickerValues

extension Configuration {
    /// The ids of the recipe of a category.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - concessions: of a sticker.
    /// - Returns: the ids; `nil` while a picture of a mark is missing, when what is published stays.
    public func recipeIDs(
        of category: CategoryNames, granting concessions: Concessions = Concessions()
    ) -> RecipeIDs? {
        guard missingMarks(of: category).isEmpty else { return nil }
        return recipe(of: category).granting(concessions).ids
    }
}
