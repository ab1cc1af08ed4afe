import GRDB
import Testing

@testable import StickerStore

/// What must stay as fast with 100,000 waiting jobs as with one.
struct QueryPlanTests {
    private func plan(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
        let library = try Library()
        return try library.store.read { transaction in
            try transaction.rows("EXPLAIN QUERY PLAN " + sql, arguments).map { $0["detail"] }
        }
    }

    @Test(arguments: [
        ("synchronous", 2.databaseValue), ("journal_mode", "wal".databaseValue),
        ("foreign_keys", 1.databaseValue), ("busy_timeout", 5000.databaseValue),
    ])
    func whatIsCommittedStays(_ pragma: String, _ expected: DatabaseValue) throws {
        let library = try Library()

        let value: DatabaseValue? = try library.store.write { transaction in
            try transaction.value("PRAGMA \(pragma)")
        }

        #expect(value == expected)
    }

    @Test func claimReadsJobsInTheOrderOfTheIndex() throws {
        let plan = try plan(Claim.query(), [0, 1, 2])

        #expect(plan.count == 2)
        #expect(plan.first?.contains("job_available") == true)
        #expect(plan.last?.contains("INTEGER PRIMARY KEY (rowid=?)") == true)
    }

    @Test func dueJobsAreFoundByTheirTime() throws {
        let plan = try plan(Claim.dueQuery(), [0, 0, 2])

        #expect(plan == ["SEARCH job USING INDEX job_due (priority=? AND due<?)"])
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
