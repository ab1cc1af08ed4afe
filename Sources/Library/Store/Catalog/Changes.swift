import FoundationEssentials
import GRDB
public import StickerValues

/// A change that somebody made to a library, for its history.
public struct MadeChange: Hashable, Sendable {
    /// When.
    public var at: Timestamp
    /// The person; `nil` where nobody has a name.
    public var person: String?
    /// The category; `nil` if it concerns several.
    public var category: CategoryID?
    /// The file below its drop, escaped; `nil` if it concerns several.
    public var file: String?
    /// The change in a few words.
    public var sentence: String
}

/// A change to be noted in the history of a library.
public struct NewChange: Hashable, Sendable {
    /// The change in a few words.
    public var sentence: String
    /// The file, by its present name, then by earlier ones.
    public var files: [SourceKey]

    /// Creates a change.
    public init(_ sentence: String, of files: [SourceKey]) {
        (self.sentence, self.files) = (sentence, files)
    }
}

extension StoreTransaction {
    func note(_ change: NewChange, by person: String?) throws {
        let known = try change.files.compactMap { try source($0) }.first
        // A file that has just moved is known by its former place.
        let category = try change.files.first.flatMap(shown) ?? known?.category
        try run(
            """
            INSERT INTO change (at, person, category, sticker, file, sentence)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                now.wall, person, category?.rawValue, known?.sticker?.rawValue,
                change.files.first?.display, change.sentence,
            ])
    }

    /// The changes to a sticker or its file, newest first.
    func changes(of sticker: StickerID, at file: String, limit: Int) throws -> [MadeChange] {
        try changes(
            """
            SELECT * FROM change WHERE sticker = ?1
            UNION SELECT * FROM change WHERE file = ?2 AND sticker IS NULL
            ORDER BY id DESC LIMIT ?3
            """, [sticker.rawValue, file, limit])
    }

    /// The changes to a category and its stickers, newest first.
    func changes(in category: CategoryID, limit: Int) throws -> [MadeChange] {
        try changes(
            "SELECT * FROM change WHERE category = ? ORDER BY id DESC LIMIT ?",
            [category.rawValue, limit])
    }

    private func changes(
        _ statement: String, _ arguments: StatementArguments
    ) throws -> [MadeChange] {
        try rows(statement, arguments).map { row in
            MadeChange(
                at: Timestamp(milliseconds: row["at"]), person: row["person"],
                category: (row["category"] as String?).map(CategoryID.init(rawValue:)),
                file: row["file"], sentence: row["sentence"])
        }
    }

    /// The category of the folder of a file; `nil` if it has none yet.
    private func shown(_ file: SourceKey) throws -> CategoryID? {
        let category: String? = try value(
            "SELECT category FROM category_folder WHERE drop_path = ? AND name = ?",
            [file.drop, Data(file.categoryFolder ?? [])])
        return category.map(CategoryID.init(rawValue:))
    }

    /// Forgets changes of long ago.
    func pruneChanges(limit: Int) throws -> Int {
        try run(
            "DELETE FROM change WHERE id IN (SELECT id FROM change WHERE at <= ? LIMIT ?)",
            [now.wall - policy.history.milliseconds, limit])
    }
}
