import FoundationEssentials
import GRDB
import StickerValues

/// One transaction: the database, its moment, and the policy in force.
struct StoreTransaction {
    let database: Database
    let now: Moment
    let policy: StorePolicy
    let jitter: @Sendable () -> Double
    let drops: DropStates

    /// Runs a statement and returns the number of rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return database.changesCount
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

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

/// JSON as stored and published: keys are sorted, so that equal values are equal bytes.
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
        try decode(type, json: Data(text.utf8))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, json data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    /// The JSON of `frame` with the elements `lines`, one per line, in its empty list `name`.
    static func page(
        _ frame: some Encodable, listing lines: [Data], as name: String
    ) throws -> [UInt8] {
        let frame = try encode(frame)
        // Inside a text every quote is escaped, so these bytes occur only before the list.
        guard let list = frame.firstRange(of: Data("\"\(name)\":[]".utf8)) else {
            throw StoreError(.other, "a page has no list \(name)")
        }
        var page = [UInt8](frame[..<(list.upperBound - 1)])
        page.reserveCapacity(frame.count + lines.reduce(0) { $0 + $1.count + 2 })
        for (number, line) in lines.enumerated() {
            page += number == 0 ? Array("\n".utf8) : Array(",\n".utf8)
            page += line
        }
        page += frame[(list.upperBound - 1)...]
        page.append(UInt8(ascii: "\n"))
        return page
    }
}
