@testable import StickerStore

extension StoreTransaction {
    /// Brings the tables back to what the third migration left, as release 0.4 has them.
    func undoMigration() throws {
        let names = [
            "job_made", "source_left", "source_top", "page_released", "category_published",
            "category_written", "category_paused",
        ]
        for name in names { try run("DROP INDEX \(name)") }
        for name in ["sticker_added", "sticker_moved"] { try run("DROP TRIGGER \(name)") }
        for name in ["worker_failures", "blamed_content"] {
            try run("ALTER TABLE job DROP COLUMN \(name)")
        }
        try run("DELETE FROM tally WHERE state = 'live'")
        try run("DELETE FROM grdb_migrations WHERE identifier = '4'")
    }
}
