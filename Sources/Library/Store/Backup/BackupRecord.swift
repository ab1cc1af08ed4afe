public import StickerValues

/// The contents of a backup: its file `backup.json`, which is written last. A folder without it is no backup.
public struct BackupRecord: Hashable, Sendable, Codable {
    /// The version of the form; this release knows 1.
    public var version = Self.currentVersion
    /// The version of the program that made it.
    public var stickerd = Stickerd.version
    /// When the database was copied.
    public var createdAt: Timestamp
    /// The original path of `config.json`; absent if the built-in defaults were in force.
    public var configuration: String?
    /// The copy of the database.
    public var database: Database
    /// The number of published stickers.
    public var stickers: Int
    /// The number of categories with published stickers.
    public var categories: Int
    /// The number of removed stickers, whose ids stay reserved.
    public var removed: Int
    /// The published files; absent if they were not requested.
    public var pictures: Pictures?

    static let currentVersion = 1

    /// Identifies the copied database.
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
        /// Their total size.
        public var bytes = 0
        /// Files that the database names but that were missing or damaged below `out`; they are made again.
        public var missing: [String] = []

        /// Creates an empty record.
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
    static let database = LibraryStore.fileName
    static let out = "out"
}
