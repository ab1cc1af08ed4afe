/// The categories that have stickers.
public struct LibraryIndex: Hashable, Sendable, Decodable {
    /// One category.
    public struct Category: Hashable, Sendable, Decodable, Identifiable {
        /// The id, by which ``StickerLibrary/category(_:)`` reads it.
        public var identifier: String
        /// The name for people.
        public var title: String

        /// The same as `identifier`.
        public var id: String { identifier }
    }

    /// Counts up with every published change of the list.
    public var generation: Int
    /// The categories, ordered by id.
    public var categories: [Category]
}
