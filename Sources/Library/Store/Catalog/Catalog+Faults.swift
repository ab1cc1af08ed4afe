import GRDB
public import StickerValues

/// A sticker of an earlier release whose picture was not examined yet for faults fixed since.
public struct UnseenSticker: Sendable {
    /// The number of its output.
    public var output: Int64
    /// A present file of it, in the state `version`.
    public var source: SourceKey
    /// The published state of the file.
    public var version: FileVersion
    /// The category of the file.
    public var category: CategoryNames
    /// Its published files.
    public var product: StickerProduct
}

/// The faults that may concern a sticker, by name.
public struct NotedFaults: Sendable {
    /// The number of the output.
    public var output: Int64
    /// The revision of the code that made it.
    public var revision: Int
    /// Their names.
    public var names: [String]
    /// Whether one of them makes it show its picture wrong.
    public var isWrong: Bool
    /// Whether its picture is a drawing. A drawing stays outdated even without a known fault, as many improvements of
    /// drawings cannot be detected in their text.
    public var isDrawing = false

    /// Creates a note; see the properties.
    public init(output: Int64, revision: Int, names: [String], isWrong: Bool) {
        (self.output, self.revision, self.names, self.isWrong) = (output, revision, names, isWrong)
    }
}

extension Catalog {
    /// Stickers of earlier releases whose pictures were not examined yet, by the number of the output.
    ///
    /// - Parameters:
    ///   - output: the last output of the page before; 0 for the first.
    ///   - limit: the largest number of stickers to return.
    /// - Returns: a page of them.
    /// - Throws: `StoreError` if the database cannot be read.
    public func unseen(after output: Int64, limit: Int) throws(StoreError) -> [UnseenSticker] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT \(SourceRow.columns), output.id AS shown, output.product
                FROM output INDEXED BY output_unseen JOIN source ON source.id = (
                    SELECT min(id) FROM source AS first
                    WHERE first.output = output.id AND present = 1 AND applied = 1)
                WHERE output.faults IS NULL AND output.id > ? AND output.revision < ?
                    AND output.keep_until IS NULL AND output.is_rebuilt = 0 AND output.is_lost = 0
                ORDER BY output.id LIMIT ?
                """, [output, Recipe.currentRevision, limit]
            ).map { row in
                let source = try SourceRow(row)
                return UnseenSticker(
                    output: row["shown"], source: source.key, version: source.version,
                    category: try transaction.categoryNames(of: source),
                    product: try StoredJSON.decode(StickerProduct.self, from: row["product"]))
            }
        }
    }

    /// Notes the possible faults of stickers. A sticker without any counts as made by this revision, which would not
    /// change it; unless its picture is a drawing, or a later revision than its own improved every sticker.
    ///
    /// - Throws: `StoreError`; nothing was noted.
    public func note(_ faults: [NotedFaults]) throws(StoreError) {
        guard !faults.isEmpty else { return }
        try write { transaction in
            for noted in faults {
                let isCurrent =
                    noted.names.isEmpty && !noted.isDrawing
                    && noted.revision >= Recipe.generalRevision
                let revision = isCurrent ? Recipe.currentRevision : noted.revision
                try transaction.run(
                    """
                    UPDATE output SET faults = ?1, is_wrong = ?2, revision = ?3,
                        product = json_set(product, '$.revision', ?3)
                    WHERE id = ?4 AND revision = ?5 AND faults IS NULL
                    """,
                    [
                        noted.names.joined(separator: " "), noted.isWrong, revision, noted.output,
                        noted.revision,
                    ])
            }
        }
    }
}

extension StoreTransaction {
    func faults(of output: Int64) throws -> [String] {
        let names: String? = try value("SELECT faults FROM output WHERE id = ?", [output])
        return names?.split(separator: " ").map(String.init) ?? []
    }

    /// The condition for outdated outputs: made before the last revision that concerned everything, or examined and
    /// still not counting as made by this revision.
    static let isOutdated =
        """
        output.revision < \(Recipe.currentRevision) AND output.keep_until IS NULL \
        AND output.is_rebuilt = 0 \
        AND (output.revision < \(Recipe.generalRevision) OR output.faults IS NOT NULL)
        """
}
