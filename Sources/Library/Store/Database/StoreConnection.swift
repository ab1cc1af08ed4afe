import FoundationEssentials
import GRDB
import StickerConfiguration
import StickerSystem
import StickerValues
import Synchronization

/// The kind of process that opens the store.
public enum StoreAccess: Sendable {
    /// The daemon: checks, creates and migrates it.
    case daemon
    /// A tool that reads and makes small changes to an existing store.
    case tool
    /// A tool that only reads.
    case reader
}

/// The open database, which all parts of the store share.
final class StoreConnection: Sendable {
    let path: String
    let clock: StoreClock
    /// The copy made as the database was opened, if an earlier release had written it.
    let upgrade: Upgrade?
    let trace: (@Sendable (String) -> Void)?
    let database: any DatabaseWriter
    let place: DatabasePlace
    let damageAlarm: DamageAlarm
    let drops = Mutex(DropStates())
    private let jitter: @Sendable () -> Double
    private let currentPolicy: Mutex<StorePolicy>

    /// Opens the database; see `LibraryStore`. `trace` receives every statement on the connection that runs it.
    init(
        path: String, access: StoreAccess, policy: StorePolicy, adopting recipes: EarlierRecipes,
        clock: StoreClock, jitter: @escaping @Sendable () -> Double,
        trace: (@Sendable (String) -> Void)?
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

    var policy: StorePolicy {
        get { currentPolicy.withLock { $0 } }
        set { currentPolicy.withLock { $0 = newValue } }
    }

    fileprivate func transaction(_ database: Database) -> StoreTransaction {
        StoreTransaction(
            database: database, now: Moment(boot: clock.boot(), wall: clock.wall()),
            policy: policy, jitter: jitter, drops: drops.withLock { $0 })
    }
}

/// A part of the store. Every public method of one is a short transaction, synced to the disk before it returns, and
/// may be called from any thread, but not from inside another transaction.
protocol Transacting: Sendable {
    var connection: StoreConnection { get }
}

extension Transacting {
    var policy: StorePolicy { connection.policy }

    /// Runs `body` as one transaction.
    func write<Result>(_ body: (StoreTransaction) throws -> Result) throws(StoreError) -> Result {
        try noting { try connection.database.write { try body(connection.transaction($0)) } }
    }

    /// Runs `body` as one transaction, rolled back if it returns `nil`.
    func attempt<Result>(
        _ body: (StoreTransaction) throws -> Result?
    ) throws(StoreError) -> Result? {
        try outsideTransactions { database in
            var result: Result?
            try database.inTransaction {
                result = try body(connection.transaction(database))
                return result == nil ? .rollback : .commit
            }
            return result
        }
    }

    /// Runs `body` on one unchanging view of the store, while other connections may write.
    func read<Result>(_ body: (StoreTransaction) throws -> Result) throws(StoreError) -> Result {
        try noting { try connection.database.read { try body(connection.transaction($0)) } }
    }

    /// Runs `body` on the connection that writes, outside any transaction.
    func outsideTransactions<Result>(
        _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        try noting { try connection.database.writeWithoutTransaction(body) }
    }

    /// Errors that tell of damage start a check of the whole file.
    private func noting<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            let error = StoreError(error, path: connection.path)
            if error.kind == .damaged { connection.damageAlarm.verify() }
            throw error
        }
    }
}

// MARK: - Opening

extension StoreConnection {
    /// The log file keeps at most as many bytes once it was written back.
    private static let logBytesMax = 16 << 20

    private static func open(
        _ path: String, _ access: StoreAccess, _ recipes: EarlierRecipes, _ clock: StoreClock,
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
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // A log that once was large does not stay so for months.
            try database.execute(sql: "PRAGMA journal_size_limit = \(logBytesMax)")
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
