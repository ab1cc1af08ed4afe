import FoundationEssentials
import GRDB
import StickerValues

/// Assigns folders to categories. Folders of the same name in several drops become one category when first seen; after
/// that the folder decides, whatever its name.
extension StoreTransaction {
    /// The category of the files in `key`'s folder; created if it is new.
    func category(of key: SourceKey) throws -> CategoryID {
        let folder = key.categoryFolder ?? []
        if let id: String = try value(
            "SELECT category FROM category_folder WHERE drop_path = ? AND name = ?",
            [key.drop, Data(folder)])
        {
            return CategoryID(rawValue: id)
        }
        let category = try namesake(of: folder) ?? withoutFolder(folder) ?? addCategory(folder)
        try run(
            """
            INSERT INTO category_folder (drop_path, name, category) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET category = excluded.category
            """, [key.drop, Data(folder), category.rawValue])
        return category
    }

    /// The category whose folder has this name in another drop. Files of a drop itself are in the category of
    /// the folder named `defaultCategory`.
    private func namesake(of folder: [UInt8]) throws -> CategoryID? {
        let folders = folder.isEmpty || folder == defaultFolder ? [[], defaultFolder] : [folder]
        for folder in folders {
            let id: String? = try value(
                """
                SELECT category FROM category_folder INDEXED BY category_folder_name
                WHERE name = ? AND category IS NOT NULL ORDER BY drop_path LIMIT 1
                """, [Data(folder)])
            if let id { return CategoryID(rawValue: id) }
        }
        return nil
    }

    /// The category that had this name first and has no folder: from a library older than the table, or for the files
    /// directly in drops while another folder was the default.
    private func withoutFolder(_ folder: [UInt8]) throws -> CategoryID? {
        let id: String? = try value(
            """
            SELECT id FROM category WHERE folder = ? AND NOT EXISTS
                (SELECT 1 FROM category_folder WHERE category = category.id)
            """, [Data(folder.isEmpty ? defaultFolder : folder)])
        return id.map(CategoryID.init)
    }

    private func addCategory(_ folder: [UInt8]) throws -> CategoryID {
        let folder = folder.isEmpty ? defaultFolder : folder
        let name = FileName.display(folder)
        let id = try unusedID(from: name, bytes: folder, kind: "category")
        let isTaken =
            try count("SELECT count(*) FROM category WHERE folder = ?", [Data(folder)]) > 0
        try run(
            "INSERT INTO category (id, folder, title, folder_title) VALUES (?1, ?2, ?3, ?3)",
            [id, Data(isTaken ? folder + Array("/\(id)".utf8) : folder), FileName.title(name)])
        return CategoryID(rawValue: id)
    }

    /// The categories whose ids a query finds.
    func categories(_ sql: String, _ arguments: StatementArguments = []) throws -> [CategoryID] {
        try rows(sql, arguments).map { CategoryID(rawValue: $0[0]) }
    }

    private var defaultFolder: [UInt8] { Array(policy.defaultCategory.utf8) }

    /// The names under which the configuration may list the settings of a file's category.
    func categoryNames(of source: SourceRow) throws -> CategoryNames {
        let row = try row(
            "SELECT folder, look FROM category WHERE id = ?", [source.category.rawValue])
        return CategoryNames(
            identifier: source.category, folder: source.key.categoryFolder,
            firstFolder: (row?[0] as Data?).map { [UInt8]($0) }, look: try look(row?[1]))
    }

    /// The names of a category, by one of its folders.
    func categoryNames(of category: CategoryID) throws -> CategoryNames {
        let row = try row(
            """
            SELECT category_folder.name, category.folder, category.look FROM category
            LEFT JOIN category_folder INDEXED BY category_folder_category
                ON category_folder.category = category.id
            WHERE category.id = ? ORDER BY category_folder.name DESC LIMIT 1
            """, [category.rawValue])
        let first = (row?[1] as Data?).map { [UInt8]($0) }
        let folder = (row?[0] as Data?).map { [UInt8]($0) } ?? first ?? []
        return CategoryNames(
            identifier: category, folder: folder.isEmpty ? nil : folder, firstFolder: first,
            look: try look(row?[2]))
    }

    /// The look in a column.
    private func look(_ text: String?) throws -> CategoryLook? {
        try text.map { try StoredJSON.decode(CategoryLook.self, from: $0) }
    }

    /// The look of a category; `nil` if its side files say nothing of it.
    func look(of category: CategoryID) throws -> CategoryLook? {
        try look(value("SELECT look FROM category WHERE id = ?", [category.rawValue]))
    }

    /// The names of every folder's category.
    func categoryNames() throws -> [(category: CategoryID, names: CategoryNames)] {
        try rows(
            """
            SELECT DISTINCT category.id, category_folder.name, category.folder, category.look
            FROM category_folder JOIN category ON category.id = category_folder.category
            """
        ).map { row in
            let (category, folder) = (CategoryID(rawValue: row[0]), [UInt8](row[1] as Data))
            return (
                category,
                CategoryNames(
                    identifier: category, folder: folder.isEmpty ? nil : folder,
                    firstFolder: [UInt8](row[2] as Data), look: try look(row[3]))
            )
        }
    }

    /// The names of every category, by its first folder.
    func namesByCategory() throws -> [CategoryID: CategoryNames] {
        Dictionary(
            try categoryNames().map { ($0.category, $0.names) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension CategoryNames {
    /// The names of a category without a known folder.
    static func only(_ id: CategoryID) -> CategoryNames {
        CategoryNames(identifier: id, folder: Array(id.rawValue.utf8))
    }
}
