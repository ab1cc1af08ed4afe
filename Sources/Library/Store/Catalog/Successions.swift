import Foundation
import GRDB
public import StickerValues

// A picture that replaces one of the same folder and stem in another format is its next version: it inherits id, words
// and places, whichever of the two events was noticed first.

extension Catalog {
    /// The present name of a picture that exists, possibly in another format, or that is missing while its sticker is
    /// still published; otherwise `nil`.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func expected(_ file: SourceKey) throws(StoreError) -> SourceKey? {
        try read { try $0.expected(file) }
    }
}

extension StoreTransaction {
    private static let isFormer = """
        former_names IS NOT NULL AND (present = 1 OR output IS NOT NULL)
        """
    private static let isMissing = """
        missing_since IS NOT NULL AND output IS NOT NULL AND sticker IS NOT NULL
        """

    /// The recorded pictures in the folder of `key` whose names differ only in the extension.
    private func otherFormats(
        of key: SourceKey, where condition: String, _ arguments: StatementArguments = []
    ) throws -> [SourceRow] {
        guard SourceRow.Kind(key) == .picture, !key.isTemplate else { return [] }
        let dot = UInt8(ascii: ".")
        return try Self.spellings(of: FileName.stem(key.name)).flatMap { stem in
            try sources(
                """
                SELECT \(SourceRow.columns) FROM source
                WHERE drop_path = ?1 AND directory = ?2 AND name > ?3 AND name < ?4
                    AND kind = 'picture' AND \(condition)
                """,
                [key.drop, Data(key.directory), Data(stem + [dot]), Data(stem + [dot + 1])]
                    + arguments
            ).filter { other in
                other.key != key && FileName.stem(other.key.name) == stem && !other.key.isTemplate
            }
        }
    }

    /// The stem itself, and its forms with accents composed as on other systems.
    private static func spellings(of stem: [UInt8]) -> Set<[UInt8]> {
        guard let text = String(validating: stem, as: UTF8.self) else { return [stem] }
        return [
            stem, Array(text.precomposedStringWithCanonicalMapping.utf8),
            Array(text.decomposedStringWithCanonicalMapping.utf8),
        ]
    }

    func expected(_ file: SourceKey) throws -> SourceKey? {
        if let source = try source(file), source.isPresent || source.missingSince != nil {
            return file
        }
        return try otherFormat(called: file)?.key
    }

    /// The picture named `key` before it had its present format.
    func otherFormat(called key: SourceKey) throws -> SourceRow? {
        try otherFormats(of: key, where: Self.isFormer).first { $0.formerNames.contains(key.name) }
    }

    /// The published pictures of other formats that are missing.
    private func missing(besides key: SourceKey) throws -> [SourceRow] {
        guard policy.deleteGrace > .zero else { return [] }
        return try otherFormats(of: key, where: Self.isMissing)
    }

    /// Gives a picture that is new under its name an id, and notes it as a newcomer.
    func nameNewcomer(_ newcomer: inout SourceRow) throws {
        try nameSticker(of: &newcomer, isNewcomer: true)
        let others = try otherFormats(
            of: newcomer.key, where: "(\(Self.isFormer) OR \(Self.isMissing))")
        try takeName(newcomer.key, for: newcomer.id, from: others)
        try noteNewcomer(
            newcomer, others.filter { $0.missingSince != nil && $0.isLive && $0.sticker != nil })
    }

    /// Notes that a picture just got its name; if exactly one of another format is missing, it becomes its heir, unless
    /// that has one.
    func noteNewcomer(_ newcomer: inout SourceRow) throws {
        try noteAppearance(of: &newcomer)
        try noteNewcomer(newcomer, missing(besides: newcomer.key))
    }

    func noteAppearance(of newcomer: inout SourceRow) throws {
        newcomer.formerNames = []
        try run(
            "UPDATE source SET appeared_at = ?, former_names = NULL WHERE id = ?",
            [now.wall, newcomer.id])
    }

    private func noteNewcomer(_ newcomer: SourceRow, _ missing: [SourceRow]) throws {
        guard policy.deleteGrace > .zero, missing.count == 1, let former = missing.first
        else { return }
        try run(
            "UPDATE source SET heir = ? WHERE id = ? AND heir IS NULL", [newcomer.id, former.id])
    }

    /// Whether a picture came within the grace. A program may first write it elsewhere, or under another name.
    func isNewcomer(_ source: SourceRow) throws -> Bool {
        let appeared: Int64? = try value(
            "SELECT appeared_at FROM source WHERE id = ?", [source.id])
        return appeared.map { now.wall - $0 <= policy.deleteGrace.milliseconds } ?? false
    }

    /// Notes the first newcomer that came after the file, within the grace before the file vanished.
    func noteHeir(of former: SourceRow, vanishedAt: Int64) throws {
        guard former.sticker != nil, former.isLive, policy.deleteGrace > .zero else { return }
        let grace = policy.deleteGrace.milliseconds
        let newcomer = try otherFormats(
            of: former.key,
            where: """
                present = 1 AND sticker IS NOT NULL AND appeared_at BETWEEN ?5 AND ?6
                    AND (appeared_at, id) > (SELECT coalesce(other.appeared_at, 0), other.id
                        FROM source AS other WHERE other.id = ?7)
                ORDER BY appeared_at, id
                """, [vanishedAt - grace, now.wall, former.id]
        ).first
        guard let newcomer else { return }
        try run(
            "UPDATE source SET heir = ? WHERE id = ? AND missing_since IS NOT NULL AND heir IS NULL",
            [newcomer.id, former.id])
    }

    /// Notes the heir of a missing file after another one of its name came back: now there may be only one missing.
    func noteHeir(besides returned: SourceKey) throws {
        let missing = try missing(besides: returned)
        guard missing.count == 1, let former = missing.first else { return }
        try noteHeir(of: former, vanishedAt: now.wall - age(of: former))
    }

    /// For how many milliseconds a file has been missing.
    private func age(of missing: SourceRow) -> Int64 {
        now.boot - (missing.missingSince ?? now.boot)
    }

    /// Lets newcomers continue files that have been missing for a moment: a file may vanish only to be written again,
    /// or to be found under another name.
    ///
    /// - Returns: whether there may be more.
    func settleSuccessions(after moment: Duration, _ expiry: inout Expiry) throws -> Bool {
        let due = try rows(
            """
            SELECT \(SourceRow.columns), heir FROM source INDEXED BY source_heir
            WHERE heir IS NOT NULL AND missing_since <= ?
                AND drop_path NOT IN (SELECT value FROM json_each(?))
            ORDER BY missing_since LIMIT 1000
            """, [now.boot - moment.milliseconds, try StoredJSON.text(drops.scanning.sorted())])
        for row in due {
            try settle(try SourceRow(row), by: heir(row["heir"]), &expiry)
        }
        return due.count == 1000
    }

    private func settle(_ former: SourceRow, by heir: SourceRow?, _ expiry: inout Expiry) throws {
        if var heir, try isOnlyMissing(former, besides: heir),
            let renamed = try succeed(former, by: &heir)
        {
            expiry.renamed.append(renamed)
            expiry.changedCategories.insert(heir.category)
            return
        }
        try run("UPDATE source SET heir = NULL WHERE id = ?", [former.id])
        guard heir == nil else { return }
        // The heir left, too; another one may have come meanwhile.
        try noteHeir(of: former, vanishedAt: now.wall - age(of: former))
    }

    /// The newcomer of this number, if it exists and did not turn out to be another file.
    private func heir(_ id: Int64) throws -> SourceRow? {
        try row(
            """
            SELECT \(SourceRow.columns) FROM source
            WHERE id = ? AND present = 1 AND sticker IS NOT NULL AND appeared_at IS NOT NULL
            """, [id]
        ).map { try SourceRow($0) }
    }

    private func isOnlyMissing(_ former: SourceRow, besides heir: SourceRow) throws -> Bool {
        try missing(besides: heir.key).map(\.id) == [former.id]
    }

    /// Lets a picture that is published for the first time continue the file whose heir it is, so that it never appears
    /// under another id. While a scan runs, that file may still be found under another name.
    ///
    /// - Returns: the renaming to report; `nil` if it has no such file.
    func continueFormer(of source: inout SourceRow) throws -> RenamedFile? {
        guard drops.scanning.isEmpty, let former = try missing(besides: source.key).first,
            let id: Int64 = try value("SELECT heir FROM source WHERE id = ?", [former.id]),
            id == source.id, try heir(id) != nil, try isOnlyMissing(former, besides: source)
        else { return nil }
        return try succeed(former, by: &source)
    }

    /// Makes a file the next version of a missing one. The id of a published newcomer becomes a tombstone that names
    /// its successor; an unpublished id is forgotten.
    ///
    /// - Returns: the renaming to report; `nil` if the missing file has no sticker.
    fileprivate func succeed(
        _ former: SourceRow, by newcomer: inout SourceRow
    ) throws -> RenamedFile? {
        guard let sticker = former.sticker else { return nil }
        let own = newcomer.sticker
        try own.map { try passConcessions(of: $0, to: sticker) }
        if newcomer.isLive, let own {
            try remove(own, of: newcomer)
            // Its picture still exists, so bytes must not identify the owner of the id.
            try run(
                """
                UPDATE removal SET content = NULL, output = NULL, successor = ? WHERE sticker = ?
                """, [sticker.rawValue, own.rawValue])
        } else {
            (newcomer.output, newcomer.content) = (former.output, former.content)
            newcomer.isApplied = false
        }
        try run(
            """
            UPDATE source SET sticker = NULL, output = NULL, content = NULL, applied = 0,
                missing_since = NULL, held = NULL, heir = NULL, former_names = NULL
            WHERE id = ?
            """, [former.id])
        newcomer.sticker = sticker
        newcomer.formerNames = former.keys.map(\.name).filter { $0 != newcomer.key.name }
        try run(
            """
            UPDATE source SET sticker = ?, output = ?, content = ?, applied = ?,
                appeared_at = NULL, former_names = ?
            WHERE id = ?
            """,
            [
                sticker.rawValue, newcomer.output, newcomer.content?.rawValue, newcomer.isApplied,
                SourceRow.joined(newcomer.formerNames), newcomer.id,
            ])
        try run(
            "DELETE FROM sticker WHERE id = ? AND published_at IS NULL AND deleted_at IS NULL",
            [own?.rawValue])
        try noteChange(of: sticker)
        try writeEntry(of: newcomer)
        try touch(newcomer.category)
        try former.output.map { try release($0, of: former.category, as: .oldRevision) }
        return RenamedFile(sticker: sticker, from: former.key, to: newcomer.key)
    }

    /// Gives a sticker the concessions that the newcomer had under its own id.
    private func passConcessions(of own: StickerID, to sticker: StickerID) throws {
        try run(
            """
            UPDATE sticker SET concessions = coalesce((SELECT concessions FROM sticker
                WHERE id = ? AND deleted_at IS NULL), concessions)
            WHERE id = ?
            """, [own.rawValue, sticker.rawValue])
    }
}
