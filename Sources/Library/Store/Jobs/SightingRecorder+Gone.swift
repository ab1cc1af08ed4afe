import FoundationEssentials
import GRDB
import StickerValues

/// A known name of a file that was seen under another name: it was renamed, or has both names.
struct FormerName: Hashable {
    var key: SourceKey
    /// The inode that the file had under this name.
    var inode: UInt64
}

// MARK: - Files that went away

extension SightingRecorder {
    /// Notes the heirs of vanished files among newcomers.
    func noteHeirs() throws {
        let now = transaction.now
        let vanished = unseenSince ?? now.wall - (now.boot - min(vanishedAt ?? now.boot, now.boot))
        for former in lost { try transaction.noteHeir(of: former, vanishedAt: vanished) }
    }

    /// Records that the file vanished; its sticker waits for it to return.
    mutating func lose(_ key: SourceKey) throws {
        guard let source = try transaction.source(key), source.isPresent else { return }
        try lose(source)
    }

    /// Records that a known file vanished.
    mutating func lose(_ source: SourceRow) throws {
        try transaction.markMissing(source.id, together: vanishedAt)
        summary.vanished += 1
        if source.isLive { lost.append(source) }
        let open = try transaction.jobs(
            of: source.id, where: "state NOT IN ('completed', 'cancelled')")
        for var job in open {
            if job.state == .executing {
                summary.outdated.append(JobID(rawValue: job.id))
            } else {
                let reason = CancelReason.vanished.rawValue
                try transaction.move(&job, .cancelled, [("reason", reason)])
            }
        }
    }

    /// If the file is a live one that just vanished under another name, it keeps its sticker: the same inode, size and
    /// time of change identify it. A sticker already published under the new name stays there; anything else makes
    /// room.
    mutating func followRename(
        to sighting: Sighting, _ kind: SourceRow.Kind, over known: SourceRow?
    ) throws -> SourceRow? {
        let isFree = known?.isLive != true
        // Names may be freed one by one, in a long chain. Once the batch has to be recorded again, ask about all of it,
        // or each name would take its own round.
        guard kind == .picture, sighting.isRegularFile, isFree || !openQuestions.isEmpty,
            var source = try transaction.twin(of: sighting)
        else { return nil }
        // Syncthing renames a picture to a conflict copy before it puts the other version there.
        if ConflictCopy(sighting.key.name)?.isCertain == true { return nil }
        // If folders are compared one by one, the new name may be found before the old one is missed.
        if source.isPresent {
            guard hasLeft(FormerName(key: source.key, inode: source.version.inode)), isFree else {
                return nil
            }
            try lose(source)
            source.isPresent = false
        }
        guard isFree else { return nil }
        if let known, known.isPresent { try lose(known) }
        let category = try transaction.category(of: sighting.key)
        let (changed, formerKey): (Set, SourceKey) = ([source.category, category], source.key)
        if let known { try transaction.exchangeNames(of: known, and: source) }
        let isNewcomer = try transaction.isNewcomer(source)
        try transaction.moveSource(&source, to: sighting.key, category)
        if isNewcomer { try transaction.noteNewcomer(&source) }
        try transaction.noteHeir(besides: formerKey)
        for category in changed { try transaction.touch(category) }
        summary.changedCategories.formUnion(changed)
        if let sticker = source.sticker {
            summary.renamed.append(
                RenamedFile(
                    sticker: sticker, from: formerKey, to: sighting.key, isSameFile: true))
        }
        return source
    }

    /// Whether the file has left the name; if that is unknown, `false`, and the question is noted.
    private mutating func hasLeft(_ name: FormerName) -> Bool {
        if isLeft[name] == nil { openQuestions.insert(name) }
        return isLeft[name] ?? false
    }
}

extension StoreTransaction {
    /// A live file that looks like the sighted one under another name; missing files first.
    fileprivate func twin(of sighting: Sighting) throws -> SourceRow? {
        let version = sighting.version
        return try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_live_inode WHERE inode = ?
                AND size = ? AND mtime = ? AND kind = 'picture' AND output IS NOT NULL
                AND (present = 1 OR missing_since IS NOT NULL)
            ORDER BY present
            """, [Int64(bitPattern: version.inode), version.size, version.mtime]
        ).first { $0.key != sighting.key } ?? withdrawnTwin(of: sighting)
    }

    /// The same for a template that has no sticker only because its data is unknown.
    private func withdrawnTwin(of sighting: Sighting) throws -> SourceRow? {
        guard sighting.key.isTemplate else { return nil }
        let version = sighting.version
        return try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_renewal
            WHERE renew_at IS NOT NULL AND inode = ? AND size = ? AND mtime = ?
                AND output IS NULL AND applied = 1
            """, [Int64(bitPattern: version.inode), version.size, version.mtime]
        ).first { $0.key != sighting.key }
    }

    /// Lets an unpublished file make room for a file that took its name: it takes the other's old name, which is free
    /// now.
    fileprivate func exchangeNames(of known: SourceRow, and moved: SourceRow) throws {
        try run("UPDATE source SET name = ? WHERE id = ?", [Data([0]), moved.id])
        try run(
            """
            UPDATE source SET drop_path = ?, directory = ?, name = ?, category = ? WHERE id = ?
            """,
            [
                moved.key.drop, Data(moved.key.directory), Data(moved.key.name),
                moved.category.rawValue, known.id,
            ])
        try run(
            "UPDATE sticker SET category = ?, sort_key = ? WHERE id = ?",
            [
                moved.category.rawValue, Data(SortKey.make(fileName: moved.key.name)),
                known.sticker?.rawValue,
            ])
    }
}
