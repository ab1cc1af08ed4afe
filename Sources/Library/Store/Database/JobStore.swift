import FoundationEssentials
import GRDB
import StickerModel
import StickerSystem
import Synchronization

/// The durable memory of stickerd: files seen, jobs, stickers and categories, in one SQLite file.
///
/// Every method is one short transaction, synced to the disk before it returns. It may be called from any thread, but
/// not from inside another transaction. Waiting jobs exist only in the file, so a backlog costs no memory. Two
/// processes may use it at once: the daemon and `stickerctl`.
public final class JobStore: Sendable {
    /// The kind of process that opens the store.
    public enum Access: Sendable {
        /// The daemon: checks, creates and migrates it.
        case daemon
        /// A tool that reads and makes small changes to an existing store.
        case tool
        /// A tool that only reads.
        case reader
    }

    /// The name of the file inside the state folder.
    public static let fileName = "stickerd.sqlite"

    let path: String
    let clock: StoreClock
    let jitter: @Sendable () -> Double
    let rhythm = Mutex(Rhythm())
    /// When a job was last seen to run alone, in boot time.
    let lastLone = Mutex<Int64>(0)
    /// Drops whose folder is missing: their jobs wait.
    let absentDrops = Mutex<Set<String>>([])
    /// When the current scan of a drop first missed a file, in boot time.
    let scans = Mutex<[String: Int64]>([:])
    /// Until when the previous daemon ran, and the drops that were fully scanned since.
    let lastDaemon = Mutex<(aliveUntil: Int64?, seen: Set<String>)>((nil, []))
    /// The copy made when this store was opened, if an earlier release had written the database.
    public let upgrade: Upgrade?
    let trace: (@Sendable (String) -> Void)?
    private let database: any DatabaseWriter
    private let damageAlarm: DamageAlarm
    private let place: DatabasePlace
    private let currentPolicy: Mutex<StorePolicy>

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
        path: String, access: Access = .daemon, policy: StorePolicy = StorePolicy(),
        adopting recipes: EarlierRecipes = EarlierRecipes(), clock: StoreClock = .system,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) throws(StoreError) {
        try self.init(
            path: path, access: access, policy: policy, adopting: recipes, clock: clock,
            jitter: jitter, trace: nil)
    }

    /// Opens the database; `trace` receives every statement on the connection that runs it.
    init(
        path: String, access: Access, policy: StorePolicy,
        adopting recipes: EarlierRecipes = EarlierRecipes(), clock: StoreClock,
        jitter: @escaping @Sendable () -> Double, trace: (@Sendable (String) -> Void)?
    ) throws(StoreError) {
        self.path = path
        self.clock = clock
        self.jitter = jitter
        self.trace = trace
        currentPolicy = Mutex(policy)
        damageAlarm = DamageAlarm(path: path)
        do {
            (database, upgrade) = try Self.open(path, access, recipes, clock, trace)
            place = try DatabasePlace(path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Times and texts from the configuration; set again at each reload.
    public var policy: StorePolicy {
        get { currentPolicy.withLock { $0 } }
        set { currentPolicy.withLock { $0 = newValue } }
    }

    /// Sets the handler to call when the database becomes unusable: by `checkPlace`, or on a queue of its own after a
    /// check of the whole file confirmed damage.
    public func onDamage(_ handler: @escaping @Sendable (StoreError) -> Void) {
        damageAlarm.handler = handler
    }

    /// Checks whether the open file was removed or replaced: anything written after that is lost.
    ///
    /// - Throws: `StoreError`, after calling the handler of `onDamage`.
    public func checkPlace() throws(StoreError) {
        guard !place.isTaken else { return }
        let error = StoreError(
            .damaged, "\(path): was removed or replaced while stickerd runs; start stickerd again")
        damageAlarm.handler?(error)
        throw error
    }

    /// Writes the log back into the main file and closes the database.
    public func close() throws(StoreError) {
        do {
            // If a tool is reading now, the log file stays and is merged at the next start.
            _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try database.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Writes the log of an upgrade, hundreds of megabytes, back into the main file. The service can run meanwhile, and
    /// others may read and write. It does nothing unless this store was upgraded as it was opened, and only once.
    public func mergeLog() {
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

    /// Checks that no newer stickerd has changed the tables since they were opened.
    ///
    /// - Throws: `StoreError`.
    public func checkVersion() throws(StoreError) {
        try read { try DatabaseCheck.isNotNewer($0.database, path) }
    }

    /// A number that changes whenever another process has changed the store.
    public func dataVersion() throws(StoreError) -> Int {
        do {
            return try database.writeWithoutTransaction { database in
                try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs `body` on the connection that writes, outside any transaction.
    func outsideTransactions(_ body: (Database) throws -> Void) throws(StoreError) {
        do {
            try database.writeWithoutTransaction(body)
        } catch {
            throw noted(error)
        }
    }

    /// Runs `body` as one transaction.
    func write<Result>(
        _ body: (StoreTransaction) throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try database.write { try body(transaction($0)) }
        } catch {
            throw noted(error)
        }
    }

    /// Runs `body` as one transaction, rolled back if it returns `nil`.
    func attempt<Result>(
        _ body: (StoreTransaction) throws -> Result?
    ) throws(StoreError) -> Result? {
        do {
            return try database.write { database in
                guard let result = try body(transaction(database)) else { throw TakenBack() }
                return result
            }
        } catch is TakenBack {
            return nil
        } catch {
            throw noted(error)
        }
    }

    /// Runs `body` on one unchanging view of the store, while other connections may write.
    func read<Result>(_ body: (StoreTransaction) throws -> Result) throws(StoreError) -> Result {
        do {
            return try database.read { try body(transaction($0)) }
        } catch {
            throw noted(error)
        }
    }

    private func noted(_ error: any Error) -> StoreError {
        let error = StoreError(error, path: path)
        if error.kind == .damaged { damageAlarm.verify() }
        return error
    }

    private func transaction(_ database: Database) -> StoreTransaction {
        StoreTransaction(
            database: database, now: Moment(boot: clock.boot(), wall: clock.wall()),
            policy: policy, jitter: jitter, scannedDrops: Set(scans.withLock { $0.keys }))
    }
}

private struct TakenBack: Error {}

// MARK: - Opening

extension JobStore {
    /// The log file keeps at most as many bytes once it was written back.
    private static let logBytesMax = 16 << 20

    private static func open(
        _ path: String, _ access: Access, _ recipes: EarlierRecipes, _ clock: StoreClock,
        _ trace: (@Sendable (String) -> Void)?
    ) throws -> (any DatabaseWriter, Upgrade?) {
        try DatabasePlace.checkFiles(at: path)
        let exists = FileManager.default.fileExists(atPath: path)
        guard exists || access == .daemon else {
            throw StoreError(
                .other, "\(path): no database; has stickerd run with this state folder?")
        }
        try DatabaseRoom.check(path, access)
        if access == .reader {
            let queue = try DatabaseQueue(path: path, configuration: DatabaseCheck.reading)
            try queue.read { try checkVersion($0, path) }
            return (queue, nil)
        }
        let isEarlier = try exists && access == .daemon && DatabaseCheck.run(path)
        if access == .daemon { try DatabasePlace.share(path) }
        // A pool writes as soon as it is opened.
        let copy = UpgradeCopy(path: path, clock: clock, trace: trace)
        let upgrade = try isEarlier ? copy.take() : nil
        var configuration = DatabaseCheck.connection
        configuration.label = "stickerd.store"
        configuration.trace(trace)
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL, with which a power cut may undo committed transactions.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        // A log that once was large does not stay so for months.
        try pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_size_limit = \(logBytesMax)")
        }
        guard access == .daemon else {
            try pool.read { try checkVersion($0, path) }
            return (pool, nil)
        }
        return (pool, try UpgradeCopy.migrate(pool, adopting: recipes, upgrade))
    }

    /// A tool knows only the tables of its own version.
    private static func checkVersion(_ database: Database, _ path: String) throws {
        guard try Schema.migrator.hasCompletedMigrations(database) else {
            throw StoreError(
                .other, "\(path): was written by an older stickerd; start the new one once")
        }
        try DatabaseCheck.isNotNewer(database, path)
    }
}

extension GRDB.Configuration {
    mutating func trace(_ trace: (@Sendable (String) -> Void)?) {
        guard let trace else { return }
        prepareDatabase { database in
            database.trace { event in
                if case .statement(let statement) = event { trace(statement.sql) }
            }
        }
    }
}
