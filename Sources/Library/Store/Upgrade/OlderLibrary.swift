import FoundationEssentials
import GRDB
import Glibc
import StickerConfiguration
import StickerValues

/// The database of an older release beside that of this one, which is attached as `newer`.
///
/// Every release has the tables and columns of the older database used here.
struct OlderLibrary {
    /// A file that the older database does not record as this sticker's.
    struct Difference {
        var key: SourceKey
        var sticker: StickerID
        var category: CategoryID
        var version: FileVersion
        /// The row of the sticker's file in the older database, and that file.
        var own: (id: Int64, key: SourceKey)?
        /// Whether the sticker is published in the older database.
        var wasPublished: Bool
        /// Whether the older release makes it.
        var fate: RollbackPlan.Fate

        var isWithoutFile: Bool { key.drop.hasPrefix(SourceRow.trashPrefix) }
    }

    let database: Database
    let record: EarlierDatabase.Record
    let configuration: StickerConfiguration.Configuration
    let now: Int64

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }

    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return database.changesCount
    }

    // MARK: Differences

    func differences() throws -> [Difference] {
        let drops = try knownDrops()
        return try rows(
            """
            SELECT n.drop_path, n.directory, n.name, n.sticker, n.category, n.inode, n.size, n.mtime,
                n.ctime, own.id, own.drop_path, own.directory, own.name, sticker.entry IS NOT NULL
            FROM newer.source AS n
            LEFT JOIN source AS same ON same.drop_path = n.drop_path
                AND same.directory = n.directory AND same.name = n.name
            LEFT JOIN source AS own ON own.sticker = n.sticker
            LEFT JOIN sticker ON sticker.id = n.sticker
            WHERE n.sticker IS NOT NULL AND n.kind = 'picture'
                AND (n.present = 1 OR n.missing_since IS NOT NULL OR n.output IS NOT NULL)
                AND (same.id IS NULL OR same.sticker IS NOT n.sticker)
            ORDER BY n.category, n.directory, n.name
            """
        ).map { row in
            let key = Self.key(row, from: 0)
            let own = (row[9] as Int64?).map { (id: $0, key: Self.key(row, from: 10)) }
            return Difference(
                key: key, sticker: StickerID(rawValue: row[3]),
                category: CategoryID(rawValue: row[4]),
                version: FileVersion(
                    inode: UInt64(bitPattern: row[5]), size: row[6], mtime: row[7], ctime: row[8]),
                own: own, wasPublished: (row[13] as Bool?) ?? false,
                fate: fate(of: key, hasOwn: own != nil, drops))
        }
    }

    private func fate(of key: SourceKey, hasOwn: Bool, _ drops: Set<String>) -> RollbackPlan.Fate {
        if key.drop.hasPrefix(SourceRow.trashPrefix) { return hasOwn ? .made : .gone }
        guard drops.contains(key.drop) else { return .gone }
        let isRead = record.pictures.contains(FileName.fileExtension(key.name))
        return isRead ? .made : .unread
    }

    private static func key(_ row: Row, from start: Int) -> SourceKey {
        SourceKey(
            drop: row[start], directory: [UInt8](row[start + 1] as Data),
            name: [UInt8](row[start + 2] as Data))
    }

    /// The drops that the older release watches: the configured ones, without one that comes with this release.
    private func knownDrops() throws -> Set<String> {
        let before = try rows("SELECT DISTINCT drop_path FROM source").map { $0[0] as String }
        let shipped = configuration.shippedDrop
        return Set(before).union(configuration.dropPaths.filter { $0 != shipped })
    }

    func plan() throws -> RollbackPlan {
        var plan = RollbackPlan(to: record.from, copiedAt: record.copiedAt)
        for difference in try differences() { add(difference, to: &plan) }
        plan.replaced = try replaced()
        plan.removed = try removed()
        plan.categories = try folders().map { folder in
            RollbackPlan.Category(
                category: folder.id, folder: Self.shown(folder.name),
                formerFolder: folder.former.map(Self.shown))
        }
        plan.kept = try rows(
            """
            SELECT count(*) FROM sticker JOIN newer.sticker AS n ON n.id = sticker.id
            WHERE sticker.entry IS NOT NULL AND n.deleted_at IS NULL
            """)[0][0]
        plan.unknownKeys = try unknownKeys()
        return plan
    }

    private static func shown(_ name: [UInt8]) -> String {
        FileName.escaped(FileName.display(name))
    }

    private func add(_ difference: Difference, to plan: inout RollbackPlan) {
        var sticker = RollbackPlan.Sticker(
            sticker: difference.sticker, category: difference.category,
            file: difference.isWithoutFile ? nil : difference.key.display)
        guard let own = difference.own, difference.wasPublished else {
            sticker.fate = difference.fate
            plan.came.append(sticker)
            return
        }
        sticker.formerFile = own.key.display
        if difference.fate == .unread { sticker.fate = .unread }
        plan.renamed.append(sticker)
    }

    private func replaced() throws -> [RollbackPlan.Sticker] {
        try rows(
            """
            SELECT n.sticker, n.category, n.drop_path, n.directory, n.name FROM newer.source AS n
            JOIN source ON source.sticker = n.sticker
            WHERE source.output IS NOT NULL AND n.content IS NOT source.content AND n.present = 1
            ORDER BY n.category, n.directory, n.name
            """
        ).map { row in
            RollbackPlan.Sticker(
                sticker: StickerID(rawValue: row[0]), category: CategoryID(rawValue: row[1]),
                file: Self.key(row, from: 2).display)
        }
    }

    private func removed() throws -> [RollbackPlan.Sticker] {
        try rows(
            """
            SELECT n.id, n.category FROM newer.sticker AS n JOIN sticker ON sticker.id = n.id
            WHERE sticker.entry IS NOT NULL AND n.entry IS NULL AND n.deleted_at IS NOT NULL
            ORDER BY n.category, n.id
            """
        ).map { row in
            RollbackPlan.Sticker(
                sticker: StickerID(rawValue: row[0]), category: CategoryID(rawValue: row[1]))
        }
    }

    /// Categories whose folder has another name in the older database; `former` is `nil` for a category unknown there.
    /// A category with several folders keeps its name if it is still the name of one of them.
    func folders() throws -> [(id: CategoryID, name: [UInt8], former: [UInt8]?)] {
        try rows(
            """
            SELECT n.id, coalesce(
                    max(iif(used.name = category.folder, used.name, NULL)), max(used.name),
                    n.folder),
                category.folder
            FROM newer.category AS n LEFT JOIN category ON category.id = n.id
            LEFT JOIN (
                SELECT DISTINCT category, iif(instr(directory, x'2f') = 0, directory,
                    substr(directory, 1, instr(directory, x'2f') - 1)) AS name
                FROM newer.source WHERE directory <> x'' AND present = 1 AND kind = 'picture'
            ) AS used ON used.category = n.id
            GROUP BY n.id ORDER BY n.id
            """
        ).compactMap { row in
            let name = [UInt8](row[1] as Data)
            let former = (row[2] as Data?).map { [UInt8]($0) }
            guard name != former else { return nil }
            return (CategoryID(rawValue: row[0]), name, former)
        }
    }

    /// The record in the older database has every key that its release knows, with its value.
    private func unknownKeys() throws -> [String] {
        guard let text = try EarlierDatabase.note(database, "configuration"),
            // A record in another form reveals nothing.
            let known = try? StoredJSON.decode(ConfigurationRecord.self, from: text).settings
        else { return [] }
        var defaults = StickerConfiguration.Configuration()
        // Their defaults depend on the folder of the file.
        defaults.run = configuration.run
        defaults.personal.private = configuration.personal.private
        let changes = StickerConfiguration.Configuration.changes(
            from: defaults.settings, to: configuration.settings)
        return changes.map(\.key).filter { known[$0] == nil && !$0.hasPrefix("categories.") }
    }
}
