import GRDB
import StickerValues

extension StoreTransaction {
    /// Whether a category may publish a picture without another review: an editor approved it, or the category shows it.
    func isApproved(_ content: ContentHash, for category: CategoryID) throws -> Bool {
        try count(
            """
            SELECT EXISTS (SELECT 1 FROM approval WHERE content = ?1 AND category = ?2)
                OR EXISTS (SELECT 1 FROM source INDEXED BY source_present
                    WHERE content = ?1 AND present = 1 AND output IS NOT NULL AND category = ?2)
                OR EXISTS (SELECT 1 FROM source INDEXED BY source_absent
                    WHERE content = ?1 AND present = 0 AND output IS NOT NULL AND category = ?2)
            """, [content.rawValue, category.rawValue]) > 0
    }

    /// Lets a category publish a picture.
    func approve(
        _ content: ContentHash, for category: CategoryID, by person: String?
    ) throws {
        try run(
            """
            INSERT OR REPLACE INTO approval (content, category, person, at) VALUES (?, ?, ?, ?)
            """, [content.rawValue, category.rawValue, person, now.wall])
    }
}
