import GRDB
public import StickerValues

/// The durable memory of stickerd: files seen, jobs, stickers and categories, in one SQLite file.
///
/// Its parts have the methods. Each is one short transaction, synced to the disk before it returns. It may be called
/// from any thread, but not from inside another transaction. Waiting jobs exist only in the file, so a backlog costs no
/// memory. Two processes may use it at once: the daemon and `stickerctl`.
public final class LibraryStore: Transacting {
    /// The name of the file inside the state folder.
    public static let fileName = "stickerd.sqlite"

    let connection: StoreConnection
    /// The files of the drops.
    public let sources: SourceRecords
    /// Published stickers and manifests.
    public let catalog: Catalog
    /// Packs, and the readiness of categories for them.
    public let packs: PackRecords
    /// Sightings become jobs, and jobs become products.
    public let queue: JobQueue
    /// Requests and questions of operators.
    public let operations: Operations

    /// Opens the database at `path`.
    ///
    /// - Parameters:
    ///   - path: the file; the daemon creates it.
    ///   - access: the kind of process that opens it.
    ///   - policy: times and texts from the configuration.
    ///   - recipes: the present names of the recipes of release 0.4.
    ///   - clock: where the time comes from.
    ///   - jitter: 0...1, spreads retries.
    /// - Throws: `StoreError`. A damaged file is left untouched, and the error names the remedy.
    public convenience init(
        path: String, access: StoreAccess = .daemon, policy: StorePolicy = StorePolicy(),
        adopting recipes: EarlierRecipes = EarlierRecipes(), clock: StoreClock = .system,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) throws(StoreError) {
        self.init(
            try StoreConnection(
                path: path, access: access, policy: policy, adopting: recipes, clock: clock,
                jitter: jitter, trace: nil))
    }

    init(_ connection: StoreConnection) {
        self.connection = connection
        sources = SourceRecords(connection: connection)
        catalog = Catalog(connection: connection)
        packs = PackRecords(connection: connection)
        queue = JobQueue(connection: connection)
        operations = Operations(connection: connection)
    }

    /// Times and texts from the configuration; set again at each reload.
    public var policy: StorePolicy {
        get { connection.policy }
        set { connection.policy = newValue }
    }

    /// The current time of the store's clock.
    public var now: Timestamp { Timestamp(milliseconds: connection.clock.wall()) }

    /// Whether the database in a state folder records that something was published. `false` if the database cannot be
    /// read; opening it reports that.
    public static func hasPublished(state: String) -> Bool {
        let store = try? LibraryStore(path: "\(state)/\(fileName)", access: .reader)
        return (try? store?.catalog.hasPublished) == true
    }

    /// Sets the handler to call when the database becomes unusable: by `checkPlace`, or on a queue of its own after a
    /// check of the whole file confirmed damage.
    public func onDamage(_ handler: @escaping @Sendable (StoreError) -> Void) {
        connection.damageAlarm.handler = handler
    }

    /// Checks whether the open file was removed or replaced: anything written after that is lost.
    ///
    /// - Throws: `StoreError`, after calling the handler of `onDamage`.
    public func checkPlace() throws(StoreError) {
        guard !connection.place.isTaken else { return }
        let path = connection.path
        let error = StoreError(
            .damaged, "\(path): was removed or replaced while stickerd runs; start stickerd again")
        connection.damageAlarm.handler?(error)
        throw error
    }

    /// Checks that no newer stickerd has changed the tables since they were opened.
    ///
    /// - Throws: `StoreError`.
    public func checkVersion() throws(StoreError) {
        try read { try DatabaseCheck.isNotNewer($0.database, connection.path) }
    }

    /// A number that changes whenever another process has changed the store.
    public func dataVersion() throws(StoreError) -> Int {
        try outsideTransactions { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Writes the log back into the main file and closes the database.
    public func close() throws(StoreError) {
        do {
            // If a tool is reading now, the log file stays and is merged at the next start.
            _ = try? connection.database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try connection.database.close()
        } catch {
            throw StoreError(error, path: connection.path)
        }
    }
}

// MARK: - The earlier release

extension LibraryStore {
    /// The copy made when this store was opened, if an earlier release had written the database.
    public var upgrade: Upgrade? { connection.upgrade }

    /// Writes the log of an upgrade, hundreds of megabytes, back into the main file. The service can run meanwhile, and
    /// others may read and write. It does nothing unless this store was upgraded as it was opened, and only once.
    public func mergeLog() {
        let (path, database) = (connection.path, connection.database)
        guard (try? database.writeWithoutTransaction(Self.keepsLog)) == true else { return }
        // Errors are harmless: later transactions write the log back as usual, and report what is wrong.
        if let other = try? DatabaseQueue(path: path, configuration: DatabaseCheck.connection) {
            _ = try? other.writeWithoutTransaction { try $0.checkpoint(.passive) }
            try? other.close()
        }
        try? database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
            _ = try database.checkpoint(.truncate)
        }
    }

    private static func keepsLog(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA wal_autocheckpoint") == 0
    }

    /// The database of the previous release, while a rollback is possible.
    ///
    /// - Throws: `StoreError` if the copy cannot be read.
    public func earlierDatabase() throws(StoreError) -> EarlierDatabase? {
        do {
            return try EarlierDatabase(beside: connection.path)
        } catch {
            throw StoreError(error, path: EarlierDatabase.place(beside: connection.path))
        }
    }

    /// Removes the database of the previous release: a rollback is no longer possible, and files that only it names
    /// leave with the next cleaning.
    ///
    /// - Parameter onlyExpired: whether to keep it until its time is over.
    /// - Returns: the removed copy; `nil` if none was removed.
    /// - Throws: `StoreError` if the copy cannot be read.
    @discardableResult
    public func forgetEarlierDatabase(onlyExpired: Bool) throws(StoreError) -> EarlierDatabase? {
        guard let earlier = try earlierDatabase() else { return nil }
        if onlyExpired, earlier.record.keptUntil.milliseconds > now.milliseconds { return nil }
        EarlierDatabase.remove(beside: connection.path)
        return earlier
    }
}
