import GRDB
import Glibc
public import StickerConfiguration
import StickerSystem
import StickerValues

/// Goes back to the previous release: puts its database in place as it was at the upgrade, with the ids added since.
///
/// The database of this release is put aside. Published files are not touched, except for the list of removed stickers,
/// which the older release would not keep up to date.
public struct Rollback {
    /// The result of a rollback.
    public struct Outcome: Hashable, Sendable, Encodable {
        /// Its effect on the library.
        public var plan: RollbackPlan
        /// Where the database of this release is now.
        public var newerDatabase: String
    }

    private let configuration: StickerConfiguration.Configuration
    private let path: String
    private let clock: StoreClock
    private let trace: (@Sendable (String) -> Void)?

    /// Prepares a rollback.
    ///
    /// - Parameter configuration: of the library, with absolute paths.
    public init(of configuration: StickerConfiguration.Configuration) {
        self.init(
            of: configuration, path: "\(configuration.state)/\(LibraryStore.fileName)",
            clock: .system,
            trace: nil)
    }

    init(
        of configuration: StickerConfiguration.Configuration, path: String, clock: StoreClock,
        trace: (@Sendable (String) -> Void)?
    ) {
        self.configuration = configuration
        self.path = path
        self.clock = clock
        self.trace = trace
    }

    /// Plans a rollback; the daemon may run. Nothing is changed.
    ///
    /// - Returns: the plan; `nil` if there is nothing to go back to.
    /// - Throws: `StoreError` if a database cannot be read.
    public func plan() throws -> RollbackPlan? {
        try checkTables()
        guard let earlier = try EarlierDatabase(beside: path) else { return nil }
        return try open(earlier.path, DatabaseCheck.reading) { queue in
            try queue.inDatabase { try completed(library($0, earlier.record)) }
        }
    }

    /// Rolls back. Repeating the call continues an interrupted rollback.
    ///
    /// - Returns: the result; `nil` if there is nothing to go back to.
    /// - Throws: `FolderError` if the daemon runs; `StoreError` or `FileError`: then the database of this release
    ///   stays in place.
    public func run() throws -> Outcome? {
        let lock = try StateLock.take(state: configuration.state)
        defer { withExtendedLifetime(lock) {} }
        try checkTables()
        guard let earlier = try EarlierDatabase(beside: path) else { return nil }
        try checkRoom(for: earlier)
        let work = "\(path).rollback"
        defer { DatabaseFile.remove(work) }
        DatabaseFile.remove(work)
        try DatabaseFile.copy(earlier.path, to: work)
        let plan = try open(work, DatabaseCheck.connection) { queue in
            try queue.inDatabase { database in
                let library = library(database, earlier.record)
                let plan = try completed(library)
                try database.inTransaction {
                    try library.carryOver()
                    return .commit
                }
                return plan
            }
        }
        try DatabaseFile.sync(work)
        let aside = try putInPlace(work)
        removeList()
        EarlierDatabase.remove(beside: path)
        return Outcome(plan: plan, newerDatabase: aside)
    }

    private func library(_ database: Database, _ record: EarlierDatabase.Record) -> OlderLibrary {
        OlderLibrary(
            database: database, record: record, configuration: configuration, now: clock.wall())
    }

    /// Only a database that this release wrote can be compared.
    private func checkTables() throws {
        try LibraryStore(path: path, access: .reader).close()
    }

    private func open<Result>(
        _ older: String, _ configuration: GRDB.Configuration,
        _ body: (DatabaseQueue) throws -> Result
    ) throws -> Result {
        var configuration = configuration
        configuration.trace(trace)
        let queue = try DatabaseQueue(path: older, configuration: configuration)
        try queue.inDatabase {
            try $0.execute(sql: "ATTACH DATABASE ? AS newer", arguments: [path])
        }
        let result = try body(queue)
        try queue.inDatabase { try $0.execute(sql: "DETACH DATABASE newer") }
        try queue.close()
        return result
    }

    /// The plan, with the files missing on the disk.
    private func completed(_ library: OlderLibrary) throws -> RollbackPlan {
        var plan = try library.plan()
        let paths = try Row.fetchCursor(
            library.database,
            sql: """
                SELECT DISTINCT path FROM source JOIN output_file
                    ON output_file.output = source.output
                """)
        while let row = try paths.next() {
            let path: String = row[0]
            if access("\(configuration.out)/\(path)", F_OK) != 0 { plan.missing.append(path) }
        }
        return plan
    }

    private func checkRoom(for earlier: EarlierDatabase) throws {
        let folder = SystemCall.parentFolder(of: path)
        let needed = try FileStatus(earlier.path).size * 3 / 2 + 16_000_000
        // If unknown, writing reports errors.
        guard let free = try? FreeSpace.bytes(at: folder), free < needed else { return }
        throw StoreError(
            .passing,
            """
            \(folder) has \(Int(free).asBytes) free, and going back needs \(Int(needed).asBytes): free some space
            """)
    }

    /// Puts the database in place in one step; that of this release keeps a second name.
    ///
    /// - Returns: that name.
    private func putInPlace(_ work: String) throws -> String {
        try LibraryStore(path: path, access: .tool).close()
        guard try DatabaseFile.isWhole(path) else {
            throw StoreError(.passing, "\(path): another program has it open; stop that program")
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let aside = DatabaseFile.unused(path, "after")
        try SystemCall.run("link", aside) { link(path, aside) }
        try SystemCall.move(work, to: path)
        return aside
    }

    /// Removes the list of removed stickers: some of them exist again. The database knows all ids.
    private func removeList() {
        let entries = (try? FolderListing(configuration.out).rest()) ?? []
        for entry in entries where entry.name.starts(with: RemovedStickers.pagePrefix.utf8) {
            unlink("\(configuration.out)/\(String(decoding: entry.name, as: UTF8.self))")
        }
        unlink("\(configuration.out)/\(RemovedStickers.fileName)")
    }
}
