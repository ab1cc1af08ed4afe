import FoundationEssentials
import GRDB
public import StickerValues
import Synchronization

extension JobQueue {
    /// Records vanished and sighted files in one transaction.
    ///
    /// Vanished files come first, so that a renamed file is recognised; files renamed onto one another follow in the
    /// order of `RenameOrder`. Seeing the same state of a file twice is harmless.
    ///
    /// - Parameters:
    ///   - sightings: in the order in which they were made; at most a few hundred, so that other calls do not wait
    ///     long.
    ///   - gone: files that no longer exist.
    ///   - scanned: the drop whose scan found that they are gone: all files that it misses vanished at once. `nil` if
    ///     they vanish now.
    ///   - settle: how long a file must stay unchanged; `nil` takes the policy's value.
    /// - Returns: a summary.
    /// - Throws: `StoreError`; nothing was noted, and the call can be repeated.
    public func accept(
        _ sightings: [Sighting], gone: [SourceKey] = [], byScanOf scanned: String? = nil,
        settle: Duration? = nil
    ) throws(StoreError) -> IntakeSummary {
        try accept(sightings, gone: gone, byScanOf: scanned, settle: settle) { name in
            SourceReader.isGone(name.key, inode: name.inode)
        }
    }

    /// Records files like the public `accept`. `isLeft` returns whether the file has left a former name, which means
    /// reading the drop: on a hanging share the call hangs. It is therefore called between transactions; a transaction
    /// that needs an answer is rolled back and repeated with it.
    func accept(
        _ sightings: [Sighting], gone: [SourceKey] = [], byScanOf scanned: String? = nil,
        settle: Duration? = nil,
        isLeft: (FormerName) -> Bool
    ) throws(StoreError) -> IntakeSummary {
        var answers: [FormerName: Bool] = [:]
        let vanishedAt = scanned.map { drop in
            connection.drops.withLock { $0.beginScan(of: drop, at: connection.clock.boot()) }
        }
        while true {
            var open: Set<FormerName> = []
            let summary = try attempt { transaction -> IntakeSummary? in
                var recorder = SightingRecorder(
                    transaction, settle: settle ?? policy.settle,
                    rhythm: memory.withLock { $0.rhythm }, isLeft: answers)
                recorder.vanishedAt = vanishedAt
                recorder.unseenSince = scanned.flatMap(transaction.drops.unseenSince)
                for key in gone { try recorder.lose(key) }
                for sighting in try transaction.inRenameOrder(sightings) {
                    try recorder.take(sighting)
                }
                try recorder.noteHeirs()
                open = recorder.openQuestions
                guard open.isEmpty else { return nil }
                memory.withLock { [rhythm = recorder.rhythm] in $0.rhythm = rhythm }
                return recorder.summary
            }
            if let summary { return summary }
            for name in open { answers[name] = isLeft(name) }
        }
    }

    /// The sightings in parts for successive calls of `accept`, small enough that other calls do not wait long. The
    /// order is that of `RenameOrder` over all of them, so that every name is free when a part moves a file to it.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func parts(of sightings: [Sighting]) throws(StoreError) -> [[Sighting]] {
        guard sightings.count > Self.acceptedAtOnce else {
            return sightings.isEmpty ? [] : [sightings]
        }
        let sorted = try read { try $0.inRenameOrder(sightings) }
        return stride(from: 0, to: sorted.count, by: Self.acceptedAtOnce).map { start in
            Array(sorted[start..<min(start + Self.acceptedAtOnce, sorted.count)])
        }
    }

    private static let acceptedAtOnce = 200

    /// Notes that the daemon is running; call it every minute and at the end.
    ///
    /// - Throws: `StoreError`.
    public func noteAlive() throws(StoreError) {
        try write { try $0.setNote(StoreTransaction.aliveNote, "\($0.now.wall)") }
    }

    /// Records that a folder vanished with everything below it.
    ///
    /// - Throws: `StoreError`; nothing was noted.
    public func folderGone(drop: String, directory: [UInt8]) throws(StoreError) -> IntakeSummary {
        try write { transaction in
            var recorder = SightingRecorder(transaction, settle: policy.settle, rhythm: Rhythm())
            for source in try transaction.presentSources(drop: drop, below: directory) {
                try recorder.lose(source)
            }
            return recorder.summary
        }
    }
}

extension StoreTransaction {
    fileprivate func inRenameOrder(_ sightings: [Sighting]) throws -> [Sighting] {
        let inodes = try StoredJSON.text(sightings.map { Int64(bitPattern: $0.version.inode) })
        let live = try rows(
            """
            SELECT drop_path, directory, name, inode FROM source INDEXED BY source_live_inode
            WHERE output IS NOT NULL AND inode IN (SELECT value FROM json_each(?))
            """, [inodes]
        ).map { row in
            let key = SourceKey(
                drop: row[0], directory: [UInt8](row[1] as Data), name: [UInt8](row[2] as Data))
            return (key, UInt64(bitPattern: row[3] as Int64))
        }
        guard !live.isEmpty else { return sightings }
        let known = Dictionary(uniqueKeysWithValues: live)
        return RenameOrder(sightings).sorted { known[$0] }
    }

    fileprivate static let aliveNote = "alive"

    /// When a daemon last noted that it was running, in milliseconds since 1970.
    func aliveUntil() throws -> Int64? { try note(Self.aliveNote).flatMap { Int64($0) } }
}
