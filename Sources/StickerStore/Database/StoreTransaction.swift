import FoundationEssentials
import GRDB
import StickerModel

/// One transaction: the database, the moment at which it happens, and the policy in force.
struct StoreTransaction {
    let database: Database
    let now: Moment
    let policy: StorePolicy
    let jitter: @Sendable () -> Double

    /// Runs a statement and returns the number of rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return database.changesCount
    }

    /// The first row of a query.
    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Every row of a query.
    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The only value of the first row of a query.
    func value<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws -> Value? {
        try row(sql, arguments)?[0]
    }

    /// The number of rows that a `SELECT count(*)` found.
    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try value(sql, arguments) ?? 0
    }
}

/// JSON in the form in which it is stored and published: with sorted keys, so that equal values are equal
/// bytes.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
