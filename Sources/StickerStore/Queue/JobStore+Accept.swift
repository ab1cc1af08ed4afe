public import StickerModel
import Synchronization

extension JobStore {
    /// Takes note of files that went away and of files that were seen; both in one transaction.
    ///
    /// Files that went away are taken first, so that a renamed file is recognised, and files that were
    /// renamed onto one another in the order of `RenameOrder`. Seeing the same state of a file twice is
    /// harmless.
    ///
    /// - Parameters:
    ///   - sightings: in the order in which they were made; a few hundred at once, so that other calls
    ///     need not wait long.
    ///   - gone: files that are not there any more.
    ///   - settle: how long a file must stay unchanged; `nil` takes the policy's.
    /// - Returns: what became of them.
    /// - Throws: `StoreError`; nothing was noted, and the call can be repeated.
    public func accept(
        _ sightings: [Sighting], gone: [SourceKey] = [], settle: Duration? = nil
    ) throws(StoreError) -> IntakeSummary {
        try write { transaction in
            let rhythm = rhythm.withLock { $0 }
            var intake = Intake(transaction, settle: settle ?? policy.settle, rhythm: rhythm)
            for key in gone { try intake.lose(key) }
            let sorted = try RenameOrder(sightings).sorted { key in
                try transaction.source(key).map { (inode: $0.generation.inode, isLive: $0.isLive) }
            }
            for sighting in sorted { try intake.take(sighting) }
            self.rhythm.withLock { [rhythm = intake.rhythm] in $0 = rhythm }
            return intake.summary
        }
    }

    /// Takes note that a folder went away with everything below it.
    ///
    /// - Throws: `StoreError`; nothing was noted.
    public func folderGone(
        drop: String, directory: [UInt8]
    ) throws(StoreError) -> IntakeSummary {
        try write { transaction in
            var intake = Intake(transaction, settle: policy.settle, rhythm: Rhythm())
            for source in try transaction.presentSources(drop: drop, below: directory) {
                try intake.lose(source)
            }
            return intake.summary
        }
    }
}
