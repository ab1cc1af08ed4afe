import GRDB
public import StickerModel

/// A part of a category for a platform, in the form in which the books keep it: what it says is for others to read.
public struct PackRecord: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// What its stickers have in common; with the number, it names the part.
    public var kind: String
    /// Its number.
    public var number: Int
    /// The rest, as JSON.
    public var content: String

    /// Creates a record; see the properties.
    public init(category: CategoryID, kind: String, number: Int, content: String) {
        self.category = category
        self.kind = kind
        self.number = number
        self.content = content
    }
}

extension JobStore {
    /// The packs of a category for a platform as they were last handed over.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func packs(
        of category: CategoryID, for platform: PackPlatform
    ) throws(StoreError) -> [PackRecord] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT kind, number, content FROM pack WHERE platform = ? AND category = ?
                ORDER BY kind, number
                """, [platform.rawValue, category.rawValue]
            ).map {
                PackRecord(category: category, kind: $0[0], number: $0[1], content: $0[2])
            }
        }
    }

    /// The packs of all categories for a platform as they were last handed over.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func packs(for platform: PackPlatform) throws(StoreError) -> [PackRecord] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT category, kind, number, content FROM pack WHERE platform = ?
                ORDER BY category, kind, number
                """, [platform.rawValue]
            ).map {
                PackRecord(
                    category: CategoryID(rawValue: $0[0]), kind: $0[1], number: $0[2],
                    content: $0[3])
            }
        }
    }

    /// Records packs that were handed over.
    ///
    /// - Throws: `StoreError`; what was recorded before stays.
    public func record(
        _ packs: [PackRecord], for platform: PackPlatform
    ) throws(StoreError) {
        try write { transaction in
            for pack in packs {
                try transaction.run(
                    """
                    INSERT INTO pack (platform, category, kind, number, content)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET content = excluded.content
                        WHERE content <> excluded.content
                    """,
                    [
                        platform.rawValue, pack.category.rawValue, pack.kind, pack.number,
                        pack.content,
                    ])
            }
        }
    }
}

extension StoreTransaction {
    /// Lets every pack have a higher version than any that was handed over after a backup.
    func raisePacks(by rise: Int) throws {
        try run(
            """
            UPDATE pack SET content = json_remove(
                json_set(content, '$.version', json_extract(content, '$.version') + ?), '$.digest')
            WHERE json_extract(content, '$.version') > 0
            """, [rise])
    }
}
