import FoundationEssentials
import GRDB
import StickerValues

// Writes to an older database, so that newer stickers keep their ids and no id is given to another picture.

extension OlderLibrary {
    /// Carries over all changes that the older release can store; called in one transaction.
    func carryOver() throws {
        let (differences, folders) = (try differences(), try folders())
        try carryCategories(folders)
        try run(
            """
            INSERT INTO id_number SELECT kind, base, number FROM newer.id_number WHERE true
            ON CONFLICT DO UPDATE SET number = max(number, excluded.number)
            """)
        // Every id is taken; present files get theirs back below.
        try run(
            """
            INSERT OR IGNORE INTO sticker (id, category, sort_key, created_at, deleted_at)
            SELECT id, category, x'', created_at, coalesce(deleted_at, ?) FROM newer.sticker
            """, [now])
        for difference in differences { try difference.own.map { try setAside($0.id) } }
        for difference in differences { try carry(difference) }
        try carryGenerations()
    }

    // MARK: Categories

    private func carryCategories(
        _ folders: [(id: CategoryID, name: [UInt8], former: [UInt8]?)]
    ) throws {
        // Folders may have swapped names.
        for folder in folders where folder.former != nil {
            try run(
                "UPDATE category SET folder = CAST(x'00' || id AS BLOB) WHERE id = ?",
                [folder.id.rawValue])
        }
        for folder in folders where folder.former != nil {
            try run(
                "UPDATE OR IGNORE category SET folder = ?, title = ? WHERE id = ?",
                [Data(folder.name), Self.title(folder.name), folder.id.rawValue])
        }
        for folder in folders where folder.former == nil {
            let values: StatementArguments = [
                folder.id.rawValue, Data(folder.name), Self.title(folder.name),
            ]
            let isNew =
                try run(
                    "INSERT OR IGNORE INTO category (id, folder, title) VALUES (?, ?, ?)", values)
                == 1
            guard !isNew else { continue }
            // Another category has the folder; its id is taken all the same.
            try run(
                """
                INSERT INTO category (id, folder, title) VALUES (?1, CAST(x'00' || ?1 AS BLOB), ?2)
                """, [folder.id.rawValue, Self.title(folder.name)])
        }
    }

    private static func title(_ folder: [UInt8]) -> String {
        FileName.title(FileName.display(folder))
    }

    // MARK: Stickers and their files

    /// Frees the key of a file, which another file may have now.
    private func setAside(_ source: Int64) throws {
        try run(
            """
            UPDATE source SET drop_path = '', directory = x'', name = CAST(id AS BLOB) WHERE id = ?
            """, [source])
    }

    private func carry(_ difference: Difference) throws {
        let occupant = try rows(
            "SELECT id, sticker FROM source WHERE drop_path = ? AND directory = ? AND name = ?",
            Self.arguments(difference.key)
        ).first
        let former = (occupant?[1] as String?).map(StickerID.init)
        if let own = difference.own {
            if let occupant { try forget(occupant[0]) }
            try move(own.id, to: difference)
        } else if difference.fate == .gone {
            return
        } else if let occupant {
            try run(
                "UPDATE source SET sticker = ?, category = ?, applied = 0 WHERE id = ?",
                [difference.sticker.rawValue, difference.category.rawValue, occupant[0] as Int64])
        } else {
            try add(difference)
        }
        if let former { try bury(former) }
        try run(
            """
            UPDATE sticker SET deleted_at = NULL, category = ?, sort_key = ? WHERE id = ?
            """,
            [
                difference.category.rawValue, try sortKey(difference.key.name),
                difference.sticker.rawValue,
            ])
    }

    private func move(_ source: Int64, to difference: Difference) throws {
        try run(
            """
            UPDATE source SET drop_path = ?, directory = ?, name = ?, category = ?, present = ?,
                applied = ?, missing_since = NULL
            WHERE id = ?
            """,
            Self.arguments(difference.key) + [
                difference.category.rawValue, !difference.isWithoutFile, difference.isWithoutFile,
                source,
            ])
        guard !difference.isWithoutFile else { return }
        // Its bytes are the published ones, so nothing else would reveal its new name.
        let name = difference.key.name
        try run(
            """
            UPDATE sticker SET entry = CAST(json_set(CAST(entry AS TEXT), '$.title', ?,
                '$.source.name', ?) AS BLOB)
            WHERE id = ? AND entry IS NOT NULL
            """,
            [
                StickerName(fileName: name).title, FileName.display(name),
                difference.sticker.rawValue,
            ])
    }

    private func add(_ difference: Difference) throws {
        try run(
            """
            INSERT INTO source (drop_path, directory, name, kind, category, sticker, inode, size, mtime, ctime)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            Self.arguments(difference.key) + [
                difference.fate == .unread ? "foreign" : "picture",
                difference.category.rawValue, difference.sticker.rawValue,
            ] + difference.version.columns)
    }

    /// Removes a file whose name another one took.
    private func forget(_ source: Int64) throws {
        try run(
            """
            UPDATE output SET keep_until = ?1 WHERE id = (SELECT output FROM source WHERE id = ?2)
                AND NOT EXISTS (SELECT 1 FROM source WHERE source.output = output.id AND source.id <> ?2)
            """, [now, source])
        try run("DELETE FROM job WHERE source = ?", [source])
        try run("DELETE FROM source WHERE id = ?", [source])
    }

    /// Reserves the id of a sticker that no file has any more.
    private func bury(_ sticker: StickerID) throws {
        try run(
            """
            UPDATE sticker SET entry = NULL, deleted_at = ?
            WHERE id = ? AND NOT EXISTS (SELECT 1 FROM source WHERE source.sticker = sticker.id)
            """, [now, sticker.rawValue])
    }

    private static func arguments(_ key: SourceKey) -> StatementArguments {
        [key.drop, Data(key.directory), Data(key.name)]
    }

    /// Release 0.4 did not prefix whether a category lists the sticker in its order.
    private func sortKey(_ name: [UInt8]) throws -> Data {
        let key = SortKey.make(fileName: name)
        let hasOrder = try Schema.migrator.appliedIdentifiers(database).contains("13")
        return Data(hasOrder ? key : Array(key.dropFirst()))
    }

    // MARK: Published files

    /// Makes the older release write everything again, with generations above any that readers can have seen.
    private func carryGenerations() throws {
        try run(
            """
            UPDATE category SET generation = 1 + max(generation, coalesce(
                (SELECT n.generation FROM newer.category AS n WHERE n.id = category.id), 0))
            """)
        try run(
            """
            INSERT OR IGNORE INTO page (category, name, released_at)
            SELECT category, name, released_at FROM newer.page
            """)
        try run(
            """
            INSERT OR REPLACE INTO note SELECT key, value FROM newer.note
            WHERE key IN ('index.generation', 'removed.generation')
            """)
        try run(
            "DELETE FROM note WHERE key IN ('index.content', ?)", [EarlierDatabase.note])
    }
}
