import FoundationEssentials
import GRDB
public import StickerModel

/// Finished files, shared by every source with the same bytes and recipe.
extension StoreTransaction {
    /// The number of the output of these bytes under the product's recipe, noted if it is new.
    func output(_ product: StickerProduct, of content: ContentHash) throws -> Int64 {
        let id: Int64? = try value(
            """
            INSERT INTO output (content, recipe, product) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET product = excluded.product, keep_until = NULL RETURNING id
            """, [content.rawValue, product.recipe, try StoredJSON.text(product)])
        guard let id else { throw StoreError(.other, "the database gave no number") }
        // Files of an earlier product of the same recipe stay: entries may still name them.
        for file in product.files {
            try run(
                "INSERT INTO output_file VALUES (?, ?) ON CONFLICT DO NOTHING", [id, file.path])
        }
        return id
    }

    /// What was made, by number; `nil` where its files are lost.
    func product(_ output: Int64) throws -> StickerProduct? {
        let text: String? = try value(
            "SELECT product FROM output WHERE id = ? AND recipe NOT LIKE ?",
            [output, Recipe.lostPrefix + "%"])
        return try text.map { try StoredJSON.decode(StickerProduct.self, from: $0) }
    }

    /// Why files are kept that nobody uses.
    enum Kept {
        case oldRevision, trash
    }

    /// Keeps the files of an output that nobody uses any more for another while only.
    func release(_ output: Int64, of category: CategoryID, as kept: Kept) throws {
        let users = try count("SELECT count(*) FROM source WHERE output = ?", [output])
        guard users == 0 else { return }
        let keep = kept == .trash ? policy.trash : policy.oldRevisions
        let until = now.wall + max(keep.milliseconds, Int64(ObjectStore.guardSeconds) * 1000)
        try run(
            "UPDATE output SET keep_until = ?, released_from = ?, is_trash = ? WHERE id = ?",
            [until, category.rawValue, kept == .trash, output])
    }
}

extension JobStore {
    /// What was made of these bytes by this recipe, wherever in the library; it needs no second time.
    ///
    /// Its files stay at least long enough for the caller to publish them.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    public func product(
        content: ContentHash, recipe: String
    ) throws(StoreError) -> StickerProduct? {
        let found = try read { transaction in
            try transaction.row(
                "SELECT id, product, keep_until IS NOT NULL FROM output WHERE content = ? AND recipe = ?",
                [content.rawValue, recipe]
            ).map { row in
                (
                    id: row[0] as Int64, isReleased: row[2] as Bool,
                    product: try StoredJSON.decode(StickerProduct.self, from: row[1])
                )
            }
        }
        guard let found, found.isReleased else { return found?.product }
        return try write { transaction in
            let until = transaction.now.wall + Int64(ObjectStore.guardSeconds) * 1000
            let stays = try transaction.run(
                "UPDATE output SET keep_until = max(keep_until, ?) WHERE id = ?", [until, found.id])
            return stays == 1 ? found.product : nil
        }
    }

    /// What is published for a sticker: the bytes it was made of, and the product.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    func liveProduct(
        _ sticker: StickerID
    ) throws(StoreError) -> (content: ContentHash, product: StickerProduct)? {
        try live("source.sticker = ?", [sticker.rawValue])
    }

    /// The same for any file, a cover for example.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    public func liveProduct(
        of key: SourceKey
    ) throws(StoreError) -> (content: ContentHash, product: StickerProduct)? {
        try live(
            "source.drop_path = ? AND source.directory = ? AND source.name = ?",
            [key.drop, Data(key.directory), Data(key.name)])
    }

    private func live(
        _ condition: String, _ arguments: StatementArguments
    ) throws(StoreError) -> (content: ContentHash, product: StickerProduct)? {
        try read { transaction in
            try transaction.row(
                """
                SELECT output.content, output.product FROM source
                JOIN output ON output.id = source.output WHERE \(condition)
                """, arguments
            ).map { row in
                (
                    content: ContentHash(rawValue: row[0]),
                    product: try StoredJSON.decode(StickerProduct.self, from: row[1])
                )
            }
        }
    }
}

extension Recipe {
    /// What tells this recipe from others, as it stands in products: the first 16 digits of the
    /// SHA-256 of its JSON with sorted keys.
    public var fingerprint: String {
        do {
            let hash = ContentHash(of: Array(try StoredJSON.encode(fingerprinted)))
            return String(hash.rawValue.prefix(16))
        } catch {
            preconditionFailure("a recipe has no JSON: \(error)")
        }
    }
}
