import GRDB
import Glibc
import StickerSystem
public import StickerValues

/// The database of the previous release, copied before this release changed its tables.
///
/// It stays beside the database as long as a rollback is possible, and so do the published files that it names. Its
/// note `copied` holds the facts.
public struct EarlierDatabase: Hashable, Sendable {
    /// The facts about the copy.
    public struct Record: Hashable, Sendable, Codable {
        /// The release that wrote the database last; `unknown` if not recorded.
        public var from: String
        /// The release that made the copy.
        public var to = Stickerd.version
        /// When it was made.
        public var copiedAt: Timestamp
        /// The extensions of pictures that the older release reads.
        public var pictures: [String]

        /// Until when it is kept.
        public var keptUntil: Timestamp {
            Timestamp(milliseconds: copiedAt.milliseconds + EarlierDatabase.kept.milliseconds)
        }
    }

    /// Its file.
    public let path: String
    /// The facts about it.
    public let record: Record

    /// How long it is kept, and a rollback is possible.
    static let kept = Duration.seconds(30 * 86400)
    static let note = "copied"
    /// The note in a database whose tables are being changed.
    static let unfinished = "upgrade.unfinished"

    /// The path of the copy of the database at `path`.
    static func place(beside path: String) -> String { "\(path).before" }

    /// Reads the copy beside the database at `path`; `nil` if there is none.
    ///
    /// - Throws: `StoreError` or `DatabaseError` if it cannot be read.
    init?(beside path: String) throws {
        self.path = Self.place(beside: path)
        guard access(self.path, F_OK) == 0 else { return nil }
        let queue = try DatabaseQueue(path: self.path, configuration: DatabaseCheck.reading)
        let text = try queue.read { try Self.note($0, Self.note) }
        try queue.close()
        guard let text else {
            throw StoreError(.other, "\(self.path) is not a copy of a database; move it away")
        }
        record = try StoredJSON.decode(Record.self, from: text)
    }

    /// Removes the copy beside the database at `path`.
    static func remove(beside path: String) { DatabaseFile.remove(place(beside: path)) }

    static func note(_ database: Database, _ key: String) throws -> String? {
        try String.fetchOne(
            database, sql: "SELECT value FROM note WHERE key = ?", arguments: [key])
    }

    static func setNote(_ database: Database, _ key: String, _ value: String) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO note VALUES (?, ?)", arguments: [key, value])
    }
}

/// The published files that the previous release's database names: they stay as long as it does.
struct EarlierFiles {
    private let queue: DatabaseQueue?

    /// Opens the copy beside the database at `path`, if there is one.
    init(beside path: String, trace: (@Sendable (String) -> Void)?) throws(StoreError) {
        let place = EarlierDatabase.place(beside: path)
        do {
            guard access(place, F_OK) == 0 else {
                queue = nil
                return
            }
            var configuration = DatabaseCheck.reading
            configuration.trace(trace)
            queue = try DatabaseQueue(path: place, configuration: configuration)
        } catch {
            throw StoreError(error, path: place)
        }
    }

    /// Whether it names the file at this path, relative to `out`. If the copy cannot be read, every file counts as
    /// named.
    func names(_ path: String) -> Bool {
        guard let queue else { return false }
        let row = try? queue.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT 1 FROM output_file WHERE path = ?")
            return try Row.fetchOne(statement, arguments: [path]) != nil
        }
        return row ?? true
    }
}
