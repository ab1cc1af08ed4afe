import FoundationEssentials
import GRDB
import StickerSystem
public import StickerValues

/// Published stickers, their words and their manifests.
public struct Catalog: Transacting {
    let connection: StoreConnection

    /// Categories whose manifest is out of date.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func dirtyCategories() throws(StoreError) -> [CategoryID] {
        try read { transaction in
            try transaction.categories(
                """
                SELECT id FROM category WHERE generation > published_generation
                UNION SELECT category FROM sticker WHERE is_stale = 1 ORDER BY 1
                """)
        }
    }

    /// Whether anything was published.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public var hasPublished: Bool {
        get throws(StoreError) { try !publishedCategories().isEmpty }
    }

    /// The names of all categories, by which the configuration may list their settings.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func categoryNames() throws(StoreError) -> [CategoryID: CategoryNames] {
        try read { try $0.namesByCategory() }
    }

    /// The names of a category, by which the configuration may list its settings.
    ///
    /// - Parameter category: the id; there need not be such a category.
    /// - Returns: names with this id.
    /// - Throws: `StoreError` if the database cannot be read.
    public func names(of category: CategoryID) throws(StoreError) -> CategoryNames {
        try categoryNames()[category] ?? .only(category)
    }

    /// The look of a category; `nil` if its side files say nothing of it.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func look(of category: CategoryID) throws(StoreError) -> CategoryLook? {
        try read { try $0.look(of: category) }
    }

    func publishedCategories() throws(StoreError) -> [CategoryID] {
        try read { try $0.categories("SELECT id FROM category WHERE published_generation > 0") }
    }

    func forgetPublication(of categories: [CategoryID]) throws(StoreError) {
        guard !categories.isEmpty else { return }
        try write { transaction in
            for category in categories {
                try transaction.run(
                    "UPDATE category SET published_generation = 0 WHERE id = ?",
                    [category.rawValue])
            }
        }
    }

    /// Records manifests that are in place; pages that they no longer name may be removed after a while.
    ///
    /// - Returns: categories that moved stickers may leave now; they are dirty.
    func markPublished(_ manifests: [PublishedManifest]) throws(StoreError) -> Set<CategoryID> {
        try write { transaction in
            var left: Set<CategoryID> = []
            for manifest in manifests { try left.formUnion(transaction.markPublished(manifest)) }
            for category in left { try transaction.touch(category) }
            return left
        }
    }

    /// Categories that still show stickers that moved away.
    func categoriesBeingLeft() throws(StoreError) -> Set<CategoryID> {
        Set(try read { try $0.categories("SELECT DISTINCT category FROM leaving") })
    }

    /// The present index; `nil` if it is already published.
    func index(unlessPublished isThere: Bool) throws(StoreError) -> LibraryIndex? {
        try read { transaction in
            let categories = try transaction.indexedCategories()
            let generation = try transaction.indexGeneration()
            let content = try transaction.note("index.content")
            if isThere, try content == StoredJSON.text(categories) { return nil }
            return LibraryIndex(generation: generation + 1, categories: categories)
        }
    }

    func markPublished(_ index: LibraryIndex) throws(StoreError) {
        try write { transaction in
            try transaction.setIndexGeneration(index.generation)
            try transaction.setNote("index.content", StoredJSON.text(index.categories))
        }
    }

    /// Marks every entry for encoding before its manifest is written if the public address, the emoji of categories or
    /// the order of the drops changed, and manifests for changed default words; for startup and for a changed
    /// configuration.
    ///
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func refreshEntries() throws(StoreError) {
        try cutPagesAnew()
        try refreshDefaultWords()
        let mark = try settingsMark()
        guard try read({ try $0.note("entries.settings") }) != mark else { return }
        for category in try read({ try $0.categories("SELECT id FROM category") }) {
            while try write({ try $0.markStale(category, limit: 2_000) }) {}
        }
        try write { transaction in
            let told = "SELECT id FROM category WHERE words IS NOT NULL"
            for category in try transaction.categories(told)
            where try transaction.refreshWords(of: category) {
                try transaction.touch(category)
            }
            try transaction.setNote("entries.settings", mark)
            try transaction.touchRemovals()
        }
    }

    /// If the page size changed, every manifest is written again.
    private func cutPagesAnew() throws(StoreError) {
        let entries = "\(policy.pageEntriesMax)"
        try write { transaction in
            let before = try transaction.note("page.entries")
            guard before != entries else { return }
            try transaction.setNote("page.entries", entries)
            guard before != nil else { return }
            try transaction.run("UPDATE category SET generation = generation + 1")
            try transaction.touchRemovals()
        }
    }

    /// Marks categories for publication whose configured words changed.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    func refreshDefaultWords() throws(StoreError) {
        let newer = policy.defaultWords
        try write { transaction in
            let older =
                try transaction.note("category.words").map {
                    try StoredJSON.decode(DefaultWords.self, from: $0)
                } ?? DefaultWords()
            guard newer != older else { return }
            for category in try transaction.categories("SELECT id FROM category") {
                try transaction.touch(category, changing: older, to: newer)
            }
            try transaction.setNote("category.words", StoredJSON.text(newer))
        }
    }

    private func settingsMark() throws(StoreError) -> String {
        let policy = policy
        var parts = ["entries 4", policy.publicBaseURL, policy.defaultCategory, "\(policy.emojis)"]
        // A single drop has no order.
        if policy.drops.count > 1 { parts += policy.drops }
        parts += policy.categoryEmojis.map { "\($0.key)=\($0.value)" }.sorted()
        return ContentHash(of: Array(parts.joined(separator: "\n").utf8)).rawValue
    }
}

extension StoreTransaction {
    private static let indexGenerationNote = "index.generation"

    fileprivate func indexGeneration() throws -> Int {
        try note(Self.indexGenerationNote).flatMap { Int($0) } ?? 0
    }

    /// Sets the generation that the next index exceeds.
    func setIndexGeneration(_ generation: Int) throws {
        try setNote(Self.indexGenerationNote, String(generation))
    }

    func raiseIndex(by rise: Int) throws { try setIndexGeneration(indexGeneration() + rise) }

    fileprivate func markPublished(_ manifest: PublishedManifest) throws -> Set<CategoryID> {
        let category = manifest.category.rawValue
        try run(
            "UPDATE category SET published_generation = ?, published_stickers = ? WHERE id = ?",
            [manifest.generation, manifest.stickers, category])
        try run(
            "UPDATE page SET released_at = ? WHERE category = ? AND released_at IS NULL",
            [now.wall, category])
        for page in manifest.furtherPages {
            try run(
                """
                INSERT INTO page (category, name) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET released_at = NULL
                """, [category, page])
        }
        try settleRemovals(shownBy: manifest)
        let arrived = try rows(
            """
            SELECT leaving.sticker, leaving.category FROM leaving
            CROSS JOIN sticker ON sticker.id = leaving.sticker
            WHERE sticker.category = ? AND leaving.generation <= ?
            """, [category, manifest.generation])
        for row in arrived {
            try run("DELETE FROM leaving WHERE sticker = ?", [row[0] as String])
        }
        return Set(arrived.map { CategoryID(rawValue: $0[1]) })
    }

    fileprivate func indexedCategories() throws -> [LibraryIndex.Category] {
        let base = policy.publicBaseURL
        return try rows(
            "SELECT id, title FROM category WHERE published_stickers > 0 ORDER BY id"
        ).map { row in
            LibraryIndex.Category(
                identifier: CategoryID(rawValue: row[0]), title: row[1],
                manifestURL: "\(base)\(row[0] as String)/manifest.json")
        }
    }

    /// A category's own words, without defaults.
    func ownWords(of category: CategoryID) throws -> CategoryWords {
        let text: String? = try value(
            "SELECT words FROM category WHERE id = ?", [category.rawValue])
        return try text.map { try StoredJSON.decode(CategoryWords.self, from: $0) }
            ?? CategoryWords()
    }

    fileprivate func touch(
        _ category: CategoryID, changing older: DefaultWords, to newer: DefaultWords
    ) throws {
        let words = try ownWords(of: category)
        let names = try categoryNames(of: category)
        guard older.filling(words, of: names) != newer.filling(words, of: names),
            try isShown(category)
        else { return }
        try touch(category)
    }
}
