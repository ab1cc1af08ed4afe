import FoundationEssentials
import GRDB
public import StickerModel

/// The space that published files take. Files that two categories share are counted in both.
public struct Usage: Hashable, Sendable, Codable {
    /// Some files.
    public struct Amount: Hashable, Sendable, Codable {
        /// Finished pictures; each has several files.
        public var pictures = 0
        /// The bytes of all their files.
        public var bytes = 0
    }

    /// One category.
    public struct Category: Hashable, Sendable, Codable {
        /// Its id.
        public var id: CategoryID
        /// What manifests show.
        public var live = Amount()
        /// Replaced pictures that are kept for a while.
        public var oldRevisions = Amount()
        /// Pictures of deleted stickers.
        public var trash = Amount()
    }

    /// Every category that has anything, by id.
    public var categories: [Category] = []
    /// What a clean-up would free now.
    public var expired = Amount()
    /// The bytes of the database.
    public var databaseBytes = 0
}

extension JobStore {
    /// How much space published files take, by category.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func usage() throws(StoreError) -> Usage {
        try read { transaction in
            var amounts: [CategoryID: Usage.Category] = [:]
            try transaction.addLive(to: &amounts)
            try transaction.addKept(to: &amounts)
            return Usage(
                categories: amounts.values.sorted { $0.id.rawValue < $1.id.rawValue },
                expired: try transaction.expired(),
                databaseBytes: try transaction.value(
                    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0)
        }
    }
}

extension StoreTransaction {
    /// The bytes of all files of an output.
    private static let bytes = """
        (SELECT sum(json_extract(file.value, '$.bytes'))
            FROM json_each(output.product, '$.files') AS file)
        """

    fileprivate func addLive(to amounts: inout [CategoryID: Usage.Category]) throws {
        let rows = try rows(
            """
            SELECT used.category, count(*), sum(\(Self.bytes)) FROM
                (SELECT DISTINCT category, output FROM source WHERE output IS NOT NULL) AS used
            JOIN output ON output.id = used.output GROUP BY used.category
            """)
        for row in rows {
            let id = CategoryID(rawValue: row[0])
            amounts[id, default: .init(id: id)].live = .init(pictures: row[1], bytes: row[2])
        }
    }

    fileprivate func addKept(to amounts: inout [CategoryID: Usage.Category]) throws {
        let rows = try rows(
            """
            SELECT released_from, is_trash, count(*), sum(\(Self.bytes)) FROM output
            WHERE keep_until IS NOT NULL AND released_from IS NOT NULL
            GROUP BY released_from, is_trash
            """)
        for row in rows {
            let id = CategoryID(rawValue: row[0])
            let amount = Usage.Amount(pictures: row[2], bytes: row[3])
            let kept: WritableKeyPath<Usage.Category, Usage.Amount> =
                row[1] ? \.trash : \.oldRevisions
            amounts[id, default: .init(id: id)][keyPath: kept] = amount
        }
    }

    fileprivate func expired() throws -> Usage.Amount {
        let row = try row(
            "SELECT count(*), coalesce(sum(\(Self.bytes)), 0) FROM output WHERE keep_until <= ?",
            [now.wall])
        return row.map { .init(pictures: $0[0], bytes: $0[1]) } ?? .init()
    }
}
