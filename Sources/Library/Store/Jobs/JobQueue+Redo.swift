import FoundationEssentials
import GRDB
public import StickerValues

/// How much of a category was made by a recipe other than its present one, or by an older release.
public struct StaleCategory: Hashable, Sendable, Codable {
    /// The category.
    public var category: CategoryID
    /// Its stickers, plus its cover.
    public var stickers = 0
    /// The number that lack files, which have to be made.
    public var stale = 0
    /// The number that have all their files but list the wrong ones.
    public var relisted = 0
    /// The number of JPEGs of an earlier release that are read again to learn whether they are in CMYK; only those are
    /// made again.
    public var unexamined = 0
    /// The number made by an older release that would be better if made now.
    public var outdated = 0
    /// The number of outdated ones that show their pictures wrong.
    public var wrong = 0
    /// Possible faults of outdated ones, by name; one sticker may have several.
    public var faults: [String: Int] = [:]
    /// The number made by an older release and not examined for faults yet.
    public var unseen = 0
    /// The bytes of files that are replaced; they stay for a while.
    public var staleBytes = 0
    /// The files for targets that had none before, by target and kind.
    public var newFiles: [NewFiles] = []

    /// Files that are made for the first time.
    public struct NewFiles: Hashable, Sendable, Codable {
        /// The target.
        public var target: String
        /// Whether they move.
        public var animated: Bool
        /// How many there are at most.
        public var files: Int
    }

    /// The same condition as `StoreTransaction.isOutdated`.
    fileprivate mutating func countOutdated(_ live: Live) {
        guard live.revision < Recipe.currentRevision else { return }
        let faults = live.faults ?? []
        if live.faults == nil { unseen += 1 }
        guard live.revision < Recipe.generalRevision || live.faults != nil else { return }
        outdated += 1
        if live.isWrong { wrong += 1 }
        for fault in faults { self.faults[fault, default: 0] += 1 }
    }

    fileprivate mutating func addNewFile(for target: String, animated: Bool) {
        let known = newFiles.firstIndex { $0.target == target && $0.animated == animated }
        if let known {
            newFiles[known].files += 1
        } else {
            newFiles.append(NewFiles(target: target, animated: animated, files: 1))
        }
    }
}

extension JobQueue {
    /// Whether looks of categories changed since the last call.
    ///
    /// - Throws: `StoreError` if the database cannot be read or written.
    public func takeRestyled() throws(StoreError) -> Bool {
        // Nearly always there are none, and no write lock is needed.
        let isRestyled = try read {
            try $0.count("SELECT count(*) FROM category WHERE is_restyled = 1") > 0
        }
        guard isRestyled else { return false }
        return try write {
            try $0.run("UPDATE category SET is_restyled = 0 WHERE is_restyled = 1") > 0
        }
    }

    /// Queues the side files of looks with marks to be read again, except refused ones.
    ///
    /// - Returns: how many jobs were added.
    /// - Throws: `StoreError`; nothing was queued.
    public func rereadLooks() throws(StoreError) -> Int {
        try write { transaction in
            let categories = try transaction.categories(
                "SELECT id FROM category WHERE look IS NOT NULL")
            let sources = try categories.flatMap { category in
                try transaction.rows(
                    """
                    SELECT \(SourceRow.columns) FROM source INDEXED BY source_words
                    JOIN words ON words.source = source.id AND words.name = ''
                    WHERE source.category = ? AND source.kind = 'categoryWords'
                        AND source.present = 1
                        AND json_extract(words.words, '$.look.watermarks') IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM job WHERE job.source = source.id
                            AND superseded_by IS NULL AND state IN
                            ('available', 'scheduled', 'retryable', 'executing', 'discarded'))
                    """, [category.rawValue]
                ).map { try SourceRow($0) }
            }
            for source in sources {
                try transaction.queueAgain(
                    source, .words, why: "the folder of marks has changed")
            }
            return sources.count
        }
    }

    /// How many sources one transaction examines.
    private static let page = 500

    /// The effect of a change of recipes, by category.
    ///
    /// - Parameters:
    ///   - leaving: drops whose stickers leave, and are not made again.
    ///   - recipe: returns the recipe of a category, for a sticker with these concessions; `nil` if its stickers stay.
    /// - Returns: every category with published stickers that stay, by id.
    /// - Throws: `StoreError` if the database cannot be read.
    public func stale(
        butFor leaving: Set<String> = [], recipe: (CategoryNames, Concessions) -> RecipeIDs?
    ) throws(StoreError) -> [StaleCategory] {
        try read { transaction in
            let recipes = try transaction.recipes(recipe)
            var found: [CategoryID: StaleCategory] = [:]
            var last: Int64 = 0
            while let page = try transaction.livePage(
                after: last, limit: Self.page, includingRebuilt: true)
            {
                for live in page where !leaving.contains(live.source.key.drop) {
                    let category = live.source.category
                    var stale = found[category] ?? StaleCategory(category: category)
                    try transaction.count(live, recipes, &stale)
                    found[category] = stale
                }
                last = page.last?.source.id ?? last
            }
            return found.values.sorted { $0.category.rawValue < $1.category.rawValue }
        }
    }

    /// Queues, at bulk priority, every published picture that was made by a recipe other than the present one of its
    /// category; the old files stay published until the new ones are in place.
    ///
    /// Skips pictures already queued, or refused under the same recipe.
    ///
    /// - Parameter recipe: returns the recipe of a category, for a sticker with these concessions; `nil` if its stickers
    ///   stay.
    /// - Returns: how many jobs were added.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func redoStale(recipe: (CategoryNames, Concessions) -> RecipeIDs?) throws(StoreError)
        -> Int
    {
        let recipes = try read { try $0.recipes(recipe) }
        try write { try $0.settleRefusals(under: recipes) }
        var added = 0
        var last: Int64 = 0
        func next(_ transaction: StoreTransaction) throws -> (stale: [Live], last: Int64)? {
            guard let page = try transaction.livePage(after: last, limit: Self.page)
            else { return nil }
            let stale = page.filter { live in recipes[live].map(live.isStale) ?? false }
            return (stale, page.last?.source.id ?? last)
        }
        while let seen = try read(next) {
            // Pages without stale pictures, nearly all of them, need no write lock.
            guard !seen.stale.isEmpty else {
                last = seen.last
                continue
            }
            // The page is read again, as files come and go.
            (last, added) = try write { transaction in
                guard let page = try next(transaction) else { return (last, added) }
                let count = try page.stale.count { live in
                    guard let ids = recipes[live] else { return false }
                    return try transaction.redo(live, ids)
                }
                return (page.last, added + count)
            }
        }
        return added
    }
}

/// A file with a published picture, and the facts known without reading the product.
private struct Live {
    var source: SourceRow
    var recipe: RecipeID
    var revision: Int
    var isLost: Bool
    var isRebuilt: Bool
    /// The names of faults fixed since; `nil` if not examined.
    var faults: [String]?
    var isWrong: Bool
    /// `nil` if an earlier release made it.
    var isCMYK: Bool?
    /// The hash of its origin: the file, or the filled-in template.
    var drawn: ContentHash

    /// Unknown ones count as CMYK by their name until the file is read again.
    var mayBeCMYK: Bool {
        isCMYK ?? ImageFormat.jpeg.fileExtensions.contains(FileName.fileExtension(source.key.name))
    }

    func isStale(under ids: RecipeIDs) -> Bool { isLost || isRebuilt || !ids.contains(recipe) }

    /// Why it is made again, for the job log.
    var reason: String {
        if isLost { return "its published files were missing" }
        return isRebuilt
            ? "the database was rebuilt and does not record how it was made"
            : "the settings of the category changed"
    }
}

/// The ids of the present recipe of each file.
private struct Recipes {
    /// By category, and in it by folder: a category may have folders in several drops.
    var byNames: [CategoryID: [[UInt8]?: RecipeIDs]] = [:]
    /// By number, of the few files whose stickers have concessions.
    var bySource: [Int64: RecipeIDs] = [:]

    subscript(source: SourceRow) -> RecipeIDs? {
        bySource[source.id] ?? byNames[source.category]?[source.key.categoryFolder]
    }

    subscript(live: Live) -> RecipeIDs? {
        self[live.source]?.ofPicture(isCMYK: live.mayBeCMYK)
    }
}

extension StoreTransaction {
    fileprivate func recipes(_ recipe: (CategoryNames, Concessions) -> RecipeIDs?) throws -> Recipes
    {
        var recipes = Recipes()
        for (category, names) in try categoryNames() {
            recipes.byNames[category, default: [:]][names.folder] = recipe(names, Concessions())
        }
        for (source, concessions) in try concededSources() {
            let names = try categoryNames(of: source)
            recipes.bySource[source.id] = recipe(names, concessions.about(source.content))
        }
        return recipes
    }

    /// Files whose picture is published in its present state, and optionally those not examined since the database was
    /// rebuilt; `nil` after the last.
    fileprivate func livePage(
        after id: Int64, limit: Int, includingRebuilt: Bool = false
    ) throws -> [Live]? {
        let page = try rows(
            """
            SELECT \(SourceRow.columns), output.recipe, output.revision, output.is_lost,
                output.is_rebuilt, output.is_cmyk, output.content AS drawn, output.faults,
                output.is_wrong
            FROM source JOIN output ON output.id = source.output
            WHERE source.id > ? AND source.present = 1
                AND (source.applied = 1 OR (? AND output.is_rebuilt = 1))
            ORDER BY source.id LIMIT ?
            """, [id, includingRebuilt, limit])
        guard !page.isEmpty else { return nil }
        return try page.map { row in
            Live(
                source: try SourceRow(row), recipe: RecipeID(rawValue: row["recipe"]),
                revision: row["revision"], isLost: row["is_lost"], isRebuilt: row["is_rebuilt"],
                faults: (row["faults"] as String?)?.split(separator: " ").map(String.init),
                isWrong: row["is_wrong"], isCMYK: row["is_cmyk"],
                drawn: ContentHash(rawValue: row["drawn"]))
        }
    }

    fileprivate func count(_ live: Live, _ recipes: Recipes, _ stale: inout StaleCategory) throws {
        stale.stickers += 1
        guard let ids = recipes[live], live.isStale(under: ids) else {
            return stale.countOutdated(live)
        }
        let made = try live.source.output.flatMap { try product($0) }
        let recipe = ids[moves: made?.animated ?? false].whole
        guard try !hasJob(live, recipe) else { return }
        if live.isCMYK == nil, recipes[live.source]?.contains(live.recipe) == true {
            return stale.unexamined += 1
        }
        let others = try products(of: live.drawn)
        let inventory = Inventory(of: ids, among: live.isLost ? [] : others.map(\.product))
        guard !inventory.isComplete else { return stale.relisted += 1 }
        stale.stale += 1
        let kept = Set(inventory.kept.map(\.sha256))
        let replaced = (made?.files ?? []).filter { !kept.contains($0.sha256) }
        stale.staleBytes += replaced.reduce(0) { $0 + $1.bytes }
        // A lost output existed before, and comes back.
        guard let made else { return }
        let old = Set(made.files.compactMap(\.target))
        for target in inventory.missing where !old.contains(target) {
            stale.addNewFile(for: target, animated: made.animated)
        }
    }

    /// Adds a job that makes a published picture again; returns whether that was necessary.
    fileprivate func redo(_ live: Live, _ ids: RecipeIDs) throws -> Bool {
        let made = try live.source.output.flatMap { try product($0) }
        let recipe = ids[moves: made?.animated ?? false].whole
        guard try !hasJob(live, recipe) else { return false }
        try queueAgain(live.source, .bulk, recipe: recipe, why: live.reason)
        return true
    }

    /// Whether the file has an open job, or was refused or dismissed under the same recipe.
    private func hasJob(_ live: Live, _ recipe: RecipeID) throws -> Bool {
        try count(
            """
            SELECT count(*) FROM job WHERE source = ?1 AND
                (state IN ('available', 'scheduled', 'retryable', 'executing')
                OR (recipe = ?2 AND (state = 'discarded' OR (state = 'cancelled' AND reason = ?3))
                    AND (inode, size, mtime, ctime) = (?, ?, ?, ?)))
            """,
            [live.source.id, recipe.rawValue, CancelReason.dismissed.rawValue]
                + live.source.version.columns) > 0
    }

    /// Clears refusals under former recipes if the published files are as they should be.
    fileprivate func settleRefusals(under recipes: Recipes) throws {
        let refused = try rows(
            """
            SELECT \(JobRow.columns), \(SourceRow.columns), job.recipe AS refused, output.recipe
            FROM job INDEXED BY job_attention JOIN source ON source.id = job.source
            JOIN output ON output.id = source.output
            WHERE job.state = 'discarded' AND job.superseded_by IS NULL
                AND job.recipe IS NOT NULL AND source.present = 1 AND source.applied = 1
                AND output.is_lost = 0 AND output.is_rebuilt = 0
            """)
        for row in refused {
            guard let ids = recipes[try SourceRow(row, from: JobRow.width)],
                ids.contains(RecipeID(rawValue: row["recipe"])),
                !ids.contains(RecipeID(rawValue: row["refused"]))
            else { continue }
            var job = try JobRow(row)
            try move(&job, .cancelled, [("reason", CancelReason.superseded.rawValue)])
        }
    }

    /// Adds a job for a published file.
    func queueAgain(
        _ source: SourceRow, _ priority: JobPriority, recipe: RecipeID? = nil,
        renewal: ClaimedJob.Renewal = .none, origin: Sighting.Origin = .scan, why: String
    ) throws {
        // The published state was complete, so it need not settle again.
        let seen = now.boot - policy.arrivingMax.milliseconds
        var log = StepLog()
        log.append(StepEntry("redo", milliseconds: 0, why))
        try run(
            """
            INSERT INTO job (source, owner, category, state, priority, waiting_since, seen,
                created_at, origin, recipe, renews, log, inode, size, mtime, ctime)
            VALUES (?, ?, ?, 'available', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                source.id, source.owner, source.category.rawValue, priority.rawValue, now.boot,
                seen, now.wall,
                origin.rawValue, recipe?.rawValue, renewal.rawValue,
                try StoredJSON.text(log),
            ] + source.version.columns)
    }
}
