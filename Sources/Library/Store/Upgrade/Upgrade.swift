import FoundationEssentials
import GRDB
import Glibc
import StickerModel
import StickerSystem

/// What happened to a database that an earlier release had written, before its tables were changed.
public struct Upgrade: Hashable, Sendable {
    /// The copy.
    public let earlier: EarlierDatabase
    /// How long it took to make.
    public let duration: Duration
    /// How many finished pictures this release knows as made by its present settings.
    public fileprivate(set) var adopted = 0
    /// Whether they have the names by which the present defaults are known.
    fileprivate(set) var isCurrent = false
}

/// Copies a database before its tables are changed.
struct UpgradeCopy {
    let path: String
    let clock: StoreClock
    var freeBytes: @Sendable (_ folder: String) -> Int64? = { try? FreeSpace.bytes(at: $0) }
    var trace: (@Sendable (String) -> Void)?

    /// Copies the database, unless its tables are those of this release, or it has none yet, or an interrupted upgrade has
    /// changed some of them: then the database is no release's, and the copy of before stays.
    ///
    /// - Throws: `StoreError` if there is not enough room, or the database is damaged; nothing was changed.
    func take() throws -> Upgrade? {
        // Unlike a pool, this does not write as soon as it is opened.
        let queue = try DatabaseQueue(path: path, configuration: traced)
        defer { try? queue.close() }
        guard try queue.read(Schema.isEarlier) else { return nil }
        let place = EarlierDatabase.place(beside: path)
        if try isChanged(queue, since: place) {
            try queue.read { try DatabaseCheck.isWhole($0, path) }
            return nil
        }
        let start = ContinuousClock.now
        let fresh = "\(place).new"
        DatabaseFile.remove(fresh)
        try checkRoom(try FileStatus(path).size)
        do {
            try copy(queue, to: fresh)
            try label(fresh, try queue.read(record))
            // Its pages are in memory, while reading the database here and there takes a cold disk long.
            try check(fresh)
            try DatabaseFile.sync(fresh)
        } catch {
            DatabaseFile.remove(fresh)
            throw error
        }
        try DatabaseFile.rename(fresh, to: place)
        try queue.write { try EarlierDatabase.setNote($0, EarlierDatabase.unfinished, "1") }
        guard let earlier = try EarlierDatabase(beside: path) else { return nil }
        return Upgrade(earlier: earlier, duration: .now - start)
    }

    /// Whether an interrupted upgrade has changed tables since it made the copy. If it has not, the older release may have
    /// worked with the database in the meantime, and the copy is out of date.
    private func isChanged(_ queue: DatabaseQueue, since copy: String) throws -> Bool {
        let isUnfinished = try queue.read {
            try EarlierDatabase.note($0, EarlierDatabase.unfinished) != nil
        }
        guard isUnfinished, access(copy, F_OK) == 0 else { return false }
        let earlier = try DatabaseQueue(path: copy, configuration: DatabaseCheck.reading)
        let before = try earlier.read(Schema.migrator.appliedIdentifiers)
        try earlier.close()
        return try queue.read(Schema.migrator.appliedIdentifiers) != before
    }

    /// Changes the tables to those of this release.
    ///
    /// - Returns: `upgrade` with what became of the pictures.
    static func migrate(
        _ pool: DatabasePool, adopting recipes: EarlierRecipes, _ upgrade: Upgrade?
    ) throws -> Upgrade? {
        let isRelease04 =
            try upgrade != nil
            && pool.read { try EarlierDatabase.note($0, EarlierRecipes.note) } == nil
        let migrator = Schema.migrator(adopting: recipes)
        if upgrade == nil {
            try migrator.migrate(pool)
        } else {
            try hurry(pool, migrator.migrate)
        }
        try finish(pool)
        guard isRelease04, var upgrade else { return upgrade }
        let adopted = try pool.read { try EarlierDatabase.note($0, EarlierRecipes.note) }
        upgrade.adopted = adopted.flatMap { Int($0) } ?? 0
        upgrade.isCurrent = recipes.isCurrent
        return upgrade
    }

    /// For much that is read and written at once, and made again if it is interrupted: more memory, and no wait for the disk
    /// but the one of the next transaction. `JobStore.mergeLog` writes the log back when the service runs.
    private static func hurry(_ pool: DatabasePool, _ change: (DatabasePool) throws -> Void) throws
    {
        try set(
            pool, "synchronous = NORMAL", "cache_size = -65536", "wal_autocheckpoint = 0", wholeMap)
        try change(pool)
        try set(pool, "synchronous = FULL", "cache_size = -2000", "mmap_size = 0")
    }

    /// Reads pages from the cache of the kernel itself, as many as SQLite maps. `take` has just read all of them: a page that
    /// the disk does not give kills the process here, where a failed read is an error.
    private static let wholeMap = "mmap_size = \(1 << 40)"

    private static func set(_ pool: DatabasePool, _ pragmas: String...) throws {
        try pool.writeWithoutTransaction { database in
            for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
        }
    }

    /// Notes that the tables are those of this release.
    private static func finish(_ pool: DatabasePool) throws {
        let isUnfinished = try pool.read {
            try EarlierDatabase.note($0, EarlierDatabase.unfinished) != nil
        }
        guard isUnfinished else { return }
        try pool.write { database in
            try database.execute(
                sql: "DELETE FROM note WHERE key = ?", arguments: [EarlierDatabase.unfinished])
        }
    }

    /// The copy is as large as the database, and so is what the changes of tables take at most while they are made: their log
    /// had 382 MB for 594 MB, and the database grew by 55.
    private func checkRoom(_ bytes: Int64) throws(StoreError) {
        let folder = SystemCall.parentFolder(of: path)
        let needed = 2 * bytes + 16_000_000
        // Where that is not known, writing tells.
        guard let free = freeBytes(folder), free < needed else { return }
        throw StoreError(
            .unsuitable,
            """
            \(path): this release changes its tables and copies it first, so that going back is possible; that needs \
            \(Int(needed).asBytes), and \(folder) has \(Int(free).asBytes) free: free some space there
            """)
    }

    /// While nobody else writes, and with an empty log, the main file is the whole database.
    private func copy(_ queue: DatabaseQueue, to copy: String) throws {
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
            try database.inTransaction(.immediate) {
                guard try DatabaseFile.isWhole(path) else {
                    throw StoreError(.passing, "\(path): another program writes to it; end that")
                }
                try DatabaseFile.copy(path, to: copy)
                // A copy that shares blocks was made without that.
                try DatabaseFile.read(path)
                return .rollback
            }
        }
    }

    private var traced: GRDB.Configuration {
        var configuration = DatabaseCheck.connection
        configuration.trace(trace)
        return configuration
    }

    private func check(_ copy: String) throws {
        let queue = try DatabaseQueue(path: copy, configuration: DatabaseCheck.reading)
        try queue.read { try DatabaseCheck.isWhole($0, path) }
        try queue.close()
    }

    private func record(_ database: Database) throws -> EarlierDatabase.Record {
        let formats = try EarlierDatabase.note(database, JobStore.formatsNote)
        return EarlierDatabase.Record(
            from: try Self.release(database) ?? "unknown",
            copiedAt: Timestamp(milliseconds: clock.wall()),
            pictures: formats?.split(separator: " ").map(String.init) ?? Self.picturesOf04)
    }

    /// The release that wrote a database last; `nil` if it did not say so.
    static func release(_ database: Database) throws -> String? {
        struct Live: Decodable { var version: String }
        // A note that cannot be read is one of a release that said it in another way.
        return try EarlierDatabase.note(database, "live")
            .flatMap { try? StoredJSON.decode(Live.self, from: $0).version }
    }

    /// 0.4 did not note what it reads.
    private static let picturesOf04 = ["png", "apng", "gif", "jpg", "jpeg", "jpe", "jfif"]

    /// Writes the record into the copy, which then is one file that can be read without another one beside it.
    private func label(_ copy: String, _ record: EarlierDatabase.Record) throws {
        let queue = try DatabaseQueue(path: copy, configuration: traced)
        try queue.inDatabase { database in
            // The whole file is on its way to the disk; `take` waits for that later, when it was checked.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
            try EarlierDatabase.setNote(
                database, EarlierDatabase.note, try StoredJSON.text(record))
            // Of an upgrade that was interrupted before.
            try database.execute(
                sql: "DELETE FROM note WHERE key = ?", arguments: [EarlierDatabase.unfinished])
        }
        try queue.close()
    }
}
