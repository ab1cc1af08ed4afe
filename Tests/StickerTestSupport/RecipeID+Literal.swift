public import StickerValues

extension RecipeID: ExpressibleByStringLiteral {
    /// An id as it stands in a test.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
