import Foundation
import GRDB
import StickerValues
import Synchronization
import Testing

@testable import StickerStore

/// No statement that the store runs visits every row of a table that grows.
struct StatementTests {
    /// Statements that visit all rows by their nature, by a text that only they have, with the reason.
    static let exceptions: [(part: String, reason: String)] = [
        // Requests of operators for everything.
        ("FROM job JOIN source ON source.id = job.source WHERE 1 ORDER BY", "all jobs are listed"),
        ("SELECT job.state = 'discarded' AND", "the jobs of a filter are counted"),
        ("(job.state IN", "the jobs of a filter are listed"),
        ("(job.state = 'discarded' AND job.superseded_by IS NULL)", "the same"),
        ("(job.reason = ?)", "the same"),
        ("(+source.category = ?)", "the same"),
        ("(job.created_at >= ?)", "the same"),
        ("(source.sticker = ? OR source.name = ?", "a file is looked for by the end of its path"),
        ("WHERE (source.sticker = ? OR", "the same for a story"),
        ("WHERE former_names IS NOT NULL AND sticker", "a former name is looked for"),
        ("SELECT DISTINCT category, output, 0 FROM source", "the usage of the whole library"),
        ("SELECT DISTINCT path, coalesce(output_file.bytes", "the same"),
        ("SELECT max(coalesce(output_file.bytes", "the same"),
        ("SELECT removal.sticker, removal.title", "the trash is listed"),
        ("SELECT DISTINCT path FROM output_file", "a backup copies everything"),
        ("SET generation = generation + ?", "a library is restored"),
        ("UPDATE pack SET content", "the same"),
        // While packs wait for pictures, and after a manifest was written.
        ("SELECT DISTINCT category FROM source WHERE id IN (", "categories with open jobs"),
        ("SELECT category.id, published_generation, readiness", "the packs of every category"),
        ("WHERE content IS NOT NULL", "the same, if they are kept in one folder"),
        ("UPDATE pack SET asked_at = unixepoch()", "once, when the column is added"),
        ("SELECT category, platform, max(asked_at) FROM pack", "once in an hour"),
        // Once, when somebody goes back to the release before.
        ("newer.", "two databases are compared"),
        ("SELECT DISTINCT drop_path FROM source", "the drops of the older one"),
        ("SELECT DISTINCT path FROM source JOIN", "all its files are looked for"),
        // As many rows as somebody should look at; they are counted by reason.
        ("GROUP BY reason", "the refusals that stand"),
        ("FROM job INDEXED BY job_attention JOIN source", "the same"),
        ("SELECT category, lacks FROM readiness", "the packs that are not ready"),
        ("WHERE instr(content, '\"too-few\"')", "the packs that wait for more stickers"),
        // Once, at the start or for a changed configuration.
        ("sticker INDEXED BY sticker_conceded", "what operators granted"),
        ("UPDATE category SET generation = generation + 1", "every manifest is cut anew"),
        ("SELECT DISTINCT category.id, category_folder.name", "the recipe of every category"),
        (
            "SELECT id FROM category WHERE words IS NOT NULL",
            "the drops are listed in another order"
        ),
        ("SELECT DISTINCT source.category FROM words", "the database is made anew"),
        ("SELECT id FROM category", "the same"),
        ("DELETE FROM category_folder WHERE name = x''", "the default category has another folder"),
        ("state = 'available' AND seen > ?1", "every waiting job after a start"),
        ("WHERE due IS NOT NULL AND state =", "the same"),
        ("INSERT INTO tally SELECT 'live'", "the migration counts once"),
        ("UPDATE job SET priority = 3 WHERE", "the migration moves once"),
        ("UPDATE output SET is_lost = 1 WHERE recipe GLOB", "the same"),
        ("UPDATE output SET is_rebuilt = 1", "the same"),
        ("UPDATE job SET spent = (", "the same"),
        ("WHERE revision = 0", "the same"),
        ("UPDATE sticker SET sort_key = CAST(", "the same"),
        ("UPDATE category SET folder_title = title", "the same"),
        ("FROM sticker WHERE deleted_at IS NOT NULL", "the same"),
        ("INSERT OR IGNORE INTO category_folder (drop_path, name, category) SELECT", "the same"),
        ("UPDATE job SET category = (SELECT", "the same"),
        ("UPDATE job SET priority = 5", "the same"),
        ("UPDATE job SET priority = 4", "the same"),
        ("UPDATE job SET recipe = ?1", "the recipes of 0.4 are adopted once"),
        ("UPDATE OR IGNORE output SET revision", "the same"),
        ("WHERE present = 1 AND drop_path = ?", "a whole drop went away"),
        // A drop is not where it was, or is not listed.
        ("ORDER BY source.id * 2654435761", "its files are compared with a folder"),
        ("drop_path = ? AND sticker IS NOT NULL AND output", "its stickers are counted"),
        ("UPDATE source SET drop_path = ? WHERE drop_path = ?", "all its files move"),
        ("DELETE FROM source WHERE drop_path = ?", "one sticker without a file is its whole drop"),
        ("drop_path = ? AND present = 1 AND output IS NOT NULL", "a drop that was empty"),
        ("UPDATE OR REPLACE category_folder SET drop_path = ?", "all its folders move"),
        // A folder was renamed.
        (
            "(source.output IS NOT NULL OR source.present = 1)",
            "whether its category has other files"
        ),
        ("category IS NOT NULL AND name <> x''", "its name is looked for among those of its drop"),
        // The list is published as a whole, and is as long as what is visited.
        ("SELECT id, title FROM category", "the index names every category"),
        ("SELECT count(*) FROM removal", "the list names every removed sticker"),
        ("FROM removal INDEXED BY removal_order", "the same"),
        ("SELECT id FROM category WHERE published_generation > 0", "each manifest is looked for"),
        ("SELECT count(*) FROM category INDEXED BY category_published", "figures of the status"),
        ("SELECT total(", "the work of all that waits, a second less often for every 1,000 jobs"),
        // Few at any time: the index holds nothing else.
        ("INDEXED BY job_executing", "as many as there are lanes"),
        ("INDEXED BY source_missing", "files whose grace runs"),
        ("INDEXED BY category_paused", "paused categories"),
        ("generation > published_generation", "categories that wait for their manifest"),
        // A page at a time, in the order of the index, until enough are found.
        ("INDEXED BY job_spent", "the newest 100 jobs that encoded"),
        ("INDEXED BY source_top", "500 files of a drop itself"),
        ("source.present = 0 AND source.missing_since IS NULL", "500 files that left"),
        // Small tables.
        ("FROM leaving", "stickers between two manifests"),
        ("INDEXED BY removal_back", "stickers that are back and not yet shown"),
        ("FROM hold", "deletions that wait for a word"),
        ("UPDATE hold SET drop_path", "the same"),
        ("FROM tally", "one row for each state"),
        ("pragma_page_count", "no table"),
    ]

    private final class Traced: Sendable {
        private let statements = Mutex<Set<String>>([])
        var all: Set<String> { statements.withLock { $0 } }
        func note(_ sql: String) {
            _ = statements.withLock { $0.insert(StatementLiterals.normal(sql)) }
        }
    }

    @Test func everyStatementOfTheSourcesIsRunAndNoneVisitsAllRows() throws {
        let traced = Traced()
        let library = try Library { traced.note($0) }

        try Everything(library).run()

        let statements = traced.all.filter { statement in
            ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].contains { statement.hasPrefix($0) }
                && !statement.contains("grdb_") && !statement.contains("sqlite_master")
        }
        for literal in try StatementLiterals.all() {
            #expect(
                statements.contains { literal.matches($0) },
                "\(literal.file): never run by this test: \(literal.parts)")
        }
        for statement in statements.sorted() where !Self.isException(statement) {
            let visits = try visits(of: statement, library)
            #expect(visits.isEmpty, "\(statement)\n\(visits)")
        }
    }

    @Test func everyExceptionIsStillNeeded() throws {
        let traced = Traced()
        let library = try Library { traced.note($0) }

        try Everything(library).run()

        for (part, reason) in Self.exceptions {
            #expect(traced.all.contains { $0.contains(part) }, "\(part): \(reason)")
        }
    }

    private static func isException(_ statement: String) -> Bool {
        exceptions.contains { statement.contains($0.part) }
    }

    /// The lines of the plan that visit a table, or a whole drop, from end to end.
    private func visits(of statement: String, _ library: Library) throws -> [String] {
        try library.store.read { transaction in
            let explanation = try transaction.database.makeStatement(
                sql: "EXPLAIN QUERY PLAN " + statement)
            // The plan does not depend on the values.
            explanation.setUncheckedArguments([])
            return try Row.fetchAll(explanation).map { $0["detail"] as String }
        }.filter { line in
            // The only virtual tables are the entries of a JSON value.
            let isSmall = ["VIRTUAL TABLE", "CONSTANT ROW", "(subquery"].contains {
                line.contains($0)
            }
            return line.hasPrefix("SCAN") && !isSmall || line.hasSuffix("(drop_path=?)")
        }
    }
}
