import FoundationEssentials
import GRDB
import Glibc
import StickerModel
import Synchronization

/// The stickers of a library in the order in which they are offered, and the words by which they are found: a database in a
/// temporary file, changed by one writer and read by many at once. What is read in one transaction is of one state.
///
/// The number of a row is its place in the order, so that nothing is sorted for an answer.
final class SearchIndex: Sendable {
    private let writer: DatabaseQueue
    private let readers: [DatabaseQueue]
    private let next = Atomic<Int>(0)

    /// A sticker in the index.
    struct Row: Hashable, Sendable {
        /// Its place; unique.
        var place: Int64
        /// The id.
        var identifier: StickerID
        /// The category.
        var category: CategoryID
        /// Words and emoji.
        var words: String
        /// What answers say about it.
        var bodies: [Body: [UInt8]]
    }

    /// A form in which answers speak of a sticker.
    enum Body: String, Hashable, Sendable, CaseIterable {
        /// With a PNG or GIF.
        case provider
        /// With a WebP.
        case providerWebP
    }

    /// Some of the stickers that an answer is about.
    struct Page: Hashable, Sendable {
        /// What is said about each.
        var bodies: [[UInt8]]
        /// Whether there are more behind them.
        var hasMore: Bool
    }

    /// Creates an empty index.
    ///
    /// - Parameters:
    ///   - folder: where the file is put; it has no name there afterwards.
    ///   - readers: how many can read at once.
    /// - Throws: `DatabaseError`.
    init(folder: String, readers: Int) throws {
        let path = "\(folder)/stickerd-web-\(getpid())-\(UInt64.random(in: .min ... .max)).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        writer = try DatabaseQueue(path: path, configuration: Self.configuration())
        try writer.writeWithoutTransaction { try $0.execute(sql: Self.schema) }
        self.readers = try (0..<readers).map { _ in
            let reader = try DatabaseQueue(
                path: path, configuration: Self.configuration(readonly: true))
            // The file is opened now, while it has a name.
            try reader.read { _ = try GRDB.Row.fetchOne($0, sql: "SELECT * FROM sticker LIMIT 1") }
            return reader
        }
    }

    private static func configuration(readonly: Bool = false) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.readonly = readonly
        configuration.prepareDatabase { database in
            // Nothing here outlives the process.
            if !readonly {
                try database.execute(
                    sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
            }
            try database.execute(sql: "PRAGMA cache_size = -4000; PRAGMA mmap_size = 268435456")
        }
        return configuration
    }

    private static let schema = """
        CREATE TABLE sticker (
            place INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            category TEXT NOT NULL,
            words TEXT NOT NULL,
            provider BLOB NOT NULL,
            providerWebP BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX sticker_id ON sticker(id);
        -- The places alone: what is skipped is not read.
        CREATE INDEX sticker_place ON sticker(place);
        CREATE VIRTUAL TABLE found USING fts5(
            words, content = 'sticker', content_rowid = 'place', detail = none, prefix = '1 2 3 4',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
        """

    // MARK: Writing

    /// Makes the index show another state, in one step.
    ///
    /// - Parameters:
    ///   - gone: stickers that are not there any more, or are said otherwise.
    ///   - rows: new ones, and those that are said otherwise.
    /// - Throws: `DatabaseError`; the index is then as it was.
    func change(removing gone: [StickerID], adding rows: [Row]) throws {
        guard !gone.isEmpty || !rows.isEmpty else { return }
        try writer.write { database in
            let forget = try database.cachedStatement(
                sql: """
                    INSERT INTO found (found, rowid, words)
                    SELECT 'delete', place, words FROM sticker WHERE id = ?
                    """)
            let remove = try database.cachedStatement(sql: "DELETE FROM sticker WHERE id = ?")
            for id in gone {
                try forget.execute(arguments: [id.rawValue])
                try remove.execute(arguments: [id.rawValue])
            }
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO sticker (place, id, category, words, provider, providerWebP)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
            let note = try database.cachedStatement(
                sql: "INSERT INTO found (rowid, words) VALUES (?, ?)")
            for row in rows {
                try insert.execute(arguments: [
                    row.place, row.identifier.rawValue, row.category.rawValue, row.words,
                    Data(row.bodies[.provider] ?? []), Data(row.bodies[.providerWebP] ?? []),
                ])
                try note.execute(arguments: [row.place, row.words])
            }
        }
    }

    // MARK: Reading

    /// The stickers in order.
    func all(_ body: Body, offset: Int, limit: Int) throws -> Page {
        try page(
            """
            SELECT \(body.rawValue) FROM sticker WHERE place IN (
                SELECT place FROM sticker INDEXED BY sticker_place ORDER BY place LIMIT ? OFFSET ?)
            ORDER BY place
            """, [], offset, limit)
    }

    /// The stickers that are found by what `SearchText.query` makes, in order.
    func found(_ query: String, _ body: Body, offset: Int, limit: Int) throws -> Page {
        try page(
            """
            SELECT \(body.rawValue) FROM sticker WHERE place IN (
                SELECT rowid FROM found WHERE found MATCH ? ORDER BY rowid LIMIT ? OFFSET ?)
            ORDER BY place
            """, [query], offset, limit)
    }

    /// What is said about a sticker; `nil` if there is none.
    func one(_ id: StickerID, _ body: Body) throws -> [UInt8]? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(body.rawValue) FROM sticker WHERE id = ?")
            return try Data.fetchOne(statement, arguments: [id.rawValue]).map { [UInt8]($0) }
        }
    }

    /// What is said about some stickers, in this order; those that are not there are left out.
    func some(_ ids: some Sequence<StickerID>, _ body: Body) throws -> [[UInt8]] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(body.rawValue) FROM sticker WHERE id = ?")
            return try ids.compactMap { id in
                try Data.fetchOne(statement, arguments: [id.rawValue]).map { [UInt8]($0) }
            }
        }
    }

    private func page(
        _ sql: String, _ arguments: StatementArguments, _ offset: Int, _ limit: Int
    ) throws -> Page {
        let bodies = try read { database in
            let statement = try database.cachedStatement(sql: sql)
            return try Data.fetchAll(statement, arguments: arguments + [limit + 1, offset])
                .map { [UInt8]($0) }
        }
        return Page(bodies: Array(bodies.prefix(limit)), hasMore: bodies.count > limit)
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let turn = next.add(1, ordering: .relaxed).oldValue
        return try readers[Int(UInt(bitPattern: turn) % UInt(readers.count))].read(body)
    }
}
