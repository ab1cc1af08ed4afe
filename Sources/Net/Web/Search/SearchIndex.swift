import FoundationEssentials
import GRDB
import Glibc
import StickerConfiguration
import StickerValues
import Synchronization

/// The stickers of a library in the order of offering, with their search words: a database in a temporary file with one
/// writer and many concurrent readers. A transaction reads one state.
///
/// The number of a row is its place in the order, so that answers need no sorting.
final class SearchIndex: Sendable {
    /// The folder of its file, which has no name there.
    let folder: String
    let writer: DatabaseQueue
    private let readers: [DatabaseQueue]
    private let next = Atomic<Int>(0)
    private let totals = TotalCache()
    private let changes = Atomic<Int>(0)

    /// A sticker in the index.
    struct Row: Hashable, Sendable {
        /// Its place; unique.
        var place: Int64
        var identifier: StickerID
        var category: CategoryID
        /// Words and emoji.
        var words: String
        /// The contents of answers.
        var facts: Facts
    }

    /// The contents of answers about a sticker, in parts of JSON, as most of it is the same in all of them.
    struct Facts: Hashable, Sendable {
        /// The address of the PNG or GIF.
        var url: [UInt8]
        /// The address of the sticker itself.
        var webp: [UInt8]
        /// The members for every answer.
        var members: [UInt8]
        /// The members about its files.
        var files: [UInt8]
    }

    /// A form of a sticker in answers.
    enum Body: Hashable, Sendable, CaseIterable {
        /// With a PNG or GIF.
        case provider
        /// With a WebP.
        case providerWebP
        /// With everything; `FoundSticker` is read from it.
        case whole

        /// Joins the parts.
        fileprivate var sql: String {
            switch self {
            case .provider: "CAST('{\"url\":' || url || ',' || members || '}' AS BLOB)"
            case .providerWebP: "CAST('{\"url\":' || webp || ',' || members || '}' AS BLOB)"
            case .whole:
                """
                CAST('{"url":' || url || ',"webp":' || webp || ',' || members || ','
                    || files || '}' AS BLOB)
                """
            }
        }
    }

    /// A part of the stickers of an answer.
    struct Page: Hashable, Sendable {
        /// The JSON of each.
        var bodies: [[UInt8]]
        /// Whether more follow.
        var hasMore: Bool
    }

    /// Creates an empty index.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file, which is unlinked at once.
    ///   - readers: the number of concurrent readers.
    /// - Throws: `DatabaseError`.
    init(folder: String, readers: Int) throws {
        self.folder = folder
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
            url BLOB NOT NULL,
            webp BLOB NOT NULL,
            members BLOB NOT NULL,
            files BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX sticker_id ON sticker(id);
        -- The places alone: what is skipped is not read.
        CREATE INDEX sticker_place ON sticker(place);
        CREATE VIRTUAL TABLE found USING fts5(
            words, content = 'sticker', content_rowid = 'place', detail = none, prefix = '1 2 3 4',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
        """

    // MARK: Writing

    /// Replaces the state of the index in one step.
    ///
    /// - Parameters:
    ///   - gone: stickers that were removed or changed.
    ///   - rows: new and changed stickers.
    ///   - beforeCommit: called when everything is written but still invisible; not if there is nothing to do.
    /// - Throws: `DatabaseError`; the index is then as it was.
    func change(
        removing gone: [StickerID], adding rows: [Row], beforeCommit: () -> Void = {}
    ) throws {
        guard !gone.isEmpty || !rows.isEmpty else { return }
        let number = changes.add(1, ordering: .relaxed).newValue
        try writer.write { database in
            // Part of the transaction, so that readers know which state they see.
            try database.execute(sql: "PRAGMA user_version = \(number)")
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
                    INSERT INTO sticker (place, id, category, words, url, webp, members, files)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            let note = try database.cachedStatement(
                sql: "INSERT INTO found (rowid, words) VALUES (?, ?)")
            // FTS5 writes its words out whenever a place is lower than the previous one: in order, that takes a third
            // of the time.
            for row in rows.sorted(by: { $0.place < $1.place }) {
                try insert.execute(arguments: [
                    row.place, row.identifier.rawValue, row.category.rawValue, row.words,
                    Data(row.facts.url), Data(row.facts.webp), Data(row.facts.members),
                    Data(row.facts.files),
                ])
                try note.execute(arguments: [row.place, row.words])
            }
            beforeCommit()
        }
    }

    // MARK: Reading

    /// The stickers in order.
    func all(_ body: Body, offset: Int, limit: Int) throws -> Page {
        try read { try Self.page($0, nil, body, offset, limit) }
    }

    /// The stickers found by a query of `SearchText.query`, in order.
    func found(_ query: String, _ body: Body, offset: Int, limit: Int) throws -> Page {
        try read { try Self.page($0, query, body, offset, limit) }
    }

    /// The stickers found, or all without a query, and their number on all pages together.
    func counted(
        _ query: String?, _ body: Body, offset: Int, limit: Int
    ) throws -> (page: Page, total: Int) {
        try read { database in
            let page = try Self.page(database, query, body, offset, limit)
            return (page, try count(database, query))
        }
    }

    /// A random sticker of those found, or of all without a query; `nil` if there is none.
    func random(_ query: String?, _ body: Body) throws -> [UInt8]? {
        try read { database in
            let total = try count(database, query)
            guard total > 0 else { return nil }
            let place = Int.random(in: 0..<total)
            return try Self.page(database, query, body, place, 1).bodies.first
        }
    }

    private func count(_ database: Database, _ query: String?) throws -> Int {
        let state = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        return try totals.total(of: query ?? "", in: state) {
            let statement = try database.cachedStatement(
                sql: query == nil
                    ? "SELECT count(*) FROM sticker"
                    : "SELECT count(*) FROM found WHERE found MATCH ?")
            let arguments: StatementArguments = query.map { [$0] } ?? []
            return try Int.fetchOne(statement, arguments: arguments) ?? 0
        }
    }

    /// The JSON of a sticker; `nil` if there is none.
    func one(_ id: StickerID, _ body: Body) throws -> [UInt8]? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(body.sql) FROM sticker WHERE id = ?")
            return try Data.fetchOne(statement, arguments: [id.rawValue]).map { [UInt8]($0) }
        }
    }

    /// The JSON of some stickers, in this order; missing ones are left out.
    func some(_ ids: some Sequence<StickerID>, _ body: Body) throws -> [[UInt8]] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(body.sql) FROM sticker WHERE id = ?")
            return try ids.compactMap { id in
                try Data.fetchOne(statement, arguments: [id.rawValue]).map { [UInt8]($0) }
            }
        }
    }

    private static func page(
        _ database: Database, _ query: String?, _ body: Body, _ offset: Int, _ limit: Int
    ) throws -> Page {
        let places =
            query == nil
            ? "SELECT place FROM sticker INDEXED BY sticker_place ORDER BY place LIMIT ? OFFSET ?"
            : "SELECT rowid FROM found WHERE found MATCH ? ORDER BY rowid LIMIT ? OFFSET ?"
        let statement = try database.cachedStatement(
            sql: "SELECT \(body.sql) FROM sticker WHERE place IN (\(places)) ORDER BY place")
        let arguments: StatementArguments = query.map { [$0] } ?? []
        let bodies = try Data.fetchAll(statement, arguments: arguments + [limit + 1, offset])
            .map { [UInt8]($0) }
        return Page(bodies: Array(bodies.prefix(limit)), hasMore: bodies.count > limit)
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let turn = next.add(1, ordering: .relaxed).oldValue
        return try readers[Int(UInt(bitPattern: turn) % UInt(readers.count))].read(body)
    }
}
