import Dispatch
import GRDB
import StickerConfiguration
import StickerValues
import Synchronization

enum DatabaseCheck {
    /// Looks for a newer schema and for damage before anything is changed. For a database of an earlier release,
    /// `UpgradeCopy` checks the copy instead, unless a log was left behind, which copying would merge.
    ///
    /// - Returns: whether an earlier release wrote it.
    @discardableResult
    static func run(_ path: String) throws -> Bool {
        do {
            return try run(path, reading)
        } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
        {
            // The process was killed while the file was created, before it had a write-ahead log: only a connection
            // that may write can roll back the unfinished part.
            return try run(path, connection)
        }
    }

    private static func run(_ path: String, _ configuration: GRDB.Configuration) throws -> Bool {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let isEarlier = try queue.read { database in
            try isNotNewer(database, path)
            let isEarlier = try Schema.isEarlier(database)
            if try !isEarlier || !DatabaseFile.isWhole(path) { try isWhole(database, path) }
            return isEarlier
        }
        try queue.close()
        return isEarlier
    }

    /// Checks every page. Errors name the file at `path`.
    static func isWhole(_ database: Database, _ path: String) throws {
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard verdict == "ok" else {
            throw StoreError(.damaged, "\(path): \(verdict ?? "")" + StoreError.rebuildHint)
        }
    }

    /// A newer stickerd may have changed the meaning of the tables.
    static func isNotNewer(_ database: Database, _ path: String) throws {
        guard try !Schema.migrator.hasBeenSuperseded(database) else {
            throw StoreError(.unsuitable, "\(path): " + (try isNewer(database)))
        }
    }

    private static func isNewer(_ database: Database) throws -> String {
        let release = try UpgradeCopy.release(database)
        return """
            was written by a newer stickerd (\(release ?? "of unknown version")) than this one \
            (\(Stickerd.version)): install that one again. To go back, run \(stickerctl: "rollback") with that one, \
            then install this one
            """
    }

    static var connection: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        // GRDB's default priority is one that only root may have: Dispatch would complain at each start.
        configuration.qos = .default
        return configuration
    }

    static var reading: GRDB.Configuration {
        var configuration = connection
        configuration.readonly = true
        return configuration
    }
}

/// Confirms damage: if a read fails, SQLite may report damage even of a sound file.
final class DamageAlarm: Sendable {
    private struct State {
        var handler: (@Sendable (StoreError) -> Void)?
        var isChecking = false
    }

    private let path: String
    private let queue = DispatchQueue(label: "stickerd.store.check")
    private let state = Mutex(State())

    init(path: String) { self.path = path }

    var handler: (@Sendable (StoreError) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Checks the whole file, one check at a time, and calls the handler if it is damaged.
    func verify() {
        guard let handler, !state.withLock({ exchange(&$0.isChecking, with: true) }) else { return }
        queue.async { [self] in
            defer { state.withLock { $0.isChecking = false } }
            do {
                try DatabaseCheck.run(path)
            } catch {
                let error = StoreError(error, path: path)
                if error.kind == .damaged { handler(error) }
            }
        }
    }
}
