import StickerStore
import StickerValues

/// The running jobs, and which may start next: a pure value without a queue.
/// There are `width` lanes. While long jobs hold all of them, a small lane is open for jobs whose header shows them to
/// be small. A job that turns out long there gives the lane up, and another is opened beside it. Beyond half as many
/// extra lanes, such a job is stopped and waits as a large one. Beside long jobs that hold all lanes, a large job of a
/// user without any lane is started, within the same bound. Drawings, whose duration cannot be predicted, hold at most
/// half of the lanes once they take long. Side files have a separate lane.
struct Lanes {
    /// A job that runs for longer than this counts as long, whatever its header shows.
    static let patience = Duration.seconds(1)
    /// How many jobs are claimed beyond the lanes, so that no lane waits for the disk; also how many are
    /// claimed at once unless a turn is due anyway.
    static let lookahead = 2
    /// As many at most while jobs are quick, so that many are recorded at once.
    static let lookaheadMax = 16
    /// A quick job takes less than this.
    private static let quick = Duration.milliseconds(50)

    /// A job on its lane.
    private struct Running {
        var holder: LaneShares.Holder
        var since: ContinuousClock.Instant
        var isLarge: Bool
        var isAgain: Bool
        /// Whether its duration cannot be predicted.
        var isDrawn: Bool
        /// Whether it runs on the small lane.
        var isSmall: Bool
        /// Whether its header shows that it takes long.
        var isForetold = false

        init(_ job: ClaimedJob, _ now: ContinuousClock.Instant, isSmall: Bool) {
            (holder, since, self.isSmall) = (job.holder, now, isSmall)
            (isLarge, isAgain, isDrawn) = (job.isLarge, job.isAgain, job.isDrawn)
        }

        func isLong(_ now: ContinuousClock.Instant, _ patience: Duration) -> Bool {
            isLarge || isForetold || now - since > patience
        }
    }

    /// How many jobs run at once.
    var width: Int
    private let patience: Duration
    private var running: [JobID: Running] = [:]
    private var shares: LaneShares
    /// The side file being read, and since when.
    private var reading: (job: ClaimedJob, since: ContinuousClock.Instant)?
    /// Whether a claimed large job finds no lane.
    private var isLargeWaiting = false
    /// How many jobs in a row were quick.
    private var quickOnes = 0

    /// Creates empty lanes; a job that runs for longer than `patience` counts as long.
    init(
        width: Int, patience: Duration = patience, at now: ContinuousClock.Instant = .now
    ) {
        self.width = width
        self.patience = patience
        shares = LaneShares(at: now)
    }

    /// How many jobs are claimed beyond the lanes: as many as were quick in a row.
    var lookahead: Int { min(max(Self.lookahead, quickOnes), Self.lookaheadMax) }

    /// Whether no picture is being made.
    var isEmpty: Bool { running.isEmpty }

    /// Whether only the small lane may be free.
    var isFull: Bool { free <= 0 }

    /// How many jobs to claim in addition to those of `ready`.
    func demand(besides ready: [ClaimedJob], _ now: ContinuousClock.Instant) -> ClaimDemand {
        let words = wordsDemand(besides: ready)
        let ready = ready.filter { !$0.isWords }
        let open = max(0, free) + (isSmallLaneOpen(now) ? 1 : 0) + lookahead
        let small = ready.filter { !$0.isLarge }
        let large = ready.count - small.count
        // One large job is always in progress; otherwise none would run before the end of a backlog.
        let isLargeDue = large == 0 && !running.values.contains { $0.isLarge && !$0.isAgain }
        let room = max(isLargeDue ? 1 : 0, free - ready.count)
        let drawn = ready.count { $0.isDrawn } + heldByDrawings(now)
        // Drawings drawn for the first time must not starve those that take long.
        let isDrawnDue =
            !ready.contains(where: \.isDrawn)
            && !running.values.contains { $0.isDrawn && $0.isLarge }
        var demand = ClaimDemand(
            words: words,
            // A fresh file is claimed although others are ready: it goes first.
            fresh: max(0, open - small.count { !$0.isBulk }), ordinary: max(0, open - small.count),
            large: room, drawn: min(room, max(isDrawnDue ? 1 : 0, half - drawn)),
            again: free > 0 && ready.isEmpty && !running.values.contains(where: \.isAgain))
        if isOpenToGuests(now), !ready.contains(where: isGuest) { demand.guestOf = holders }
        return demand
    }

    /// How many side files to claim: one is read, and one is ready.
    func wordsDemand(besides ready: [ClaimedJob]) -> Int {
        max(0, (reading == nil ? 2 : 1) - ready.count(where: \.isWords))
    }

    /// Inserts claimed jobs among the ready ones: large ones, which are claimed one by one, first, and fresh ones
    /// before the bulk.
    static func merge(_ claimed: [ClaimedJob], into ready: inout [ClaimedJob]) {
        func rank(_ job: ClaimedJob) -> Int { job.isLarge ? 0 : job.isBulk ? 2 : 1 }
        let all = ready + claimed
        ready = (0...2).flatMap { wanted in all.filter { rank($0) == wanted } }
    }

    /// Removes from `ready` and starts the next job, if one may start.
    mutating func start(
        from ready: inout [ClaimedJob], _ now: ContinuousClock.Instant
    ) -> ClaimedJob? {
        if reading == nil, let words = ready.firstIndex(where: \.isWords) {
            let job = ready.remove(at: words)
            reading = (job, now)
            return job
        }
        if free > 0, let small = running.first(where: \.value.isSmall)?.key {
            running[small]?.isSmall = false
        }
        let isSmall = free <= 0
        isLargeWaiting = isSmall && ready.contains(where: \.isLarge)
        if isSmall, isOpenToGuests(now), let guest = ready.firstIndex(where: isGuest) {
            return start(ready.remove(at: guest), now, isSmall: false)
        }
        let next = ready.firstIndex { !$0.isWords && !(isSmall && $0.isLarge) }
        guard let next, !isSmall || isSmallLaneOpen(now) else { return nil }
        return start(ready.remove(at: next), now, isSmall: isSmall)
    }

    private mutating func start(
        _ job: ClaimedJob, _ now: ContinuousClock.Instant, isSmall: Bool
    ) -> ClaimedJob {
        running[job.id] = Running(job, now, isSmall: isSmall)
        return job
    }

    /// Notes that a job has ended, and whether at a limit; `nil` if unknown.
    mutating func end(_ job: JobID, _ now: ContinuousClock.Instant, isStrike: Bool? = nil) {
        if let read = reading, read.job.id == job {
            shares.pass(until: now)
            shares.add(words: now - read.since, to: read.job.holder)
            reading = nil
        }
        guard let ended = running.removeValue(forKey: job) else { return }
        quickOnes = now - ended.since < Self.quick ? quickOnes + 1 : 0
        shares.pass(until: now)
        // A file that is refused at once held up no other.
        let isCheap = now - ended.since < patience
        note(ended, now, in: &shares, isStrike: isStrike == true && isCheap ? nil : isStrike)
    }

    /// The lane time of every owner until now.
    func shares(_ now: ContinuousClock.Instant) -> LaneShares {
        var shares = shares
        shares.pass(until: now)
        for job in running.values { note(job, now, in: &shares) }
        if let reading { shares.add(words: now - reading.since, to: reading.job.holder) }
        return shares
    }

    /// Notes a job that turns out long; it counts as large from then on.
    private func note(
        _ job: Running, _ now: ContinuousClock.Instant, in shares: inout LaneShares,
        isStrike: Bool? = nil
    ) {
        let time = now - job.since
        let ordinary = job.isLarge ? .zero : min(time, patience)
        shares.add(ordinary, large: time - ordinary, to: job.holder, isStrike: isStrike)
    }

    /// Whether a job must be stopped because others need its lane. One that turns out long on the small lane gives that
    /// up if it can. Only CPU time `used` counts: on a busy machine every job takes long.
    mutating func mustYield(
        _ job: JobID, _ now: ContinuousClock.Instant, _ used: Duration
    ) -> Bool {
        guard let held = running[job] else { return false }
        if held.isAgain { return free <= 0 && isLargeWaiting }
        guard held.isLong(now, patience) else { return false }
        if held.isDrawn, !held.isLarge {
            return used > patience && heldByDrawings(now) > half && isLatestDrawing(held, now)
        }
        guard held.isSmall else { return false }
        if free > -half {
            running[job]?.isSmall = false
            return false
        }
        return used > patience
    }

    /// Lets a job with a predictable cost continue. A small one may run anywhere, a long one only if that leaves a lane
    /// for others, or if there is only one.
    ///
    /// - Returns: whether it may continue.
    mutating func admits(
        _ job: JobID, _ cost: ForetoldCost, _ now: ContinuousClock.Instant
    ) -> Bool {
        guard let held = running[job] else { return false }
        if cost == .unknown { running[job]?.isDrawn = true }
        guard !held.isLarge, cost != .small else { return true }
        guard !held.isSmall else { return false }
        switch cost {
        case .small, .ordinary: return true
        case .unknown: return heldByDrawings(now) < half
        case .long:
            let long = running.count {
                $0.key != job && !$0.value.isSmall && $0.value.isLong(now, patience)
            }
            guard long < max(1, width - 1) else { return false }
            running[job]?.isForetold = true
            return true
        }
    }

    /// Lanes that any job may take; negative while there are more jobs than lanes.
    private var free: Int { width - running.values.count { !$0.isSmall } }

    /// Half of the lanes.
    private var half: Int { max(1, width / 2) }

    /// How many lanes are held by drawings that take long.
    private func heldByDrawings(_ now: ContinuousClock.Instant) -> Int {
        running.values.count { $0.isDrawn && $0.isLong(now, patience) }
    }

    /// Whether it is the latest of the drawings that take long and are no large jobs.
    private func isLatestDrawing(_ job: Running, _ now: ContinuousClock.Instant) -> Bool {
        !running.values.contains {
            $0.isDrawn && !$0.isLarge && $0.isLong(now, patience) && $0.since > job.since
        }
    }

    /// The owners of the jobs on the lanes, except the small one.
    private var holders: Set<LaneShares.Holder> {
        Set(running.values.lazy.filter { !$0.isSmall }.map(\.holder))
    }

    /// Whether long jobs hold all lanes, and one more may run.
    private func isOpenToGuests(_ now: ContinuousClock.Instant) -> Bool {
        (1 - half...0).contains(free)
            && running.values.allSatisfy { $0.isSmall || $0.isLong(now, patience) }
    }

    /// Whether it is a large job, no drawing, of an owner who holds no lane.
    private func isGuest(_ job: ClaimedJob) -> Bool {
        job.isLarge && !job.isDrawn && !job.isAgain && job.holder.isApart(from: holders)
    }

    private func isSmallLaneOpen(_ now: ContinuousClock.Instant) -> Bool {
        guard free <= 0 else { return false }
        return running.values.allSatisfy { !$0.isSmall && $0.isLong(now, patience) }
    }
}
