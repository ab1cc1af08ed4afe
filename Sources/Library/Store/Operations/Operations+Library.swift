import FoundationEssentials
import GRDB
public import StickerValues

/// A category, for lists.
public struct ListedCategory: Hashable, Sendable {
    /// Its id.
    public var identifier: CategoryID
    /// Its title.
    public var title: String
    /// How many stickers it has.
    public var stickers: Int
    /// The published files of its cover, or of its first sticker; `nil` if it has neither.
    public var cover: StickerProduct?
}

/// A sticker, for lists.
public struct ListedSticker: Hashable, Sendable {
    /// Its id.
    public var identifier: StickerID
    /// Its title.
    public var title: String
    /// Its emoji.
    public var emojis: [String]
    /// The path of its file below the folder of its category, as lists in side files name it.
    public var path: String
    /// Its published files.
    public var product: StickerProduct
}

/// The place of a sticker in its category.
public struct OrderedSticker: Hashable, Sendable {
    /// The path of its file below the folder of its category, as lists in side files name it.
    public var path: String
    /// Whether a number of its own counts instead of a list.
    public var isNumbered: Bool
}

/// The words about a sticker or a category, and where its own side file is.
public struct Wording<Words: Hashable & Sendable>: Hashable, Sendable {
    /// The side file, which need not exist; `nil` if there can be none, as there is no file or folder beside which it
    /// would be.
    public var file: SourceKey?
    /// The words that count, of all side files, the name of the file and the configuration.
    public var settled: Words
    /// Words kept from earlier names, with which a new side file begins.
    public var kept: StickerWords?
}

extension Operations {
    /// The categories after another one by their ids.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func categories(
        after: CategoryID? = nil, limit: Int
    ) throws(StoreError) -> [ListedCategory] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT id, title, (SELECT count(*) FROM sticker
                    WHERE sticker.category = category.id AND sticker.entry IS NOT NULL)
                FROM category WHERE id > ? AND EXISTS (SELECT 1
                    FROM category_folder WHERE category_folder.category = category.id)
                ORDER BY id LIMIT ?
                """, [after?.rawValue ?? "", limit]
            ).map { row in
                let category = CategoryID(rawValue: row[0])
                return ListedCategory(
                    identifier: category, title: row[1], stickers: row[2],
                    cover: try transaction.cover(of: category))
            }
        }
    }

    /// A category; `nil` if there is none.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func category(_ category: CategoryID) throws(StoreError) -> ListedCategory? {
        try read { transaction in
            guard
                let row = try transaction.row(
                    """
                    SELECT title, (SELECT count(*) FROM sticker
                        WHERE sticker.category = category.id AND sticker.entry IS NOT NULL)
                    FROM category WHERE id = ?
                    """, [category.rawValue])
            else { return nil }
            return ListedCategory(
                identifier: category, title: row[0], stickers: row[1],
                cover: try transaction.cover(of: category))
        }
    }

    /// Stickers of a category in their order, from number `first` on.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func stickers(
        in category: CategoryID, from first: Int, limit: Int
    ) throws(StoreError) -> [ListedSticker] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT \(SourceRow.columns), sticker.entry FROM sticker INDEXED BY sticker_order
                    CROSS JOIN source ON source.sticker = sticker.id
                WHERE sticker.category = ? AND entry IS NOT NULL
                ORDER BY sort_key, sticker.id LIMIT ? OFFSET ?
                """, [category.rawValue, limit, first]
            ).compactMap { row in
                let source = try SourceRow(row)
                let entry = try StoredJSON.decode(
                    ManifestSticker.self, json: row[SourceRow.width] as Data)
                guard let product = try source.output.flatMap({ try transaction.product($0) })
                else { return nil }
                return ListedSticker(
                    identifier: entry.identifier, title: entry.title, emojis: entry.emojis,
                    path: WordsName.of(path: source.pathInCategory), product: product)
            }
        }
    }

    /// All stickers of a category in their order.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func order(of category: CategoryID) throws(StoreError) -> [OrderedSticker] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT \(SourceRow.columns), sort_key FROM sticker INDEXED BY sticker_order
                    CROSS JOIN source ON source.sticker = sticker.id
                WHERE sticker.category = ? AND entry IS NOT NULL ORDER BY sort_key, sticker.id
                """, [category.rawValue]
            ).map { row in
                let source = try SourceRow(row)
                return OrderedSticker(
                    path: WordsName.of(path: source.pathInCategory),
                    isNumbered: SortKey.hasOwnNumber(
                        [UInt8](row[SourceRow.width] as Data), fileName: source.key.name))
            }
        }
    }

    /// The category of a sticker; `nil` if there is none of this id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func category(of sticker: StickerID) throws(StoreError) -> CategoryID? {
        try read { transaction in
            let id: String? = try transaction.value(
                "SELECT category FROM sticker WHERE id = ?", [sticker.rawValue])
            return id.map(CategoryID.init(rawValue:))
        }
    }

    /// The words about a sticker; `nil` if there is none of this id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func wording(of sticker: StickerID) throws(StoreError) -> Wording<StickerWords>? {
        try read { transaction in
            guard let source = try transaction.source(of: sticker) else { return nil }
            let said = try transaction.words(about: source)
            return Wording(
                file: source.isPresent ? SideFile.beside(source.key) : nil,
                settled: try transaction.settled(said, of: source), kept: said.kept)
        }
    }

    /// The words about a category; `nil` if there is none of this id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func wording(of category: CategoryID) throws(StoreError) -> Wording<CategoryWords>? {
        let file = try Catalog(connection: connection).wordsFile(of: category)
        return try read { transaction in
            let title: String? = try transaction.value(
                "SELECT title FROM category WHERE id = ?", [category.rawValue])
            guard let title else { return nil }
            var settled = transaction.policy.defaultWords.filling(
                try transaction.ownWords(of: category),
                of: try transaction.categoryNames(of: category))
            settled.title = title
            return Wording(file: file, settled: settled, kept: nil)
        }
    }

    /// Stickers whose file has these bytes.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func stickers(showing content: ContentHash) throws(StoreError) -> [StickerID] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT sticker FROM source INDEXED BY source_present
                WHERE content = ? AND present = 1 AND output IS NOT NULL AND sticker IS NOT NULL
                LIMIT 5
                """, [content.rawValue]
            ).map { StickerID(rawValue: $0[0]) }
        }
    }
}
