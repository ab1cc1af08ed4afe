import FoundationEssentials
import GRDB
public import StickerValues

/// The space of published files. A file counts once in every category that has it, and once in the total.
public struct Usage: Hashable, Sendable, Codable {
    /// Some files.
    public struct Amount: Hashable, Sendable, Codable {
        /// Finished pictures; each has several files.
        public var pictures = 0
        /// The bytes of their files, without files that are kept longer: live ones longest, then the trash.
        public var bytes = 0
    }

    /// One category.
    public struct Category: Hashable, Sendable, Codable {
        /// Its id.
        public var id: CategoryID
        /// Pictures in manifests.
        public var live = Amount()
        /// Replaced pictures and files that are kept for a while.
        public var oldRevisions = Amount()
        /// Pictures of deleted stickers.
        public var trash = Amount()
    }

    /// Every category with files, by id.
    public var categories: [Category] = []
    /// The bytes of all files, each counted once.
    public var totalBytes = 0
    /// The amount that a cleaning would free now.
    public var expired = Amount()
    /// The bytes of the database.
    public var databaseBytes = 0
    /// The finished jobs in the database.
    public var history = History()
}

extension Operations {
    /// The space of published files by category.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func usage() throws(StoreError) -> Usage {
        try read { transaction in
            Usage(
                categories: try transaction.usageByCategory(),
                totalBytes: try transaction.value(
                    """
                    SELECT sum(bytes) FROM (
                        SELECT DISTINCT path, \(StoreTransaction.bytes) AS bytes FROM output_file)
                    """) ?? 0,
                expired: try transaction.expired(),
                databaseBytes: try transaction.value(
                    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0,
                history: try transaction.history())
        }
    }
}

extension StoreTransaction {
    /// Why a category keeps a file; the longest retention first.
    private static var reasons: [WritableKeyPath<Usage.Category, Usage.Amount>] {
        [\.live, \.trash, \.oldRevisions]
    }

    /// Every picture of every category with the reason for keeping it, an index of `reasons`.
    private static let kept = """
        kept(category, output, reason) AS (
            SELECT DISTINCT category, output, 0 FROM source WHERE output IS NOT NULL
            UNION ALL
            SELECT released_from, id, 2 - is_trash FROM output
            WHERE keep_until IS NOT NULL AND released_from IS NOT NULL)
        """

    /// The size of a row of `output_file`; for an output of release 0.4 only the product has it until its entry is
    /// encoded again.
    fileprivate static let bytes = "coalesce(output_file.bytes, \(bytesInProduct))"

    fileprivate func usageByCategory() throws -> [Usage.Category] {
        var amounts: [CategoryID: Usage.Category] = [:]
        let pictures = try rows(
            """
            WITH \(Self.kept), file(category, output, reason) AS (
                SELECT * FROM kept
                UNION
                SELECT category, kept.output, 2 FROM kept
                JOIN output_file ON output_file.output = kept.output
                WHERE keep_until IS NOT NULL)
            SELECT category, reason, count(*) FROM file GROUP BY category, reason
            """)
        for row in pictures {
            let id = CategoryID(rawValue: row[0])
            amounts[id, default: .init(id: id)][keyPath: Self.reasons[row[1]]].pictures = row[2]
        }
        let bytes = try rows(
            """
            WITH \(Self.kept), file(category, bytes, reason) AS (
                SELECT category, \(Self.bytes), min(iif(keep_until IS NULL, reason, 2))
                FROM kept JOIN output_file ON output_file.output = kept.output
                GROUP BY category, path)
            SELECT category, reason, sum(bytes) FROM file GROUP BY category, reason
            """)
        for row in bytes {
            let id = CategoryID(rawValue: row[0])
            amounts[id, default: .init(id: id)][keyPath: Self.reasons[row[1]]].bytes = row[2]
        }
        return amounts.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Unused pictures whose time is up, and the files that no other picture has.
    fileprivate func expired() throws -> Usage.Amount {
        let pictures = try count(
            "SELECT count(*) FROM output WHERE keep_until <= ?", [now.wall])
        let bytes: Int? = try value(
            """
            SELECT sum(bytes) FROM (
                SELECT max(\(Self.bytes)) AS bytes FROM output_file
                JOIN output ON output.id = output_file.output GROUP BY path
                HAVING max(min(
                    coalesce(output_file.keep_until, \(Int64.max)),
                    coalesce(output.keep_until, \(Int64.max)))) <= ?)
            """, [now.wall])
        return Usage.Amount(pictures: pictures, bytes: bytes ?? 0)
    }
}
