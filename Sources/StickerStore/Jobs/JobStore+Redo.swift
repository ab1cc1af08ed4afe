import FoundationEssentials
import GRDB
public import StickerModel

/// How much of a category was made by another recipe than it has now.
public struct StaleCategory: Hashable, Sendable, Codable {
    /// The category.
    public var category: CategoryID
    /// Its stickers, and its cover.
    public var stickers = 0
    /// Those among them that are to be made anew.
    public var stale = 0
    /// The bytes of their files, which stay beside the new ones for a while.
    public var staleBytes = 0
}

extension JobStore {
    /// Sources looked at in one transaction.
    private static let page = 500

    /// What a change of recipes would redo, by category.
    ///
    /// - Parameter recipe: the fingerprint of the recipe of a category, named by folder; of files that lie
    ///   in the drop itself, `nil`.
    /// - Returns: every category with published stickers, by id.
    /// - Throws: `StoreError` where the database cannot be read.
    public func stale(
        recipe: (_ folder: [UInt8]?) -> String
    ) throws(StoreError) -> [StaleCategory] {
        try read { transaction in
            let recipes = try transaction.recipes(recipe)
            var found: [CategoryID: StaleCategory] = [:]
            var last: Int64 = 0
            while let page = try transaction.livePage(after: last, limit: Self.page) {
                for live in page {
                    let category = live.source.category
                    var stale = found[category] ?? StaleCategory(category: category)
                    stale.stickers += 1
                    if live.recipe != recipes[live.source] {
                        stale.stale += 1
                        stale.staleBytes += try transaction.bytes(of: live.source)
                    }
                    found[category] = stale
                }
                last = page.last?.source.id ?? last
            }
            return found.values.sorted { $0.category.rawValue < $1.category.rawValue }
        }
    }

    /// Queues every published picture, at bulk priority, that was made by another recipe than its
    /// category has now; what is published stays until the new files are in place.
    ///
    /// One that is queued already, or was refused under this very recipe, is left alone.
    ///
    /// - Parameter recipe: the fingerprint of the recipe of a category, named by folder; of files that lie
    ///   in the drop itself, `nil`.
    /// - Returns: how many jobs were added.
    /// - Throws: `StoreError`; the next call goes on where this one stopped.
    public func redoStale(recipe: (_ folder: [UInt8]?) -> String) throws(StoreError) -> Int {
        let recipes = try read { try $0.recipes(recipe) }
        var added = 0
        var last: Int64 = 0
        while true {
            let batch = try write { transaction -> (last: Int64, added: Int)? in
                guard let page = try transaction.livePage(after: last, limit: Self.page)
                else { return nil }
                let stale = page.filter { $0.recipe != recipes[$0.source] }
                let count = try stale.count { live in
                    guard let recipe = recipes[live.source] else { return false }
                    return try transaction.redo(live, recipe: recipe)
                }
                return (page.last?.source.id ?? last, count)
            }
            guard let batch else { return added }
            (last, added) = (batch.last, added + batch.added)
        }
    }
}

/// A file whose picture is published, and the recipe that made it.
private struct Live {
    var source: SourceRow
    var recipe: String
}

/// The fingerprint that each file's recipe has now.
private struct Recipes {
    var ofCategory: [CategoryID: String] = [:]
    /// Of files that lie in a drop itself: `defaultCategory` may have changed since they were booked.
    var ofDrops: String

    subscript(source: SourceRow) -> String? {
        source.key.categoryFolder == nil ? ofDrops : ofCategory[source.category]
    }
}

extension StoreTransaction {
    fileprivate func recipes(_ recipe: (_ folder: [UInt8]?) -> String) throws -> Recipes {
        var recipes = Recipes(ofDrops: recipe(nil))
        for row in try rows("SELECT id, folder FROM category") {
            recipes.ofCategory[CategoryID(rawValue: row[0])] = recipe([UInt8](row[1] as Data))
        }
        return recipes
    }

    /// Files whose picture is published as they are now, with the recipe it was made by; `nil` after the
    /// last.
    fileprivate func livePage(
        after id: Int64, limit: Int
    ) throws -> [Live]? {
        let page = try rows(
            """
            SELECT \(SourceRow.columns), output.recipe FROM source
            JOIN output ON output.id = source.output
            WHERE source.id > ? AND source.present = 1 AND source.applied = 1
            ORDER BY source.id LIMIT ?
            """, [id, limit])
        guard !page.isEmpty else { return nil }
        return try page.map { row in
            Live(source: try SourceRow(row), recipe: row["recipe"])
        }
    }

    fileprivate func bytes(of source: SourceRow) throws -> Int {
        let made = try source.output.flatMap { try product($0) }
        return made?.files.reduce(0) { $0 + $1.bytes } ?? 0
    }

    /// Adds a job that makes a published picture anew; whether there was need for one.
    fileprivate func redo(_ live: Live, recipe: String) throws -> Bool {
        let source = live.source
        let cared = try count(
            """
            SELECT count(*) FROM job WHERE source = ?1 AND
                (state IN ('available', 'scheduled', 'retryable', 'executing')
                OR (recipe = ?2 AND (state = 'discarded'
                    OR (state = 'cancelled' AND reason = ?3))))
            """, [source.id, recipe, CancelReason.dismissed.rawValue])
        guard cared == 0 else { return false }
        var log = StepLog()
        let isLost = live.recipe.hasPrefix(Recipe.lostPrefix)
        log.append(
            StepEntry(
                "redo", milliseconds: 0,
                isLost
                    ? "its published files were missing" : "the settings of the category changed"))
        try run(
            """
            INSERT INTO job (source, state, priority, waiting_since, seen, created_at, origin,
                recipe, log, inode, size, mtime, ctime)
            VALUES (?, 'available', ?, ?3, ?3, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                source.id, JobPriority.bulk.rawValue, now.boot, now.wall,
                Sighting.Origin.scan.rawValue, recipe, try StoredJSON.text(log),
            ] + source.version.columns)
        return true
    }
}
