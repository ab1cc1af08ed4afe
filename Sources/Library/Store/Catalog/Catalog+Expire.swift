import FoundationEssentials
import GRDB
public import StickerValues

/// Stickers that were removed because their files did not come back, and deletions too large to happen without
/// confirmation.
public struct Expiry: Hashable, Sendable {
    /// A sticker that was removed.
    public struct Removed: Hashable, Sendable {
        /// Its id, which stays reserved forever.
        public var sticker: StickerID
        /// The category that showed it.
        public var category: CategoryID
        /// The file that it was made from.
        public var source: SourceKey
    }

    /// The removed stickers.
    public var removed: [Removed] = []
    /// Deletions held since this call; they may still grow.
    public var held: [DeletionHold] = []
    /// Stickers whose file left and that a file of another format continues.
    public var renamed: [RenamedFile] = []
    /// Holds that ended because enough files came back.
    public var lifted: [DeletionHold] = []
    /// Changed categories, to be published.
    public var changedCategories: Set<CategoryID> = []
    /// Milliseconds until the next grace ends; `nil` if no file is missing.
    public var nextMilliseconds: Int64?
}

extension Catalog {
    /// Removes the stickers whose file has been missing for longer than the grace, or whose deletion was confirmed; at
    /// most a thousand per call. Mass deletions are held instead.
    ///
    /// - Parameter isEnd: whether this is the last call, so that replacements of missing files need not wait.
    /// - Returns: the removed, held and continued stickers, and when to call again.
    /// - Throws: `StoreError`; nothing was removed.
    public func expireMissing(isEnd: Bool = false) throws(StoreError) -> Expiry {
        try write { transaction in
            let grace = transaction.policy.deleteGrace.milliseconds
            var expiry = Expiry()
            let isMore = try transaction.settleSuccessions(
                after: isEnd ? .zero : transaction.policy.settle, &expiry)
            expiry.lifted = try transaction.liftHolds()
            if !transaction.policy.believesDeletions {
                expiry.held = try transaction.holdMassDeletions()
            }
            // Words from side files are kept with their pictures.
            let sources = try transaction.expired(grace)
                .sorted { !$0.isSideFile && $1.isSideFile }
            for source in sources { try transaction.expire(source, &expiry) }
            for category in expiry.changedCategories { try transaction.touch(category) }
            let next: Int64? = try transaction.value(
                """
                SELECT min(missing_since) FROM source INDEXED BY source_waning
                WHERE missing_since IS NOT NULL AND held IS NULL
                """)
            expiry.nextMilliseconds = next.map { max(0, $0 + grace - transaction.now.boot) }
            if isMore || sources.count == Self.expiredAtOnce { expiry.nextMilliseconds = 0 }
            return expiry
        }
    }

    fileprivate static let expiredAtOnce = 1000
}

extension StoreTransaction {
    fileprivate func expired(_ grace: Int64) throws -> [SourceRow] {
        let due = try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_waning
            WHERE missing_since <= ? AND held IS NULL AND heir IS NULL
            ORDER BY missing_since LIMIT ?
            """, [now.boot - grace, Catalog.expiredAtOnce])
        let confirmed = try sources(
            """
            SELECT \(SourceRow.columns) FROM hold CROSS JOIN source ON source.held = hold.id
            WHERE hold.is_confirmed = 1 LIMIT ?
            """, [Catalog.expiredAtOnce - due.count])
        return due + confirmed
    }

    /// Ends the grace of one file. Its sticker becomes a tombstone, and its pictures go to the trash.
    func expire(_ source: SourceRow, _ expiry: inout Expiry) throws {
        try run(
            """
            UPDATE source SET missing_since = NULL, held = NULL, heir = NULL, applied = 0,
                output = NULL, content = NULL, former_names = NULL
            WHERE id = ?
            """, [source.id])
        if let output = source.output {
            try release(output, of: source.category, as: .trash)
            expiry.changedCategories.insert(source.category)
        }
        if source.isSideFile { try expiry.changedCategories.formUnion(forgetWords(of: source)) }
        // An id that was never published may be used by the next file of that name.
        guard let sticker = source.sticker, source.isLive else { return }
        try remove(sticker, of: source)
        expiry.removed.append(
            Expiry.Removed(sticker: sticker, category: source.category, source: source.key))
    }
}
