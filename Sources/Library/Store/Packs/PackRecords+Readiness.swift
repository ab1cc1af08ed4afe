import GRDB
import StickerConfiguration
public import StickerValues

/// The properties of a category that its packs depend on.
public struct PackedCategory: Hashable, Sendable {
    /// Its id.
    public var id: CategoryID
    /// Its names, by which the configuration may list its settings.
    public var names: CategoryNames
    /// Whether another category has its title.
    public var sharesTitle: Bool
    /// The generation that its manifest shows.
    public var generation: Int
    /// Whether its manifest is out of date.
    public var isBehind: Bool
    /// The generation of its packs; `nil` if none were ever made.
    public var packedGeneration: Int?
    /// The settings that made them.
    public var mark: String
}

/// Missing or outdated packs of a category.
public struct LackingPacks: Hashable, Sendable, Encodable {
    /// The category.
    public var category: CategoryID
    /// The platform.
    public var platform: PackPlatform
    /// The first finding.
    public var finding: Finding
}

/// The packs of all categories for a platform, as handed over together.
public struct LibraryPacks: Hashable, Sendable, Encodable {
    /// The platform.
    public var platform: PackPlatform
    /// How many packs there are.
    public var packs: Int
    /// The number of categories that have them.
    public var categories: Int
    /// Categories that are not ready and have no packs, ordered by id.
    public var leftOut: [CategoryID]

    /// Describes packs.
    public init(
        platform: PackPlatform, packs: Int = 0, categories: Int = 0, leftOut: [CategoryID] = []
    ) {
        self.platform = platform
        self.packs = packs
        self.categories = categories
        self.leftOut = leftOut
    }
}

extension PackRecords {
    /// The categories whose manifest was ever published, ordered by id.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func packedCategories() throws(StoreError) -> [PackedCategory] {
        try read { transaction in
            let names = try transaction.namesByCategory()
            let rows = try transaction.rows(
                """
                SELECT category.id, published_generation, readiness.generation, mark, title,
                    category.generation > published_generation OR EXISTS (
                        SELECT 1 FROM sticker
                        WHERE sticker.category = category.id AND is_stale = 1)
                FROM category LEFT JOIN readiness ON readiness.category = category.id
                WHERE published_generation > 0 ORDER BY category.id
                """)
            let titles = Dictionary(grouping: rows) { $0[4] as String }
            return rows.map { row in
                let id = CategoryID(rawValue: row[0])
                return PackedCategory(
                    id: id, names: names[id] ?? .only(id),
                    sharesTitle: (titles[row[4] as String]?.count ?? 0) > 1, generation: row[1],
                    isBehind: row[5], packedGeneration: row[2], mark: (row[3] as String?) ?? "")
            }
        }
    }

    /// The categories of files with unfinished jobs.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func busyCategories() throws(StoreError) -> Set<CategoryID> {
        try read { transaction in
            Set(
                try transaction.categories(
                    """
                    SELECT DISTINCT category FROM source WHERE id IN (
                        SELECT source FROM job WHERE state = 'available'
                        UNION ALL SELECT source FROM job WHERE due IS NOT NULL
                        UNION ALL SELECT source FROM job WHERE state = 'executing')
                    """))
        }
    }

    /// Lets the daemon pack a category again although only the database has changed.
    ///
    /// - Throws: `StoreError`; the earlier record stays.
    public func packAgain(_ category: CategoryID) throws(StoreError) {
        try write { transaction in
            _ = try transaction.run(
                "UPDATE readiness SET generation = 0 WHERE category = ?", [category.rawValue])
        }
    }

    /// The last recorded readiness of a category.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func readiness(
        of category: CategoryID
    ) throws(StoreError) -> [PackPlatform: Readiness]? {
        try read { try $0.readiness(of: category) }
    }

    /// Faulty packs among those that are kept up to date.
    ///
    /// - Parameter categoriesMax: the largest number of categories.
    /// - Returns: ordered by category and platform.
    /// - Throws: `StoreError` if the database cannot be read.
    public func lackingPacks(categoriesMax: Int = .max) throws(StoreError) -> [LackingPacks] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT category, lacks FROM readiness WHERE lacks IS NOT NULL
                ORDER BY category LIMIT ?
                """, [categoriesMax]
            ).flatMap { row in
                let category = CategoryID(rawValue: row[0])
                return try StoredJSON.decode([PackPlatform: Finding].self, from: row[1])
                    .sorted { $0.key.rawValue < $1.key.rawValue }
                    .map { LackingPacks(category: category, platform: $0, finding: $1) }
            }
        }
    }

    /// Categories with too few stickers for a pack, among those whose packs are kept up to date.
    ///
    /// - Returns: ordered by category and platform.
    /// - Throws: `StoreError` if the database cannot be read.
    public func shortPacks() throws(StoreError) -> [LackingPacks] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT category, content FROM readiness
                WHERE instr(content, '"too-few"') > 0 ORDER BY category
                """
            ).flatMap { row in
                let category = CategoryID(rawValue: row[0])
                return try StoredJSON.decode([PackPlatform: Readiness].self, from: row[1])
                    .compactMapValues(\.shortage).sorted { $0.key.rawValue < $1.key.rawValue }
                    .map { LackingPacks(category: category, platform: $0, finding: $1) }
            }
        }
    }

    /// The packs of all categories, as last recorded.
    ///
    /// - Parameter platforms: the platforms.
    /// - Returns: an entry for each, in the same order.
    /// - Throws: `StoreError` if the database cannot be read.
    public func libraryPacks(for platforms: [PackPlatform]) throws(StoreError) -> [LibraryPacks] {
        guard !platforms.isEmpty else { return [] }
        var libraries = platforms.map { LibraryPacks(platform: $0) }
        try read { transaction in
            let rows = try transaction.rows(
                """
                SELECT category, content FROM readiness WHERE content IS NOT NULL
                ORDER BY category
                """)
            for row in rows {
                let content = try StoredJSON.decode(
                    [PackPlatform: Readiness].self, from: row[1])
                for index in libraries.indices {
                    guard let readiness = content[libraries[index].platform] else { continue }
                    libraries[index].add(readiness, of: CategoryID(rawValue: row[0]))
                }
            }
        }
        return libraries
    }

    /// Records the readiness of a category. If it changed, the manifest is to be written again.
    ///
    /// - Parameters:
    ///   - readiness: by platform; empty if no packs are kept.
    ///   - generation: the generation that was judged.
    ///   - mark: the settings used.
    ///   - category: the category.
    /// - Returns: whether it changed.
    /// - Throws: `StoreError`; the earlier record stays.
    public func setReadiness(
        _ readiness: [PackPlatform: Readiness], generation: Int, mark: String,
        of category: CategoryID
    ) throws(StoreError) -> Bool {
        try write { transaction in
            let readiness = readiness.mapValues(\.forReaders)
            let content = readiness.isEmpty ? nil : try StoredJSON.text(readiness)
            let lacking = readiness.compactMapValues(\.lack)
            let lacks = lacking.isEmpty ? nil : try StoredJSON.text(lacking)
            let before: String? = try transaction.value(
                "SELECT content FROM readiness WHERE category = ?", [category.rawValue])
            let now: Int? = try transaction.value(
                "SELECT generation FROM category WHERE id = ?", [category.rawValue])
            let isNews = content != before
            // The generation that only shows the change is packed, too.
            let packed = isNews && now == generation ? generation + 1 : generation
            try transaction.run(
                """
                INSERT INTO readiness (category, generation, mark, content, lacks)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET generation = excluded.generation, mark = excluded.mark,
                    content = excluded.content, lacks = excluded.lacks
                """, [category.rawValue, packed, mark, content, lacks])
            if isNews { try transaction.touch(category) }
            return isNews
        }
    }
}

extension LibraryPacks {
    fileprivate mutating func add(_ readiness: Readiness, of category: CategoryID) {
        if !readiness.packs.isEmpty {
            packs += readiness.packs.count
            categories += 1
        } else if !readiness.ready {
            leftOut.append(category)
        }
    }
}
