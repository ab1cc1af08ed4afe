public import StickerModel

/// What a backup holds: its file `backup.json`, which is written last. A folder without it is no backup.
public struct BackupRecord: Hashable, Sendable, Codable {
    /// The version of the form; this release knows 1.
    public var version = Self.currentVersion
    /// The version of the program that made it.
    public var stickerd = Stickerd.version
    /// When the database was copied.
    public var createdAt: Timestamp
    /// The file that `config.json` is a copy of; absent if the built-in defaults were in force.
    public var configuration: String?
    /// The copy of the database.
    public var database: Database
    /// Published stickers.
    public var stickers: Int
    /// Categories with published stickers.
    public var categories: Int
    /// Removed stickers, whose ids stay taken.
    public var removed: Int
    /// The published files; absent if they were not asked for.
    public var pictures: Pictures?

    static let currentVersion = 1

    /// Proves that the database is the one that was copied.
    public struct Database: Hashable, Sendable, Codable {
        /// Its size.
        public var bytes: Int
        /// The hash of its bytes.
        public var sha256: ContentHash
    }

    /// Published files in a backup.
    public struct Pictures: Hashable, Sendable, Codable {
        /// How many there are.
        public var files = 0
        /// Their size together.
        public var bytes = 0
        /// Files that the database names and that were missing or damaged below `out`; they are made again.
        public var missing: [String] = []

        /// Creates the record of no files.
        public init() {}
    }
}

/// The part of a record that every release can read.
struct BackupForm: Decodable {
    var version: Int
    var stickerd: String
}

/// The names in a backup.
enum BackupName {
    static let record = "backup.json"
    static let configuration = "config.json"
    static let database = JobStore.fileName
    static let out = "out"
}
