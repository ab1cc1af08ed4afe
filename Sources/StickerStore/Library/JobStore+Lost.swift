import GRDB
import StickerModel

// Published files that were removed.

extension JobStore {
    /// How many outputs are marked in one transaction.
    private static let lostAtOnce = 500

    /// The outputs that need each file in a folder of the object store, with the names of the files.
    ///
    /// - Parameters:
    ///   - shard: the last part of the folder's path.
    ///   - includingReplaced: also files that the outputs had before, which are kept for a while.
    /// - Returns: a pair for each file that an output needs.
    /// - Throws: `StoreError` if the database cannot be read.
    func outputs(
        inShard shard: String, includingReplaced: Bool
    ) throws(StoreError) -> [(output: Int64, name: String)] {
        let folder = "_/\(shard)/"
        return try read { transaction in
            try transaction.rows(
                """
                SELECT output, path FROM output_file
                WHERE path >= ? AND path < ? AND (keep_until IS NULL OR ?)
                """, [folder, "_/\(shard)0", includingReplaced]
            ).map { row in
                (output: row[0], name: String((row[1] as String).dropFirst(folder.count)))
            }
        }
    }

    /// Removes the stickers of outputs that lack a file from their manifests, and marks the outputs, so
    /// that `redoStale` makes them again.
    ///
    /// - Returns: how many of them were not yet known to be lost.
    func noteLost(_ outputs: some Collection<Int64>) throws(StoreError) -> Int {
        var rest = outputs[...]
        var lost = 0
        while !rest.isEmpty {
            let page = Array(rest.prefix(Self.lostAtOnce))
            rest = rest.dropFirst(page.count)
            lost += try write { transaction in
                let news = try page.filter { try transaction.markLost($0) }
                let categories = try Set(news.flatMap { try transaction.withdraw($0) })
                for category in categories { try transaction.touch(category) }
                return news.count
            }
        }
        return lost
    }
}

extension StoreTransaction {
    /// Marks an output and returns whether it was not marked before.
    fileprivate func markLost(_ output: Int64) throws -> Bool {
        try run("UPDATE output SET is_lost = 1 WHERE id = ? AND is_lost = 0", [output]) == 1
    }

    /// Removes the entries that name files of `output` and returns the categories that show it.
    fileprivate func withdraw(_ output: Int64) throws -> [CategoryID] {
        try run(
            """
            UPDATE sticker SET entry = NULL
            WHERE id IN (SELECT sticker FROM source WHERE output = ?)
            """, [output])
        return try rows("SELECT DISTINCT category FROM source WHERE output = ?", [output])
            .map { CategoryID(rawValue: $0[0]) }
    }
}
