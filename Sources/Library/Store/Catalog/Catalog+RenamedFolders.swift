import CLinux
import FoundationEssentials
import GRDB
import Glibc
import StickerSystem
public import StickerValues

/// A folder directly in a drop.
public struct FolderName: Hashable, Sendable {
    /// The drop.
    public var drop: String
    /// Its name in the drop.
    public var name: [UInt8]

    /// Identifies a folder.
    public init(drop: String, name: [UInt8]) {
        self.drop = drop
        self.name = name
    }
}

/// A category whose folder was renamed.
public struct RenamedCategory: Hashable, Sendable {
    /// The category, which keeps its id.
    public var category: CategoryID
    /// The former title, from its folder.
    public var from: String
    /// The new title, from its folder.
    public var to: String
}

extension Catalog {
    /// Records a folder in a drop before anything in it is recorded. If it is the renamed folder of a category, the
    /// category follows with all facts about its files.
    ///
    /// Reads the drop: do not call it where a hanging share would do harm.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - inode: its inode.
    ///   - isMet: whether a folder is known to be where it is; others are searched for.
    /// - Returns: the renamed category, if any.
    /// - Throws: `StoreError`; nothing was noted.
    public func meet(
        _ folder: FolderName, inode: UInt64, isMet: (FolderName) -> Bool
    ) throws(StoreError) -> RenamedCategory? {
        guard try read({ try $0.inode(of: folder) }) != inode else { return nil }
        let former = try formerName(of: folder, inode: inode, isMet: isMet)
        return try write { transaction in
            guard let former else {
                try transaction.note(inode: inode, of: folder)
                return nil
            }
            return try transaction.rename(former, to: folder, inode: inode)
        }
    }

    /// The former name of a folder: of one that is gone, and whose files are in this one.
    private func formerName(
        of folder: FolderName, inode: UInt64, isMet: (FolderName) -> Bool
    ) throws(StoreError) -> FormerFolder? {
        let (same, others) = try read { transaction in
            (
                try transaction.categoryFolders("inode = ?", Int64(bitPattern: inode), not: folder),
                // Inodes that changed everywhere prove nothing; then only a new name may be another's.
                try transaction.hasCategory(folder)
                    ? [] : transaction.categoryFolders("drop_path = ?", folder.drop, not: folder)
            )
        }
        // The event of the folder's leaving may still be missing.
        let left =
            same.filter { !$0.isThere }
            + others.filter {
                $0.inode != inode && !isMet($0.folder) && $0.folder.opened() == nil
            }
        guard !left.isEmpty, let opened = folder.opened() else { return nil }
        let own = try read { try $0.traces(of: folder) }
        let ownShare = own.agreement(with: opened, isSameFolder: false).alike
        var best: (folder: FormerFolder, alike: Double)?
        for other in left {
            let traces = try read { try $0.traces(of: other.folder) }
            let agreement = traces.agreement(with: opened, isSameFolder: other.inode == inode)
            guard agreement.tellsCategory, agreement.alike > max(ownShare, best?.alike ?? 0) else {
                continue
            }
            best = (other, agreement.alike)
        }
        return best?.folder
    }
}

/// A folder as recorded.
private struct FormerFolder {
    var folder: FolderName
    var category: CategoryID
    var inode: UInt64?

    /// Whether it is still where it was.
    var isThere: Bool {
        guard let opened = folder.opened(),
            let status = try? FileStatus(opened, path: folder.drop)
        else { return false }
        return status.identity.inode == inode
    }
}

extension FolderName {
    /// The open folder; `nil` if there is none, or if it cannot be entered.
    fileprivate func opened() -> Descriptor? {
        guard let drop = try? Descriptor(folder: drop) else { return nil }
        return try? drop.open(
            below: name, clinux_open_path_flag() | O_DIRECTORY, shown: FileName.display(name))
    }
}

extension FolderAgreement {
    /// Whether it is the renamed folder of a category: one file is enough if the folder itself is the same.
    fileprivate var tellsCategory: Bool { isSameFolder && identical > 0 || alike >= 0.5 }
}

extension StoreTransaction {
    /// The inode of a known folder.
    fileprivate func inode(of folder: FolderName) throws -> UInt64? {
        let inode: Int64? = try value(
            "SELECT inode FROM category_folder WHERE drop_path = ? AND name = ?",
            [folder.drop, Data(folder.name)])
        return inode.map(UInt64.init(bitPattern:))
    }

    fileprivate func hasCategory(_ folder: FolderName) throws -> Bool {
        try row(
            """
            SELECT 1 FROM category_folder
            WHERE drop_path = ? AND name = ? AND category IS NOT NULL
            """, [folder.drop, Data(folder.name)]) != nil
    }

    fileprivate func note(inode: UInt64, of folder: FolderName) throws {
        try run(
            """
            INSERT INTO category_folder (drop_path, name, inode) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET inode = excluded.inode
            """, [folder.drop, Data(folder.name), Int64(bitPattern: inode)])
    }

    /// Folders of categories that `condition` selects, except one.
    fileprivate func categoryFolders(
        _ condition: String, _ argument: any DatabaseValueConvertible, not folder: FolderName
    ) throws -> [FormerFolder] {
        try rows(
            """
            SELECT drop_path, name, category, inode FROM category_folder
            WHERE category IS NOT NULL AND name <> x'' AND \(condition)
            """, [argument]
        ).compactMap { row in
            let other = FolderName(drop: row[0], name: [UInt8](row[1] as Data))
            guard other != folder else { return nil }
            return FormerFolder(
                folder: other, category: CategoryID(rawValue: row[2]),
                inode: (row[3] as Int64?).map(UInt64.init(bitPattern:)))
        }
    }

    /// Traces of the files in a folder, including those that just left.
    fileprivate func traces(of folder: FolderName) throws -> FolderTraces {
        try traces(
            """
            drop_path = ?1 AND (directory = ?2 OR (directory > ?3 AND directory < ?4))
                AND (present = 1 OR missing_since IS NOT NULL)
            """, folder.range, below: folder.name)
    }

    /// Renames a category's folder, with all facts about its files. If the category has files in other folders, it
    /// stays with those, and the renamed folder becomes a category of its own.
    fileprivate func rename(
        _ former: FormerFolder, to folder: FolderName, inode: UInt64
    ) throws -> RenamedCategory? {
        let category = former.category.rawValue
        guard try !hasFiles(category, besides: former.folder) else {
            try note(inode: inode, of: folder)
            return nil
        }
        try makeRoom(for: folder)
        // Its other folders are empty; a new one of such a name is another category.
        try run("DELETE FROM category_folder WHERE category = ?", [category])
        try run(
            "INSERT INTO category_folder (drop_path, name, category, inode) VALUES (?, ?, ?, ?)",
            [folder.drop, Data(folder.name), category, Int64(bitPattern: inode)])
        try moveSources(former.folder, to: folder.drop, Data(folder.name))
        try refreshEmojis(former, folder)
        // Its name may decide the language of templates.
        try renewAll(of: category)
        let title = FileName.title(FileName.display(folder.name))
        let before: String? = try value(
            "SELECT folder_title FROM category WHERE id = ?", [category])
        try run(
            "UPDATE category SET folder_title = ? WHERE id = ?", [title, category])
        _ = try refreshWords(of: former.category)
        if try isShown(former.category) { try touch(former.category) }
        return RenamedCategory(category: former.category, from: before ?? "", to: title)
    }

    private func hasFiles(_ category: String, besides folder: FolderName) throws -> Bool {
        try row(
            """
            SELECT 1 FROM source WHERE source.category = ?5
                AND (source.output IS NOT NULL OR source.present = 1)
                AND source.kind NOT IN ('words', 'categoryWords')
                AND NOT (drop_path = ?1
                    AND (directory = ?2 OR (directory > ?3 AND directory < ?4))) LIMIT 1
            """, folder.range + [category]) != nil
    }

    /// Frees the name of a folder. The category that had it is found again by its inode, under any name.
    private func makeRoom(for folder: FolderName) throws {
        // Hidden folders are never scanned.
        let elsewhere = try Data(".".utf8 + folder.name + " \(inode(of: folder) ?? 0)".utf8)
        try run(
            """
            UPDATE OR REPLACE category_folder SET name = ?
            WHERE drop_path = ? AND name = ? AND category IS NOT NULL
            """, [elsewhere, folder.drop, Data(folder.name)])
        try run(
            "DELETE FROM category_folder WHERE drop_path = ? AND name = ?",
            [folder.drop, Data(folder.name)])
        try moveSources(folder, to: folder.drop, elsewhere)
    }

    /// Moves the records of the files in a folder. If two would have one name, one stays, and the next look shows which
    /// one it is.
    private func moveSources(_ folder: FolderName, to drop: String, _ name: Data) throws {
        try run(
            """
            UPDATE OR IGNORE source SET drop_path = ?, directory = ?
            WHERE drop_path = ? AND directory = ?
            """, [drop, name, folder.drop, Data(folder.name)])
        try run(
            """
            UPDATE OR IGNORE source SET drop_path = ?5,
                directory = CAST(?6 || substr(directory, length(?2) + 1) AS BLOB)
            WHERE drop_path = ?1 AND directory > ?3 AND directory < ?4
            """, folder.range + [drop, name])
    }

    /// Writes the entries of a category again if its default emoji depend on its folder's name.
    private func refreshEmojis(_ former: FormerFolder, _ folder: FolderName) throws {
        let first: Data? = try value(
            "SELECT folder FROM category WHERE id = ?", [former.category.rawValue])
        let names = [former.folder.name, folder.name].map { name in
            CategoryNames(
                identifier: former.category, folder: name, firstFolder: first.map { [UInt8]($0) })
        }
        guard policy.emojis(of: names[0]) != policy.emojis(of: names[1]) else { return }
        try markStale(former.category)
    }
}

extension FolderName {
    /// Drop, folder, and the bounds of the paths below it, for statements.
    fileprivate var range: StatementArguments {
        let slash = UInt8(ascii: "/")
        return [drop, Data(name), Data(name + [slash]), Data(name + [slash + 1])]
    }
}
