import StickerModel

/// Which jobs run, and which may start next: a pure value without a queue.
///
/// There are `width` lanes. While long jobs occupy all of them, a spare lane is open for small files, so
/// that these never wait behind something expensive. A job that turns out to be long on the spare lane
/// gives it back, and waits for one of the other lanes as a large job.
struct Lanes {
    /// A job that runs for longer than this counts as long, whatever its file looks like.
    static let patience = Duration.seconds(2)
    /// How many jobs are claimed beyond the lanes, so that no lane waits for the disk; also how many are
    /// claimed at once unless a turn is due anyway.
    static let lookahead = 2

    /// How many jobs to claim.
    struct Demand: Equatable {
        /// Jobs about which nothing is known.
        var ordinary = 0
        /// Jobs that are known to be large.
        var large = 0
    }

    /// A job on its lane.
    private struct Running {
        var since: ContinuousClock.Instant
        var isLarge: Bool
        var isSpare: Bool
        /// Whether its file shows that it takes long.
        var isForetold = false

        func isLong(_ now: ContinuousClock.Instant, _ patience: Duration) -> Bool {
            isLarge || isForetold || now - since > patience
        }
    }

    /// How many jobs run at once.
    var width: Int
    private let patience: Duration
    private var running: [JobID: Running] = [:]

    /// Creates empty lanes; a job that runs for longer than `patience` counts as long.
    init(width: Int, patience: Duration = patience) {
        self.width = width
        self.patience = patience
    }

    /// Whether no job is running.
    var isEmpty: Bool { running.isEmpty }

    /// Whether only the spare lane may be free.
    var isFull: Bool { free <= 0 }

    /// How many jobs to claim in addition to those of `ready`.
    func demand(besides ready: [ClaimedJob], _ now: ContinuousClock.Instant) -> Demand {
        let large = ready.count { $0.isLarge }
        let spare = isSpareOpen(now) ? 1 : 0
        let ordinary = free + spare + Self.lookahead - (ready.count - large)
        // One large job is always in progress; otherwise none would get a chance before the end of a
        // backlog.
        let isLargeDue = large == 0 && !running.values.contains(where: \.isLarge)
        return Demand(
            ordinary: max(0, ordinary), large: max(isLargeDue ? 1 : 0, free - ready.count))
    }

    /// Removes the job from `ready` that starts now, if one may.
    mutating func start(
        from ready: inout [ClaimedJob], _ now: ContinuousClock.Instant
    ) -> ClaimedJob? {
        if free > 0, let spare = running.first(where: \.value.isSpare)?.key {
            running[spare]?.isSpare = false
        }
        let isSpare = free <= 0
        let next = isSpare ? ready.firstIndex { !$0.isLarge } : ready.indices.first
        guard let next, !isSpare || isSpareOpen(now) else { return nil }
        let job = ready.remove(at: next)
        running[job.id] = Running(since: now, isLarge: job.isLarge, isSpare: isSpare)
        return job
    }

    /// Notes that a job has ended.
    mutating func end(_ job: JobID) { running[job] = nil }

    /// Whether a job has held the spare lane for too long.
    func mustYield(_ job: JobID, _ now: ContinuousClock.Instant) -> Bool {
        guard let running = running[job] else { return false }
        return running.isSpare && running.isLong(now, patience)
    }

    /// Lets a job continue whose file shows that it takes long, if that leaves a lane for others, or if
    /// there is only one. It counts as a long job from then on.
    ///
    /// - Returns: whether it may continue.
    mutating func admitLong(_ job: JobID, _ now: ContinuousClock.Instant) -> Bool {
        guard running[job]?.isSpare == false else { return false }
        let long = running.count {
            $0.key != job && !$0.value.isSpare && $0.value.isLong(now, patience)
        }
        guard long < max(1, width - 1) else { return false }
        running[job]?.isForetold = true
        return true
    }

    /// Lanes that any job may take.
    private var free: Int { width - running.values.count { !$0.isSpare } }

    private func isSpareOpen(_ now: ContinuousClock.Instant) -> Bool {
        guard free <= 0 else { return false }
        return running.values.allSatisfy { !$0.isSpare && $0.isLong(now, patience) }
    }
}
