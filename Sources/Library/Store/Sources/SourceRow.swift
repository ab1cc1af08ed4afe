import FoundationEssentials
import GRDB
import StickerValues

/// A file as recorded in the database.
struct SourceRow {
    /// The use of a file.
    enum Kind: String {
        case picture, cover, foreign
        /// A side file about one picture, or about a category.
        case words, categoryWords
    }

    var id: Int64
    var key: SourceKey
    var kind: Kind
    var category: CategoryID
    var sticker: StickerID?
    var version: FileVersion
    /// Whether the file was there at the last look.
    var isPresent: Bool
    /// When it vanished, while its sticker waits for it to return.
    var missingSince: Int64?
    /// Whether the published state belongs to `version`.
    var isApplied: Bool
    var content: ContentHash?
    var output: Int64?
    /// The picture's names in other formats in the same folder, the latest first.
    var formerNames: [[UInt8]] = []
    /// The number of the user who owns the file; `unknownOwner` if not known yet.
    var owner = unknownOwner

    /// No user has this number.
    static let unknownOwner: Int64 = -1

    /// Whether a picture of it is published.
    var isLive: Bool { output != nil }

    /// Whether it is about pictures.
    var isSideFile: Bool { kind == .words || kind == .categoryWords }

    /// Its path below the folder of its category.
    var pathInCategory: [UInt8] {
        guard let folder = key.categoryFolder else { return key.name }
        return Array(key.relativePath.dropFirst(folder.count + 1))
    }

    /// Whether it stands for a restored sticker without a file.
    var isWithoutFile: Bool { key.drop.hasPrefix(Self.trashPrefix) }

    /// The prefix of the drop of a sticker without a file; no path has it.
    static let trashPrefix = "trash "

    static let width = 18
    static let columns =
        """
        source.id, source.drop_path, source.directory, source.name, source.kind, source.category, \
        source.sticker, source.inode, source.size, source.mtime, source.ctime, source.present, \
        source.missing_since, source.applied, source.content, source.output, source.former_names, \
        source.owner
        """

    /// Reads the columns named in `columns`, the first at `start`.
    init(_ row: Row, from start: Int = 0) throws {
        guard let kind = Kind(rawValue: row[start + 4]) else {
            throw StoreError(.damaged, "source \(row) makes no sense" + StoreError.rebuildHint)
        }
        id = row[start]
        key = SourceKey(
            drop: row[start + 1], directory: [UInt8](row[start + 2] as Data),
            name: [UInt8](row[start + 3] as Data))
        self.kind = kind
        category = CategoryID(rawValue: row[start + 5])
        sticker = (row[start + 6] as String?).map(StickerID.init)
        version = FileVersion(
            inode: UInt64(bitPattern: row[start + 7]), size: row[start + 8], mtime: row[start + 9],
            ctime: row[start + 10])
        isPresent = row[start + 11]
        missingSince = row[start + 12]
        isApplied = row[start + 13]
        content = (row[start + 14] as String?).map(ContentHash.init)
        output = row[start + 15]
        formerNames = (row[start + 16] as Data?).map(Self.names(in:)) ?? []
        owner = row[start + 17]
    }

    /// Names as stored, joined by slashes: no name contains one.
    static func joined(_ names: [[UInt8]]) -> Data? {
        names.isEmpty ? nil : Data(names.joined(separator: [UInt8(ascii: "/")]))
    }

    private static func names(in data: Data) -> [[UInt8]] {
        data.split(separator: UInt8(ascii: "/")).map { [UInt8]($0) }
    }

    /// The present key of the picture, then its former ones in the same folder.
    var keys: [SourceKey] {
        [key] + key.siblings(formerNames)
    }
}

extension SourceRow.Kind {
    /// Classifies the file `key`; `nil` if stickerd does not handle it.
    init?(_ key: SourceKey) {
        switch FileKind.of(key) {
        case .picture: self = .picture
        case .cover: self = .cover
        case .foreignPicture: self = .foreign
        case .words(.sticker): self = .words
        case .words: self = .categoryWords
        case .ignored: return nil
        }
    }
}

extension StoreTransaction {
    /// The file at `key`, if it was ever seen.
    func source(_ key: SourceKey) throws -> SourceRow? {
        try row(
            """
            SELECT \(SourceRow.columns) FROM source
            WHERE drop_path = ? AND directory = ? AND name = ?
            """, [key.drop, Data(key.directory), Data(key.name)]
        ).map { try SourceRow($0) }
    }

    /// Whether the result of the file in the sighted state is published and the file is not missing.
    func isPublished(_ sighting: Sighting) throws -> Bool {
        let key = sighting.key
        return try row(
            """
            SELECT 1 FROM source WHERE drop_path = ? AND directory = ? AND name = ?
                AND inode = ? AND size = ? AND mtime = ? AND ctime = ?
                AND present = 1 AND applied = 1
                AND (output IS NOT NULL OR kind IN ('words', 'categoryWords'))
            """,
            [key.drop, Data(key.directory), Data(key.name)]
                + sighting.version.columns) != nil
    }

    /// The files that a query of `SourceRow.columns` finds.
    func sources(_ sql: String, _ arguments: StatementArguments = []) throws -> [SourceRow] {
        try rows(sql, arguments).map { try SourceRow($0) }
    }

    func source(of sticker: StickerID) throws -> SourceRow? {
        try row("SELECT \(SourceRow.columns) FROM source WHERE sticker = ?", [sticker.rawValue])
            .map { try SourceRow($0) }
    }

    func source(_ id: Int64) throws -> SourceRow? {
        try row("SELECT \(SourceRow.columns) FROM source WHERE id = ?", [id])
            .map { try SourceRow($0) }
    }

    /// Records a file that was never seen before.
    func addSource(
        _ sighting: Sighting, _ kind: SourceRow.Kind, _ category: CategoryID
    ) throws -> SourceRow {
        let key = sighting.key
        try run(
            """
            INSERT INTO source (drop_path, directory, name, kind, category, owner, inode, size, mtime,
                ctime)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                key.drop, Data(key.directory), Data(key.name), kind.rawValue, category.rawValue,
                sighting.ownerColumn,
            ] + sighting.version.columns)
        let id = database.lastInsertedRowID
        if key.isTemplate { try renewLater(id) }
        var source = SourceRow(
            id: id, key: key, kind: kind, category: category, version: sighting.version)
        source.owner = sighting.ownerColumn
        return source
    }
}

extension Sighting {
    var ownerColumn: Int64 { owner.map(Int64.init) ?? SourceRow.unknownOwner }
}

extension StoreTransaction {
    /// Proposes another name for a misnamed picture if the former proposal was taken meanwhile.
    func refreshName(of source: SourceRow, _ sighting: Sighting) throws {
        guard case .misnamed(let picture) = sighting.stranger else { return }
        let refusal = picture.refusal(of: sighting.key)
        try run(
            """
            UPDATE job SET refusal = ?1 WHERE source = ?2 AND reason = ?3 AND state = 'discarded'
                AND superseded_by IS NULL AND refusal IS NOT ?1
            """,
            [try StoredJSON.text(refusal), source.id, Refusal.Reason.misnamed.rawValue])
    }
}

extension SourceRow {
    /// Creates the row of a file that was just seen for the first time.
    init(id: Int64, key: SourceKey, kind: Kind, category: CategoryID, version: FileVersion) {
        self.id = id
        self.key = key
        self.kind = kind
        self.category = category
        self.version = version
        isPresent = true
        isApplied = false
    }
}

extension FileVersion {
    /// The values of the columns inode, size, mtime, ctime.
    var columns: StatementArguments { [Int64(bitPattern: inode), size, mtime, ctime] }
}
