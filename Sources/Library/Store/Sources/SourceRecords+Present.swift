import FoundationEssentials
import GRDB
public import StickerValues

// Present and missing files, as recorded.

extension SourceRecords {
    /// The sightings without those of published, unchanged files: the bulk of a rescan.
    ///
    /// Not for a batch with vanished files: one of those may be back unchanged.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func news(among sightings: [Sighting]) throws(StoreError) -> [Sighting] {
        try read { transaction in
            try sightings.filter { try !transaction.isPublished($0) }
        }
    }

    /// The sightings of new files under known names.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func replacements(among sightings: [Sighting]) throws(StoreError) -> [Sighting] {
        try read { transaction in
            try sightings.filter { sighting in
                guard let known = try transaction.source(sighting.key), known.isPresent
                else { return false }
                return known.version.inode != sighting.version.inode
            }
        }
    }

    /// Names of present files in one folder, in byte order, for comparison with the disk.
    ///
    /// - Parameters:
    ///   - drop: the drop.
    ///   - directory: the folder below it.
    ///   - name: the last name of the previous page; `nil` for the first page.
    ///   - limit: how many names a page holds.
    /// - Returns: the next names; empty after the last.
    /// - Throws: `StoreError` if the database cannot be read.
    public func presentNames(
        drop: String, directory: [UInt8], after name: [UInt8]?, limit: Int
    ) throws(StoreError) -> [[UInt8]] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT name FROM source WHERE drop_path = ? AND directory = ? AND name > ?
                    AND present = 1 ORDER BY name LIMIT ?
                """, [drop, Data(directory), Data(name ?? []), limit]
            ).map { [UInt8]($0[0] as Data) }
        }
    }

    /// Folders of a drop that hold present files, for comparison with the disk.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func presentDirectories(drop: String) throws(StoreError) -> [[UInt8]] {
        try read { transaction in
            var directories: [[UInt8]] = []
            var next: [UInt8] = []
            // One index step for each folder, however many files it holds, except for files that are gone.
            while let row = try transaction.row(
                """
                SELECT directory FROM source
                WHERE drop_path = ? AND directory >= ? AND present = 1
                ORDER BY directory LIMIT 1
                """, [drop, Data(next)])
            {
                let directory = [UInt8](row[0] as Data)
                directories.append(directory)
                next = directory + [0]
            }
            return directories
        }
    }
}

extension StoreTransaction {
    /// Starts the grace of a file that vanished, together with those that vanished at `together` in boot time; `nil`
    /// for now.
    func markMissing(_ source: Int64, together: Int64? = nil) throws {
        try run(
            """
            UPDATE source SET present = 0, missing_since = ?, vanished_at = ?, heir = NULL
            WHERE id = ? AND present = 1
            """, [now.boot, together ?? now.boot, source])
    }

    /// Every present file in a folder and below it.
    func presentSources(drop: String, below directory: [UInt8]) throws -> [SourceRow] {
        let select = "SELECT \(SourceRow.columns) FROM source WHERE present = 1 AND drop_path = ?"
        guard !directory.isEmpty else { return try sources(select, [drop]) }
        let slash = UInt8(ascii: "/")
        let inside = try sources(select + " AND directory = ?", [drop, Data(directory)])
        let below = try sources(
            select + " AND directory > ? AND directory < ?",
            [drop, Data(directory + [slash]), Data(directory + [slash + 1])])
        return inside + below
    }
}
