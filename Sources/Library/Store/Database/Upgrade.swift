import FoundationEssentials
import GRDB
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues

/// The copy and adoption of a database of an earlier release.
public struct Upgrade: Hashable, Sendable {
    /// The copy.
    public let earlier: EarlierDatabase
    /// The time that the copy took.
    public let duration: Duration
    /// How many finished pictures this release counts as made by its present settings.
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

    /// Copies the database, unless its tables are those of this release, it has none yet, or an interrupted upgrade
    /// changed some of them: then it belongs to no release, and the earlier copy stays.
    ///
    /// - Throws: `StoreError` if there is not enough room, or the database is damaged; nothing was changed.
    func take() throws -> Upgrade? {
        // Unlike a pool, this does not write when opened.
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
            // Its pages are in memory, while random reads of the database are slow on a cold disk.
            try check(fresh)
            try DatabaseFile.sync(fresh)
        } catch {
            DatabaseFile.remove(fresh)
            throw error
        }
        try SystemCall.move(fresh, to: place)
        try queue.write { try EarlierDatabase.setNote($0, EarlierDatabase.unfinished, "1") }
        guard let earlier = try EarlierDatabase(beside: path) else { return nil }
        return Upgrade(earlier: earlier, duration: .now - start)
    }

    /// Whether an interrupted upgrade changed tables after its copy. If not, the older release may have used the
    /// database since, and the copy is out of date.
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
    /// - Returns: `upgrade` with the adopted pictures.
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

    /// For bulk work that is repeated if interrupted: more memory, and no wait for the disk except that of the next
    /// transaction. `LibraryStore.mergeLog` writes the log back while the service runs.
    private static func hurry(_ pool: DatabasePool, _ change: (DatabasePool) throws -> Void) throws
    {
        try set(
            pool, "synchronous = NORMAL", "cache_size = -65536", "wal_autocheckpoint = 0", wholeMap)
        try change(pool)
        try set(pool, "synchronous = FULL", "cache_size = -2000", "mmap_size = 0")
    }

    /// Reads pages from the kernel's own cache, as many as SQLite maps. `take` has just read all of them: with a map, a
    /// page that the disk fails to deliver kills the process, while a failed read is an error.
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

    /// The copy is as large as the database, and so is, at most, the room for the migrations: their log had 382 MB for
    /// 594 MB, and the database grew by 55 MB.
    private func checkRoom(_ bytes: Int64) throws(StoreError) {
        let folder = SystemCall.parentFolder(of: path)
        let needed = 2 * bytes + 16_000_000
        // If unknown, writing reports errors.
        guard let free = freeBytes(folder), free < needed else { return }
        throw StoreError(
            .unsuitable,
            """
            \(path): this release changes its tables and copies it first, so that going back is possible; that needs \
            \(Int(needed).asBytes), and \(folder) has \(Int(free).asBytes) free: free some space there
            """)
    }

    /// While there is no other writer, and with an empty log, the main file is the whole database.
    private func copy(_ queue: DatabaseQueue, to copy: String) throws {
        try queue.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
            try database.inTransaction(.immediate) {
                guard try DatabaseFile.isWhole(path) else {
                    throw StoreError(
                        .passing, "\(path): another program writes to it; stop that program")
                }
                try DatabaseFile.copy(path, to: copy)
                // A copy that shares blocks did not read them.
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
        let formats = try EarlierDatabase.note(database, Self.formatsNote)
        return EarlierDatabase.Record(
            from: try Self.release(database) ?? "unknown",
            copiedAt: Timestamp(milliseconds: clock.wall()),
            pictures: formats?.split(separator: " ").map(String.init) ?? Self.picturesOf04)
    }

    /// The note that lists the file types already retried, by extensions of pictures and by other words.
    static let formatsNote = "formats"

    /// The release that wrote a database last; `nil` if not recorded.
    static func release(_ database: Database) throws -> String? {
        struct Live: Decodable { var version: String }
        // A note that cannot be read is from a release with another form.
        return try EarlierDatabase.note(database, "live")
            .flatMap { try? StoredJSON.decode(Live.self, from: $0).version }
    }

    /// 0.4 did not record the formats that it reads.
    private static let picturesOf04 = ["png", "apng", "gif", "jpg", "jpeg", "jpe", "jfif"]

    /// Writes the record into the copy, which then is one file, readable on its own.
    private func label(_ copy: String, _ record: EarlierDatabase.Record) throws {
        let queue = try DatabaseQueue(path: copy, configuration: traced)
        try queue.inDatabase { database in
            // The whole file is being synced; `take` waits for that later, after the check.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
            try EarlierDatabase.setNote(
                database, EarlierDatabase.note, try StoredJSON.text(record))
            // Left by an interrupted upgrade.
            try database.execute(
                sql: "DELETE FROM note WHERE key = ?", arguments: [EarlierDatabase.unfinished])
        }
        try queue.close()
    }
}
