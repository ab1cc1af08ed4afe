@testable import StickerStore

extension StoreTransaction {
    /// Brings the tables back to what the third migration left, as release 0.4 has them.
    func undoMigration() throws {
        try run("DELETE FROM note WHERE key = 'recipes'")
        try undoRests()
        try undoTurns()
        let indices = [
            "job_made", "source_left", "source_top", "page_released", "category_published",
            "category_written", "category_paused", "output_revision", "output_file_kept",
            "job_spent", "output_unseen",
        ]
        for name in indices { try run("DROP INDEX \(name)") }
        for name in ["sticker_added", "sticker_moved"] { try run("DROP TRIGGER \(name)") }
        for name in ["worker_failures", "blamed_content", "spent", "renews"] {
            try run("ALTER TABLE job DROP COLUMN \(name)")
        }
        for name in ["revision", "is_lost", "is_rebuilt", "faults", "is_wrong"] {
            try run("ALTER TABLE output DROP COLUMN \(name)")
        }
        try run("ALTER TABLE output_file DROP COLUMN keep_until")
        try run("DELETE FROM tally WHERE state = 'live'")
        try run("DELETE FROM grdb_migrations WHERE identifier IN ('4', '5', '19', '24')")
    }

    private func undoRests() throws {
        try run("DROP INDEX source_slow")
        for name in ["drawing_ms", "rests_until"] {
            try run("ALTER TABLE source DROP COLUMN \(name)")
        }
        try run("DELETE FROM grdb_migrations WHERE identifier = '23'")
    }

    private func undoTurns() throws {
        try run("DROP TRIGGER source_moved")
        for name in ["job_turn", "job_due_turn"] { try run("DROP INDEX \(name)") }
        for name in ["owner", "category"] { try run("ALTER TABLE job DROP COLUMN \(name)") }
        try run("ALTER TABLE source DROP COLUMN owner")
        try run("DELETE FROM grdb_migrations WHERE identifier = '22'")
    }

    /// Brings the tables back to what the tenth migration left.
    func undoRemovals() throws {
        try run("DROP TABLE removal")
        for name in ["published_at", "changed_at"] {
            try run("ALTER TABLE sticker DROP COLUMN \(name)")
        }
        try run("DELETE FROM note WHERE key LIKE 'removed.%'")
        for name in ["source_renewal", "source_present", "source_heir", "source_formerly"] {
            try run("DROP INDEX \(name)")
        }
        for name in ["renew_at", "appeared_at", "former_names", "heir"] {
            try run("ALTER TABLE source DROP COLUMN \(name)")
        }
        try run("DELETE FROM grdb_migrations WHERE identifier IN ('11', '18', '20', '24')")
    }
}
