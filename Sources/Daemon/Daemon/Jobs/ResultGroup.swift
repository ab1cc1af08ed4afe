import StickerStore
import StickerSystem
import StickerValues

/// How an attempt ended, before its files are in place.
struct JobResult: Sendable {
    var finished: FinishedJob
    /// The files that must be in place, and durable, before the attempt is recorded.
    var staged: StagedObjects?
}

/// Results whose files are put in place together, so that they share the syncs of folders and the flushes
/// of the device.
///
/// A fresh file does not wait for others, and no result waits once no other job is running.
struct ResultGroup {
    /// How long the files of a backlog wait for others; if work is fast, a group fills up sooner.
    static let wait = Duration.seconds(5)
    /// After this long without a new result, the group is complete.
    static let quiet = Duration.milliseconds(500)
    /// The most open files of a group; the next group may gather while this one is put in place.
    static let filesMax = min(640, DescriptorLimit.raise() / 8)
    /// The most bytes of a group, which are kept for a second attempt.
    static let bytesMax = 32 << 20

    private(set) var results: [JobResult] = []
    private var files = 0
    private var bytes = 0
    private var isUrgent = false
    /// When the first result has waited long enough.
    private var deadline: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?

    /// Whether the group must be taken before more is added.
    var isFull: Bool { files >= Self.filesMax || bytes >= Self.bytesMax }

    mutating func add(_ result: JobResult, at now: ContinuousClock.Instant) {
        results.append(result)
        files += result.staged?.count ?? 0
        bytes += result.staged?.bytes ?? 0
        isUrgent = isUrgent || !result.finished.job.isBulk
        deadline = deadline ?? now + Self.wait
        last = now
    }

    /// Returns all results if it is time; `isLast` means that no other job is running.
    mutating func take(at now: ContinuousClock.Instant, isLast: Bool) -> [JobResult]? {
        guard let deadline, let last else { return nil }
        let isDue = min(deadline, last + Self.quiet) <= now
        guard isLast || isUrgent || isFull || isDue else { return nil }
        defer { self = ResultGroup() }
        return results
    }
}
