import GRDB
import StickerSystem
public import StickerValues
import Synchronization

/// Finished files, shared by every source with the same bytes and recipe.
extension StoreTransaction {
    /// Stores the output of these bytes under the product's recipe, and returns its number and whether manifests must
    /// show it again: it named other files before, or its files were lost.
    func output(
        _ product: StickerProduct, of content: ContentHash, isRebuilt: Bool = false
    ) throws -> (id: Int64, isChanged: Bool) {
        let text = try StoredJSON.text(product)
        let faults = product.revision < Recipe.currentRevision ? nil : ""
        let before = try row(
            """
            SELECT product, is_lost, id, keep_until IS NULL AND is_rebuilt = ? AND is_wrong = 0
                AND revision = ? AND faults IS ?
            FROM output WHERE content = ? AND recipe = ?
            """,
            [
                isRebuilt, product.revision, faults, content.rawValue, product.recipe.rawValue,
            ])
        if let before, before[0] == text, before[1] == false, before[3] == true {
            return (before[2], false)
        }
        if let earlier: Int64 = before?[2] { try noteSizes(of: earlier) }
        let id: Int64? = try value(
            """
            INSERT INTO output (content, recipe, revision, product, is_rebuilt, faults)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET revision = excluded.revision, product = excluded.product,
                keep_until = NULL, is_lost = 0, is_rebuilt = excluded.is_rebuilt,
                faults = excluded.faults, is_wrong = 0
            RETURNING id
            """,
            [
                content.rawValue, product.recipe.rawValue, product.revision, text, isRebuilt,
                faults,
            ])
        guard let id else { throw StoreError(.other, "the database returned no number") }
        let wasAnother = before.map { $0[0] as String != text } ?? false
        let wasLost = before.map { $0[1] as Bool } ?? false
        // Files of the previous product stay for a while: published manifests may still name them.
        if wasAnother {
            try run(
                "UPDATE output_file SET keep_until = ? WHERE output = ? AND keep_until IS NULL",
                [end(of: .oldRevision), id])
        }
        let sizes = Dictionary(product.files.map { ($0.path, $0.bytes) }) { $1 }
        try run(
            """
            INSERT INTO output_file (output, path, bytes) SELECT ?, key, value FROM json_each(?)
            WHERE true ON CONFLICT DO UPDATE SET keep_until = NULL, bytes = excluded.bytes
            """, [id, try StoredJSON.text(sizes)])
        return (id, wasAnother || wasLost)
    }

    /// The size of a row of `output_file` by the product of its output.
    static let bytesInProduct = """
        coalesce((SELECT json_extract(json_each.value, '$.bytes')
            FROM output AS shown, json_each(shown.product, '$.files')
            WHERE shown.id = output_file.output
                AND instr(output_file.path, json_extract(json_each.value, '$.sha256'))), 0)
        """

    /// Notes the sizes of an output's files where only the product has them.
    func noteSizes(of output: Int64) throws {
        try run(
            """
            UPDATE output_file SET bytes = \(Self.bytesInProduct)
            WHERE output = ? AND bytes IS NULL
            """, [output])
    }

    /// Notes for all outputs of these bytes whether the picture is in CMYK, if known.
    func note(isCMYK: Bool?, _ content: ContentHash) throws {
        guard let isCMYK else { return }
        try run(
            "UPDATE output SET is_cmyk = ?1 WHERE content = ?2 AND is_cmyk IS NOT ?1",
            [isCMYK, content.rawValue])
    }

    /// The product of an output, by number; `nil` if its files are lost.
    func product(_ output: Int64) throws -> StickerProduct? {
        let text: String? = try value(
            "SELECT product FROM output WHERE id = ? AND is_lost = 0", [output])
        return try text.map { try StoredJSON.decode(StickerProduct.self, from: $0) }
    }

    /// All products of these bytes, newest first.
    func products(
        of content: ContentHash
    ) throws -> [(id: Int64, isReleased: Bool, product: StickerProduct)] {
        try rows(
            """
            SELECT id, product, keep_until IS NOT NULL FROM output WHERE content = ?
            ORDER BY revision DESC, id DESC
            """, [content.rawValue]
        ).map { row in
            (
                id: row[0], isReleased: row[2],
                product: try StoredJSON.decode(StickerProduct.self, from: row[1])
            )
        }
    }

    /// The source files that show an output.
    func sources(of output: Int64) throws -> [SourceRow] {
        try sources("SELECT \(SourceRow.columns) FROM source WHERE output = ?", [output])
    }

    /// Why unused files are kept.
    enum Kept {
        case oldRevision, trash
        /// A former picture of a template, which it may show again.
        case moment
    }

    /// Keeps the files of an output that is no longer used for a while.
    func release(_ output: Int64, of category: CategoryID, as kept: Kept) throws {
        let users = try count("SELECT count(*) FROM source WHERE output = ?", [output])
        guard users == 0 else { return }
        try run(
            "UPDATE output SET keep_until = ?, released_from = ?, is_trash = ? WHERE id = ?",
            [end(of: kept), category.rawValue, kept == .trash, output])
    }

    /// Until when files released now are kept, in milliseconds since 1970.
    private func end(of kept: Kept) -> Int64 {
        let keep =
            switch kept {
            case .trash: policy.trash
            case .oldRevision: policy.oldRevisions
            case .moment: max(policy.moments, policy.oldRevisions)
            }
        return now.wall + max(keep.milliseconds, Int64(ObjectStore.guardSeconds) * 1000)
    }

    /// The product of a file, lost or not.
    func liveProduct(of source: SourceRow) throws -> LiveProduct? {
        guard let output = source.output else { return nil }
        return try row("SELECT content, product, is_lost FROM output WHERE id = ?", [output]).map {
            LiveProduct(
                content: ContentHash(rawValue: $0[0]),
                product: try StoredJSON.decode(StickerProduct.self, from: $0[1]),
                file: source.content, isLost: $0[2])
        }
    }
}

extension Catalog {
    /// The published product of any file, for example a cover.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func liveProduct(of key: SourceKey) throws(StoreError) -> LiveProduct? {
        try read { transaction in
            let live = try transaction.source(key).flatMap(transaction.liveProduct)
            return live?.isLost == true ? nil : live
        }
    }
}

/// The published product of a file.
public struct LiveProduct: Hashable, Sendable {
    /// The hash of the drawn content: of the file, or of the filled-in template.
    public var content: ContentHash
    /// Its files.
    public var product: StickerProduct
    /// The hash of the file.
    public var file: ContentHash?
    /// Whether its files are lost, so that they must be made again.
    public var isLost: Bool
}

extension Recipe {
    /// The ids of the latest recipes: nearly all jobs have one of a few.
    private static let known = Mutex<[Recipe: RecipeIDs]>([:])
    private static let knownMax = 100

    /// The recipe ids of its results.
    public var ids: RecipeIDs {
        if let ids = Self.known.withLock({ $0[self] }) { return ids }
        let ids = RecipeIDs(self) { String(ContentHash(of: Array($0.utf8)).rawValue.prefix(16)) }
        Self.known.withLock { known in
            if known.count >= Self.knownMax { known = [:] }
            known[self] = ids
        }
        return ids
    }
}
