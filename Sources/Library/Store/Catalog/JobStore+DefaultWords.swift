import GRDB
import StickerModel

extension JobStore {
    private static let note = "category.words"

    /// Marks categories for publication whose configured words changed.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    func refreshDefaultWords() throws(StoreError) {
        let newer = policy.defaultWords
        try write { transaction in
            let older = try transaction.note(Self.note).map {
                try StoredJSON.decode(DefaultWords.self, from: $0)
            }
            guard newer != older ?? DefaultWords() else { return }
            for category in try transaction.rows("SELECT id FROM category") {
                try transaction.touch(
                    CategoryID(rawValue: category[0]), changing: older ?? DefaultWords(), to: newer)
            }
            try transaction.setNote(Self.note, StoredJSON.text(newer))
        }
    }
}

extension StoreTransaction {
    /// A category's own words, without defaults.
    func ownWords(of category: CategoryID) throws -> CategoryWords {
        let text: String? = try value(
            "SELECT words FROM category WHERE id = ?", [category.rawValue])
        return try text.map { try StoredJSON.decode(CategoryWords.self, from: $0) }
            ?? CategoryWords()
    }

    fileprivate func touch(
        _ category: CategoryID, changing older: DefaultWords, to newer: DefaultWords
    ) throws {
        let words = try ownWords(of: category)
        let names = try categoryNames(of: category)
        guard older.filling(words, of: names) != newer.filling(words, of: names),
            try isShown(category)
        else { return }
        try touch(category)
    }
}
