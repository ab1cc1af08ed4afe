import GRDB
import Testing

@testable import StickerStore

/// Statements that must be as fast with 100,000 waiting jobs as with one.
struct QueryPlanTests {
    private func plan(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
        let library = try Library()
        return try library.store.read { transaction in
            try transaction.rows("EXPLAIN QUERY PLAN " + sql, arguments).map { $0["detail"] }
        }
    }

    @Test(
        arguments: [
            ("synchronous", 2.databaseValue), ("journal_mode", "wal".databaseValue),
            ("foreign_keys", 1.databaseValue), ("busy_timeout", 5000.databaseValue),
            ("wal_autocheckpoint", 1000.databaseValue), ("mmap_size", 0.databaseValue),
            ("journal_size_limit", 16_777_216.databaseValue),
        ], [false, true])
    func whatIsCommittedStays(
        _ setting: (pragma: String, expected: DatabaseValue), isUpgrade: Bool
    ) throws {
        let (pragma, expected) = setting
        let library = try Library()
        if isUpgrade {
            try library.takeRelease04()
            try library.reopen()
            #expect(library.store.upgrade != nil)
            library.store.mergeLog()
        }

        let value: DatabaseValue? = try library.store.write { transaction in
            try transaction.value("PRAGMA \(pragma)")
        }

        #expect(value == expected)
    }

    @Test func claimReadsJobsInTheOrderOfTheIndex() throws {
        let plan = try plan(Claim.query(isDue: false), [0, 1, "cats"])

        #expect(plan.count == 2)
        #expect(
            plan.first
                == "SEARCH job USING INDEX job_turn (priority=? AND owner=? AND category=?)")
        #expect(plan.last?.contains("INTEGER PRIMARY KEY (rowid=?)") == true)
    }

    @Test(arguments: [false, true]) func waitingHoldersCostALookEach(isDue: Bool) throws {
        let index = isDue ? "job_due_turn" : "job_turn"

        let plan = try plan(Claim.queuesQuery(isDue: isDue), isDue ? [0, 0] : [0])

        #expect(!plan.contains { $0.hasPrefix("SCAN job") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        for part in [
            "priority=?", "priority=? AND owner=? AND category>?", "priority=? AND owner>?",
        ] {
            #expect(plan.contains { $0.contains("\(index) (\(part))") }, "\(part) in \(plan)")
        }
    }

    @Test func dueJobsAreFoundByTheirTime() throws {
        let plan = try plan(Claim.query(isDue: true), [0, 0, 1, "cats"])

        #expect(
            plan.first
                == "SEARCH job USING INDEX job_due_turn "
                + "(priority=? AND owner=? AND category=? AND due<?)")
    }

    @Test func rareReasonsHaveAnIndex() throws {
        let plan = try plan("SELECT id FROM job WHERE reason = ? ORDER BY id DESC LIMIT 100", [""])

        #expect(plan == ["SEARCH job USING COVERING INDEX job_reason (reason=?)"])
    }

    @Test(arguments: [
        "SELECT id FROM source WHERE drop_path = ? AND directory = ? AND name = ?",
        "SELECT id FROM job WHERE source = ? AND state = ? AND id > ?",
        "SELECT entry FROM sticker WHERE category = ? AND entry IS NOT NULL AND sort_key > ? AND id > ?",
        "SELECT id FROM output WHERE content = ? AND recipe = ? AND id > ?",
    ])
    func lookUpsUseAnIndex(_ sql: String) throws {
        let plan = try plan(sql, ["", "", ""])

        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"))
    }
}
