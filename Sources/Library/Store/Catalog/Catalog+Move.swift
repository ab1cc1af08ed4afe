import FoundationEssentials
import GRDB
import StickerValues

extension Catalog {
    /// How many files are moved in one transaction.
    private static let movedAtOnce = 500

    /// Moves files directly in a drop, with their stickers, to the category that the configuration now names for them;
    /// for startup and for a changed configuration.
    ///
    /// - Returns: how many files were moved; their categories are dirty.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func moveToDefaultCategory() throws(StoreError) -> Int {
        let name = policy.defaultCategory
        guard try read({ try $0.note("default.category") }) != name else { return 0 }
        var moved = 0
        try write { _ = try $0.run("DELETE FROM category_folder WHERE name = x''") }
        while true {
            let count = try write { try $0.moveToDefaultCategory(limit: Self.movedAtOnce) }
            moved += count
            if count < Self.movedAtOnce { break }
        }
        try write { try $0.setNote("default.category", name) }
        return moved
    }
}

extension StoreTransaction {
    fileprivate func moveToDefaultCategory(limit: Int) throws -> Int {
        guard
            let top: String = try value(
                """
                SELECT drop_path FROM source INDEXED BY source_top WHERE length(directory) = 0
                    AND drop_path NOT GLOB '\(SourceRow.trashPrefix)*' LIMIT 1
                """)
        else { return 0 }
        let category = try category(of: SourceKey(drop: top, directory: [], name: []))
        let sources = try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_top
            WHERE length(source.directory) = 0 AND source.category <> ?
                AND source.drop_path NOT GLOB '\(SourceRow.trashPrefix)*' LIMIT ?
            """, [category.rawValue, limit])
        guard !sources.isEmpty else { return 0 }
        for var source in sources { try moveSource(&source, to: source.key, category) }
        for changed in Set(sources.map(\.category) + [category]) {
            _ = try refreshWords(of: changed)
            try touch(changed)
        }
        return sources.count
    }

    /// Gives a file another path and category. The entry of its sticker follows; both categories change.
    func moveSource(_ source: inout SourceRow, to key: SourceKey, _ category: CategoryID) throws {
        try noteMove(of: source, to: category)
        // The name decides whether it is a template, and the category its language.
        if source.key.isTemplate || key.isTemplate { try renew(source.id, at: 0) }
        let isRenamed = source.key != key
        if isRenamed || source.category != category {
            try keepWords(about: source, isOrderKept: source.category == category)
        }
        if isRenamed { try takeName(key, for: source.id) }
        if source.category != category, let sticker = source.sticker {
            try noteChange(of: sticker)
        }
        source.key = key
        source.category = category
        if isRenamed { source.formerNames = [] }
        try run(
            """
            UPDATE source SET drop_path = ?1, directory = ?2, name = ?3, category = ?4,
                former_names = ?5, appeared_at = iif(?6, NULL, appeared_at)
            WHERE id = ?7
            """,
            [
                key.drop, Data(key.directory), Data(key.name), category.rawValue,
                SourceRow.joined(source.formerNames), isRenamed, source.id,
            ])
        try run(
            "UPDATE sticker SET category = ?, sort_key = ? WHERE id = ?",
            [category.rawValue, Data(SortKey.make(fileName: key.name)), source.sticker?.rawValue])
        try writeEntry(of: source)
    }

    /// A published sticker leaves its category once the other one shows it: for a moment both manifests show it, so
    /// that it is never in neither.
    func noteMove(of source: SourceRow, to category: CategoryID) throws {
        guard let sticker = source.sticker?.rawValue, source.isLive, source.category != category
        else { return }
        try run(
            """
            INSERT INTO leaving (sticker, category, generation)
            SELECT ?, ?, generation + 1 FROM category WHERE id = ?
            ON CONFLICT DO UPDATE SET generation = excluded.generation
            """, [sticker, source.category.rawValue, category.rawValue])
        try run(
            "DELETE FROM leaving WHERE sticker = ? AND category = ?", [sticker, category.rawValue])
    }

    /// Records a change of a published sticker that its entry does not show.
    func noteChange(of sticker: StickerID) throws {
        try run(
            "UPDATE sticker SET changed_at = ? WHERE id = ? AND changed_at IS NOT NULL",
            [now.wall, sticker.rawValue])
    }
}
