import FoundationEssentials
import GRDB
import StickerValues

/// The manifest of one category in one view of the store, written page by page, last page first, so that each page can
/// refer to the next by its content. Only one page is in memory at a time.
struct ManifestPages {
    let transaction: StoreTransaction
    let category: CategoryID

    /// The common part of all pages.
    private let head: Manifest

    /// The readiness of the category, for the first page.
    private let readiness: [PackPlatform: Readiness]?

    let count: Int

    var generation: Int { head.generation }

    /// Reads the stickers of the category; `nil` if there is no such category.
    init?(_ category: CategoryID, _ transaction: StoreTransaction) throws {
        guard
            let row = try transaction.row(
                "SELECT title, generation, folder_title FROM category WHERE id = ?",
                [category.rawValue])
        else { return nil }
        self.category = category
        self.transaction = transaction
        count =
            try transaction.count(
                "SELECT count(*) FROM sticker WHERE category = ? AND entry IS NOT NULL",
                [category.rawValue])
            + transaction.count(
                """
                SELECT count(*) FROM leaving JOIN sticker ON sticker.id = leaving.sticker
                WHERE leaving.category = ? AND sticker.entry IS NOT NULL
                """, [category.rawValue])
        let cover = try transaction.cover(of: category)
        let words = transaction.policy.defaultWords.filling(
            try transaction.ownWords(of: category),
            of: try transaction.categoryNames(of: category))
        readiness = try transaction.readiness(of: category)
        let isNamedByFolder = row[0] as String == row[2]
        head = Manifest(
            generation: row[1], identifier: category, title: row[0],
            words: words,
            folder: isNamedByFolder ? nil : try transaction.folder(of: category),
            imageURL: cover?.largestPNGThumbnail.map(transaction.policy.address(of:)),
            trayURL: cover?.tray.map(transaction.policy.address(of:)), stickers: [])
    }

    /// Builds every page, last first. `write` puts a page in its place and returns its name; the first page
    /// comes last and is the manifest itself.
    func build(_ write: (_ page: [UInt8], _ isFirst: Bool) throws -> String) throws {
        let size = transaction.policy.pageEntriesMax
        var left = max(count, 1)
        var lines: [Data] = []
        var next: String?
        let cursor = try Data.fetchCursor(
            transaction.database,
            sql: """
                SELECT entry, sort_key, id FROM sticker WHERE category = ?1 AND entry IS NOT NULL
                UNION ALL
                SELECT entry, sort_key, id FROM leaving JOIN sticker ON id = leaving.sticker
                WHERE leaving.category = ?1 AND entry IS NOT NULL
                ORDER BY sort_key DESC, id DESC
                """, arguments: [category.rawValue])
        while left > 0 {
            let length = left % size == 0 ? size : left % size
            while lines.count < length, let line = try cursor.next() { lines.append(line) }
            left -= length
            next = try write(page(lines.reversed(), next: next, isFirst: left == 0), left == 0)
            lines.removeAll(keepingCapacity: true)
        }
    }

    private func page(_ lines: [Data], next: String?, isFirst: Bool) throws -> [UInt8] {
        var head = head
        head.readiness = isFirst ? readiness : nil
        let base = transaction.policy.publicBaseURL
        head.nextURL = next.map { base.isEmpty ? $0 : "\(base)\(category)/\($0)" }
        return try StoredJSON.page(head, listing: lines, as: "stickers")
    }
}

extension StoreTransaction {
    /// A folder of a category, for display.
    fileprivate func folder(of category: CategoryID) throws -> String? {
        let name: Data? = try value(
            """
            SELECT name FROM category_folder INDEXED BY category_folder_category
            WHERE category = ? ORDER BY name DESC LIMIT 1
            """, [category.rawValue])
        guard let name else { return nil }
        return name.isEmpty ? policy.defaultCategory : FileName.display([UInt8](name))
    }

    /// The product that represents a category: that of its `cover.*`, else of its first sticker.
    func cover(of category: CategoryID) throws -> StickerProduct? {
        let cover: Int64? = try value(
            """
            SELECT output FROM source WHERE category = ? AND kind = 'cover' AND output IS NOT NULL
            ORDER BY name LIMIT 1
            """, [category.rawValue])
        let first: Int64? = try value(
            """
            SELECT source.output FROM sticker JOIN source ON source.sticker = sticker.id
            WHERE sticker.category = ? AND sticker.entry IS NOT NULL
            ORDER BY sticker.sort_key, sticker.id LIMIT 1
            """, [category.rawValue])
        return try cover.flatMap { try product($0) } ?? first.flatMap { try product($0) }
    }

    /// The last recorded readiness of a category.
    func readiness(of category: CategoryID) throws -> [PackPlatform: Readiness]? {
        let text: String? = try value(
            "SELECT content FROM readiness WHERE category = ?", [category.rawValue])
        return try text.map {
            try StoredJSON.decode([PackPlatform: Readiness].self, from: $0)
        }
    }
}
