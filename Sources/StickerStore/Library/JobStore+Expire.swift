import FoundationEssentials
import GRDB
public import StickerModel

/// Stickers that were removed because their files did not come back.
public struct Expiry: Hashable, Sendable {
    /// Their ids; each stays reserved forever.
    public var removed: [StickerID] = []
    /// Categories that changed: publish them.
    public var changedCategories: Set<CategoryID> = []
    /// Milliseconds until the next grace ends; `nil` if no file is missing.
    public var nextMilliseconds: Int64?
}

extension JobStore {
    /// Removes stickers from their category whose file has been gone for longer than the grace; at most a
    /// thousand in one call.
    ///
    /// - Throws: `StoreError`; nothing was removed.
    public func expireMissing() throws(StoreError) -> Expiry {
        try write { transaction in
            let grace = transaction.policy.deleteGrace.milliseconds
            let sources = try transaction.rows(
                """
                SELECT \(SourceRow.columns) FROM source INDEXED BY source_missing
                WHERE missing_since <= ? ORDER BY missing_since LIMIT 1000
                """, [transaction.now.boot - grace]
            ).map { try SourceRow($0) }
            var expiry = Expiry()
            for source in sources { try transaction.expire(source, &expiry) }
            for category in expiry.changedCategories { try transaction.touch(category) }
            let next: Int64? = try transaction.value(
                """
                SELECT min(missing_since) FROM source INDEXED BY source_missing
                WHERE missing_since IS NOT NULL
                """)
            expiry.nextMilliseconds = next.map { max(0, $0 + grace - transaction.now.boot) }
            return expiry
        }
    }
}

extension StoreTransaction {
    /// Ends the grace of one file. Its sticker becomes a tombstone, and its pictures go to the trash.
    fileprivate func expire(_ source: SourceRow, _ expiry: inout Expiry) throws {
        try run(
            """
            UPDATE source SET missing_since = NULL, applied = 0, output = NULL, content = NULL
            WHERE id = ?
            """, [source.id])
        if let output = source.output {
            try release(output, of: source.category, as: .trash)
            expiry.changedCategories.insert(source.category)
        }
        // An id that was never published may be used by the next file of that name.
        guard let sticker = source.sticker, source.isLive else { return }
        try run(
            "UPDATE sticker SET entry = NULL, deleted_at = ? WHERE id = ?",
            [now.wall, sticker.rawValue])
        expiry.removed.append(sticker)
    }
}
