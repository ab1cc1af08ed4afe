import Foundation
import GRDB
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// The database is copied before its tables are changed, and what the copy names stays.
struct UpgradeTests {
    private let library: Library
    private var copy: String { library.database + ".before" }

    init() throws {
        library = try Library()
        try library.takeRelease04()
    }

    private func migrations(_ path: String) throws -> Int {
        try library.ask("SELECT identifier FROM grdb_migrations", of: path).count
    }

    private func leftovers() throws -> [String] {
        try library.folder.files().filter { $0.contains(".before") }
    }

    @Test func databaseOfAnEarlierReleaseIsCopiedFirst() throws {
        let before = try library.ask("SELECT id, entry FROM sticker ORDER BY id")

        try library.reopen()

        let upgrade = try #require(library.store.upgrade)
        #expect(upgrade.earlier.record.from == "0.4.0")
        #expect(upgrade.earlier.record.to == Stickerd.version)
        #expect(upgrade.earlier.record.pictures.contains("jfif"))
        #expect(try leftovers() == ["jobs.sqlite.before"])
        #expect(try migrations(copy) == 3 && migrations(library.database) > 3)
        #expect(try library.ask("SELECT id, entry FROM sticker ORDER BY id", of: copy) == before)
        #expect(try library.ask("SELECT key FROM note WHERE key LIKE 'upgrade%'").isEmpty)
    }

    @Test func newDatabaseAndOneOfThisReleaseAreNotCopied() throws {
        #expect(try Library().store.upgrade == nil)
        try library.reopen()
        try library.store.close()
        try FileManager.default.removeItem(atPath: copy)

        try library.reopen()

        #expect(library.store.upgrade == nil)
        #expect(try leftovers().isEmpty)
    }

    /// The service is ready before hundreds of megabytes are written a second time.
    @Test func logOfTheChangesIsMergedWhenTheDaemonAsks() throws {
        try library.reopen()
        func log() throws -> Int {
            try Data(contentsOf: URL(filePath: library.database + "-wal")).count
        }
        let changes = try log()

        library.store.mergeLog()
        let merged = try log()
        try library.store.queue.noteAlive()
        library.store.mergeLog()

        #expect(changes > 100_000 && merged == 0)
        #expect(try log() > 0, "it is merged once")
    }

    @Test func withoutRoomNothingIsChanged() throws {
        var upgrade = UpgradeCopy(path: library.database, clock: library.time.clock)
        upgrade.freeBytes = { _ in 1_000_000 }

        let error = #expect(throws: StoreError.self) { try upgrade.take() }

        #expect(error?.kind == .unsuitable)
        #expect(error?.detail.contains("16.4 MB") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("has \(1_000_000.asBytes) free") == true)
        #expect(try migrations(library.database) == 3)
        #expect(try leftovers().isEmpty)
    }

    enum Condition: CaseIterable { case stopped, killed, halfDone }

    /// Whether its copy is looked at, or the database itself.
    @Test(arguments: Condition.allCases)
    func damagedDatabaseIsNotChanged(_ condition: Condition) throws {
        let log = library.database + "-wal"
        switch condition {
        case .stopped: break
        case .killed:
            // The log of a process that did not close the database.
            let pool = try DatabasePool(path: library.database)
            try pool.write { try $0.execute(sql: "INSERT INTO note VALUES ('late', '1')") }
            let (main, rest) = (
                try library.folder.contents("jobs.sqlite"),
                try library.folder.contents("jobs.sqlite-wal")
            )
            try pool.close()
            try Data(main).write(to: URL(fileURLWithPath: library.database))
            try Data(rest).write(to: URL(fileURLWithPath: log))
        case .halfDone:
            _ = try UpgradeCopy(path: library.database, clock: library.time.clock).take()
            let pool = try DatabasePool(path: library.database)
            try Schema.migrator.migrate(pool, upTo: "10")
            try pool.close()
        }
        let count = try migrations(library.database)
        let late = try? Data(contentsOf: URL(fileURLWithPath: log))
        let index = "SELECT rootpage FROM sqlite_master WHERE name = 'output_file_path'"
        let page = try #require(Int(try library.ask(index)[0]))
        let size = try #require(Int(try library.ask("PRAGMA page_size")[0]))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: library.database))
        // The end of the page, where the values of its cells are.
        for offset in page * size - 200..<page * size { bytes[offset] ^= 0xFF }
        try bytes.write(to: URL(fileURLWithPath: library.database))

        let error = #expect(throws: StoreError.self) { try library.reopen() }

        #expect(error?.kind == .damaged)
        #expect(error?.detail.hasPrefix(library.database + ": ") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("stickerctl rebuild") == true)
        #expect(try migrations(library.database) == count)
        #expect(try leftovers() == (condition == .halfDone ? ["jobs.sqlite.before"] : []))
        #expect(try Data(contentsOf: URL(fileURLWithPath: library.database)) == bytes)
        #expect((condition == .killed) == (late?.isEmpty == false))
        if condition == .killed {
            #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == late)
        }
    }

    /// Half of a copy never has its name.
    @Test func copyThatWasInterruptedIsMadeAgain() throws {
        try library.folder.write("half a copy", to: "jobs.sqlite.before.new")

        try library.reopen()

        #expect(try leftovers() == ["jobs.sqlite.before"])
        #expect(try migrations(copy) == 3)
    }

    /// The older release may have gone on with the database after an upgrade that ended before it changed anything.
    @Test func copyOfAnUpgradeThatChangedNothingIsMadeAgain() throws {
        _ = try UpgradeCopy(path: library.database, clock: library.time.clock).take()
        let pool = try DatabasePool(path: library.database)
        try pool.write { try $0.execute(sql: "INSERT INTO note VALUES ('later', '1')") }
        try pool.close()

        try library.reopen()

        #expect(library.store.upgrade != nil)
        #expect(try library.ask("SELECT key FROM note WHERE key = 'later'", of: copy).count == 1)
        #expect(try library.ask("SELECT key FROM note WHERE key LIKE 'upgrade%'", of: copy).isEmpty)
        #expect(try migrations(copy) == 3)
    }

    /// A database of a half-done upgrade is no release's, and must not replace the copy.
    @Test func upgradeThatWasInterruptedKeepsTheFirstCopy() throws {
        _ = try UpgradeCopy(path: library.database, clock: library.time.clock).take()
        let pool = try DatabasePool(path: library.database)
        try Schema.migrator.migrate(pool, upTo: "10")
        try pool.close()

        try library.reopen()

        #expect(library.store.upgrade == nil)
        #expect(try migrations(copy) == 3)
        #expect(try library.ask("SELECT key FROM note WHERE key LIKE 'upgrade%'").isEmpty)
    }

    @Test func newerDatabaseSaysHowToGoBack() throws {
        try library.reopen()
        try library.change(
            "INSERT INTO grdb_migrations VALUES ('999')",
            #"UPDATE note SET value = '{"version": "9.1"}' WHERE key = 'live'"#)
        try library.store.close()

        let error = #expect(throws: StoreError.self) { try library.reopen() }

        #expect(error?.kind == .unsuitable)
        #expect(error?.detail.contains("newer stickerd (9.1)") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("stickerctl rollback") == true)
    }

    // MARK: Published files

    private func housekeeper() throws -> Housekeeper {
        try library.housekeeper()
    }

    @Test func filesOfTheCopyStayUntilItIsForgotten() throws {
        try library.reopen()
        let paths = try library.ask("SELECT path FROM output_file WHERE output = 4")
        for path in paths + ["_/ab/orphan.webp"] {
            try library.folder.write("a", to: "out/\(path)")
        }
        let old = Date(timeIntervalSince1970: 1_000_000)
        for path in paths + ["_/ab/orphan.webp"] {
            try FileManager.default.setAttributes(
                [.modificationDate: old], ofItemAtPath: "\(library.out)/\(path)")
        }
        try library.change(
            "UPDATE source SET output = NULL WHERE output = 4",
            "UPDATE output SET keep_until = 1 WHERE id = 4",
            "UPDATE category SET published_generation = generation")
        func there() -> Int {
            paths.count { FileManager.default.fileExists(atPath: "\(library.out)/\($0)") }
        }

        _ = try housekeeper().prune()
        #expect(try housekeeper().sweep().objects == 1)

        #expect(there() == paths.count)
        #expect(try library.store.forgetEarlierDatabase(onlyExpired: true) == nil)
        #expect(try library.store.forgetEarlierDatabase(onlyExpired: false) != nil)
        #expect(try housekeeper().sweep().objects == paths.count)
        #expect(there() == 0)
    }

    @Test func copyIsKeptForThirtyDays() throws {
        try library.reopen()
        library.time.advance(.seconds(30 * 86400 - 1))
        #expect(try library.store.forgetEarlierDatabase(onlyExpired: true) == nil)

        library.time.advance(.seconds(1))

        #expect(try library.store.forgetEarlierDatabase(onlyExpired: true)?.record.from == "0.4.0")
        #expect(try leftovers().isEmpty)
        #expect(try library.store.earlierDatabase() == nil)
    }
}
