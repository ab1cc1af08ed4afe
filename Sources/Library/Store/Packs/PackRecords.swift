import GRDB
public import StickerValues

/// A part of a category for a platform, as stored: other modules interpret its content.
public struct PackRecord: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// The common property of its stickers; with the number, it identifies the part.
    public var kind: String
    /// Its number.
    public var number: Int
    /// The rest, as JSON.
    public var content: String
    /// The published pictures of its pack, as paths below `out`: they are kept. Empty in records that were read.
    public var pictures: Set<String>

    /// Creates a record; see the properties.
    public init(
        category: CategoryID, kind: String, number: Int, content: String,
        pictures: Set<String> = []
    ) {
        self.pictures = pictures
        self.category = category
        self.kind = kind
        self.number = number
        self.content = content
    }
}

/// Packs, and the readiness of categories for them.
public struct PackRecords: Transacting {
    let connection: StoreConnection

    /// Packs as last handed over.
    ///
    /// - Parameters:
    ///   - category: the category; `nil` for all.
    ///   - platform: the platform.
    /// - Returns: one record for each part, ordered by category, kind and number.
    /// - Throws: `StoreError` if the database cannot be read.
    public func records(
        of category: CategoryID?, for platform: PackPlatform
    ) throws(StoreError) -> [PackRecord] {
        try read { try $0.packs(of: category, for: platform) }
    }

    /// The categories with packs that were handed over.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func packedCategories(for platform: PackPlatform) throws(StoreError) -> Set<CategoryID> {
        let packed = "SELECT DISTINCT category FROM pack WHERE platform = ?"
        return Set(try read { try $0.categories(packed, [platform.rawValue]) })
    }

    /// Records packs that are handed over, unless other ones were recorded meanwhile.
    ///
    /// - Parameters:
    ///   - packs: the records.
    ///   - known: the result of `packs(of:for:)` at planning time.
    ///   - category: the requested category; `nil` for all.
    ///   - platform: the platform.
    /// - Returns: false if the plan is out of date; then nothing was recorded.
    /// - Throws: `StoreError`; earlier records stay.
    public func record(
        _ packs: [PackRecord], after known: [PackRecord], of category: CategoryID?,
        for platform: PackPlatform
    ) throws(StoreError) -> Bool {
        try write { transaction in
            guard try transaction.packs(of: category, for: platform) == known else { return false }
            for pack in packs { try transaction.record(pack, for: platform) }
            try transaction.run(
                "UPDATE pack SET asked_at = ? WHERE platform = ? AND category = ? AND asked_at < ?",
                [
                    transaction.now.wall, platform.rawValue, packs.first?.category.rawValue,
                    transaction.now.wall,
                ])
            return true
        }
    }

    /// Packs that were not requested for as long as removed stickers are kept.
    ///
    /// - Parameter wanted: the packs that are kept up to date, which counts as a request.
    /// - Returns: the categories and platforms that have pictures only because of such packs.
    /// - Throws: `StoreError`.
    public func unusedPacks(
        except wanted: [CategoryID: [PackPlatform]]
    ) throws(StoreError) -> [(category: CategoryID, platform: PackPlatform)] {
        try write { transaction in
            let now = transaction.now.wall
            var unused: [(category: CategoryID, platform: PackPlatform)] = []
            let rows = try transaction.rows(
                """
                SELECT category, platform, max(asked_at) FROM pack
                GROUP BY platform, category HAVING max(asked_at) < ?
                """, [now - Self.askedEvery])
            for row in rows {
                let category = CategoryID(rawValue: row[0])
                guard let platform = PackPlatform(rawValue: row[1]) else { continue }
                if wanted[category]?.contains(platform) == true {
                    try transaction.run(
                        "UPDATE pack SET asked_at = ? WHERE platform = ? AND category = ?",
                        [now, platform.rawValue, category.rawValue])
                } else if try transaction.isUnused(category, platform) {
                    unused.append((category, platform))
                }
            }
            return unused
        }
    }

    /// Records packs that are no longer handed over, unless they were requested meanwhile.
    ///
    /// - Parameters:
    ///   - packs: the records.
    ///   - known: the earlier result of `packs(of:for:)`.
    ///   - category: the category.
    ///   - platform: the platform.
    /// - Returns: whether they were recorded.
    /// - Throws: `StoreError`; earlier records stay.
    public func release(
        _ packs: [PackRecord], after known: [PackRecord], of category: CategoryID,
        for platform: PackPlatform
    ) throws(StoreError) -> Bool {
        try write { transaction in
            guard try transaction.packs(of: category, for: platform) == known,
                try transaction.isUnused(category, platform)
            else { return false }
            for pack in packs { try transaction.record(pack, for: platform) }
            // The next check is after the same time.
            try transaction.run(
                "UPDATE pack SET asked_at = ? WHERE platform = ? AND category = ?",
                [transaction.now.wall, platform.rawValue, category.rawValue])
            return true
        }
    }

    /// A day is exact enough.
    private static let askedEvery: Int64 = 86_400_000
}

extension StoreTransaction {
    fileprivate func packs(
        of category: CategoryID?, for platform: PackPlatform
    ) throws -> [PackRecord] {
        try rows(
            """
            SELECT category, kind, number, content FROM pack
            WHERE platform = ? AND category >= ? AND category <= ?
            ORDER BY category, kind, number
            """,
            // Ids are ASCII.
            [platform.rawValue, category?.rawValue ?? "", category?.rawValue ?? "\u{7F}"]
        ).map {
            PackRecord(
                category: CategoryID(rawValue: $0[0]), kind: $0[1], number: $0[2], content: $0[3])
        }
    }

    fileprivate func isUnused(_ category: CategoryID, _ platform: PackPlatform) throws -> Bool {
        let askedAt: Int64? = try value(
            "SELECT max(asked_at) FROM pack WHERE platform = ? AND category = ?",
            [platform.rawValue, category.rawValue])
        return (askedAt ?? .max) < now.wall - policy.trash.milliseconds
    }

    fileprivate func record(_ pack: PackRecord, for platform: PackPlatform) throws {
        let part: [any DatabaseValueConvertible] = [
            platform.rawValue, pack.category.rawValue, pack.kind, pack.number,
        ]
        let isNew = try run(
            """
            INSERT INTO pack (platform, category, kind, number, content) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET content = excluded.content WHERE content <> excluded.content
            """, StatementArguments(part + [pack.content]))
        guard isNew > 0 else { return }
        try run(
            """
            DELETE FROM pack_picture
            WHERE platform = ? AND category = ? AND kind = ? AND number = ?
            """, StatementArguments(part))
        for path in pack.pictures {
            try run(
                """
                INSERT INTO pack_picture (path, platform, category, kind, number)
                VALUES (?, ?, ?, ?, ?)
                """, StatementArguments([path] + part))
        }
    }

    /// Gives every pack a higher version than any handed over after a backup.
    func raisePacks(by rise: Int) throws {
        try run(
            """
            UPDATE pack SET content = json_remove(
                json_replace(content, '$.version', json_extract(content, '$.version') + ?1,
                    '$.pack.version', json_extract(content, '$.pack.version') + ?1), '$.digest')
            WHERE json_extract(content, '$.version') > 0
            """, [rise])
    }
}
