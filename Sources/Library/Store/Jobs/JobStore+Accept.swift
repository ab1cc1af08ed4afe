public import StickerModel
import Synchronization

extension JobStore {
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
        let vanishedAt = scanned.map(beginningOfScan)
        while true {
            var open: Set<FormerName> = []
            let summary = try attempt { transaction -> IntakeSummary? in
                var recorder = SightingRecorder(
                    transaction, settle: settle ?? policy.settle,
                    rhythm: rhythm.withLock { $0 }, isLeft: answers)
                recorder.vanishedAt = vanishedAt
                recorder.unseenSince = scanned.flatMap(unseenSince)
                for key in gone { try recorder.lose(key) }
                for sighting in try transaction.inRenameOrder(sightings) {
                    try recorder.take(sighting)
                }
                try recorder.noteHeirs()
                open = recorder.openQuestions
                guard open.isEmpty else { return nil }
                rhythm.withLock { [rhythm = recorder.rhythm] in $0 = rhythm }
                return recorder.summary
            }
            if let summary { return summary }
            for name in open { answers[name] = isLeft(name) }
        }
    }

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

    /// When the present scan of the drop first missed a file: now, if it is the first.
    private func beginningOfScan(of drop: String) -> Int64 {
        let now = clock.boot()
        return scans.withLock { scans in
            let began = scans[drop] ?? now
            scans[drop] = began
            return began
        }
    }

    /// Notes that a drop was fully scanned: files missed from now on vanish later.
    public func scanEnded(ofDrop drop: String) {
        scans.withLock { $0[drop] = nil }
        lastDaemon.withLock { _ = $0.seen.insert(drop) }
    }

    /// Since when a drop was unobserved, if it was not fully scanned since the start; `nil` if that is unknown.
    private func unseenSince(_ drop: String) -> Int64? {
        lastDaemon.withLock { $0.seen.contains(drop) ? nil : $0.aliveUntil }
    }

    /// Notes that the daemon is running; call it every minute and at the end.
    ///
    /// - Throws: `StoreError`.
    public func noteAlive() throws(StoreError) {
        try write { try $0.setNote(StoreTransaction.aliveNote, "\($0.now.wall)") }
    }

    /// Records that a folder vanished with everything below it.
    ///
    /// - Throws: `StoreError`; nothing was noted.
    public func folderGone(
        drop: String, directory: [UInt8]
    ) throws(StoreError) -> IntakeSummary {
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
        try RenameOrder(sightings).sorted { key in
            try source(key).map { (inode: $0.version.inode, isLive: $0.isLive) }
        }
    }
}

extension StoreTransaction {
    fileprivate static let aliveNote = "alive"

    /// When a daemon last noted that it was running, in milliseconds since 1970.
    func aliveUntil() throws -> Int64? { try note(Self.aliveNote).flatMap { Int64($0) } }
}
