import FoundationEssentials
import GRDB
public import StickerModel

/// Stickers that were removed because their files did not come back, and deletions that are too large to be
/// believed.
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

    /// What was removed.
    public var removed: [Removed] = []
    /// Deletions that wait for a word from now on; they may still grow.
    public var held: [DeletionHold] = []
    /// Stickers of which the file left, and that one of another format continues.
    public var renamed: [RenamedFile] = []
    /// Deletions that waited until enough files came back.
    public var lifted: [DeletionHold] = []
    /// Categories that changed: publish them.
    public var changedCategories: Set<CategoryID> = []
    /// Milliseconds until the next grace ends; `nil` if no file is missing.
    public var nextMilliseconds: Int64?
}

extension JobStore {
    /// Removes stickers from their category whose file has been gone for longer than the grace, or whose
    /// deletion was confirmed; at most a thousand in one call. Deletions of many at once are held instead.
    ///
    /// - Parameter isEnd: whether nothing else will be noticed, so that what replaces a missing file need not wait.
    /// - Returns: what was removed, held and continued, and when to call again.
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
            // What side files said is kept with the pictures that go with them.
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
        let due = try rows(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_waning
            WHERE missing_since <= ? AND held IS NULL AND heir IS NULL
            ORDER BY missing_since LIMIT ?
            """, [now.boot - grace, JobStore.expiredAtOnce])
        let confirmed = try rows(
            """
            SELECT \(SourceRow.columns) FROM hold CROSS JOIN source ON source.held = hold.id
            WHERE hold.is_confirmed = 1 LIMIT ?
            """, [JobStore.expiredAtOnce - due.count])
        return try (due + confirmed).map { try SourceRow($0) }
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
