import GRDB
import StickerValues

// Missing published files.

extension Catalog {
    /// How many outputs are marked in one transaction.
    private static let lostAtOnce = 500

    /// The outputs that need each file in a folder of the object store, with the names of the files.
    ///
    /// - Parameters:
    ///   - shard: the last part of the folder's path.
    ///   - includingReplaced: whether to include former files of the outputs, which are kept for a while.
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

    /// Removes the stickers of outputs that lack a file from their manifests, and marks the outputs, so that
    /// `redoStale` makes them again.
    ///
    /// - Parameters:
    ///   - outputs: those that seemed to lack a file. One of them may have been made again since.
    ///   - isGone: whether the file at this path, relative to `out`, is missing. It is called within the transaction:
    ///     no output can be recorded between the answer and the mark.
    /// - Returns: how many of them are newly lost.
    /// - Throws: `StoreError`; the next call finds the rest.
    func noteLost(
        _ outputs: some Collection<Int64>, isGone: (String) -> Bool
    ) throws(StoreError) -> Int {
        var rest = outputs[...]
        var lost = 0
        while !rest.isEmpty {
            let page = Array(rest.prefix(Self.lostAtOnce))
            rest = rest.dropFirst(page.count)
            lost += try write { transaction in
                let news = try page.filter { output in
                    try transaction.files(of: output).contains(where: isGone)
                        && transaction.markLost(output)
                }
                let categories = try Set(news.flatMap { try transaction.withdraw($0) })
                for category in categories { try transaction.touch(category) }
                return news.count
            }
        }
        return lost
    }
}

extension StoreTransaction {
    /// The paths of the present files of an output.
    fileprivate func files(of output: Int64) throws -> [String] {
        try rows(
            "SELECT path FROM output_file WHERE output = ? AND keep_until IS NULL", [output]
        ).map { $0[0] }
    }

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
        return try categories("SELECT DISTINCT category FROM source WHERE output = ?", [output])
    }
}
