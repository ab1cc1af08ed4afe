import StickerStore
import StickerValues

/// Tracks many files in progress, from the moment work piles up until nothing is left to do.
struct BatchTracker {
    /// Events worth a log line.
    enum Notice: Hashable {
        case started(found: Int)
        case reached(percent: Int, LiveFigures.Batch)
        case finished(LiveFigures.Batch, Summary)
    }

    /// The figures at the end of a batch.
    struct Summary: Hashable {
        var seconds: Double
        /// Bytes of the stickers themselves.
        var bytes = 0
        /// The jobs that took longest, the slowest first.
        var slowest: [Slow] = []
    }

    struct Slow: Hashable {
        var file: String
        var milliseconds: Double
    }

    /// A batch has more files than a burst of single drops would.
    private static let jobsMin = 21
    private static let slowestMax = 5
    /// How many checks in a row must find nothing to do, as the files of one copy come in groups.
    private static let quietLooks = 3
    /// For each multiple of this number of jobs left, their expected work is queried a second less often.
    private static let jobsASecond = 1000

    /// The batch in progress.
    private(set) var current: LiveFigures.Batch?
    private var done = 0
    private var refused = 0
    /// The highest number of jobs so far, ended ones included.
    private var most = 0
    /// The numbers of jobs at the previous looks.
    private var known: [Int] = []
    /// The expected work of the jobs that have ended.
    private var workDone = 0.0
    /// The average expected work of a remaining job, and when it was queried.
    private var mean: (work: Double, at: ContinuousClock.Instant)?
    /// How many jobs had ended at the last check with a change; negative before the first.
    private var seen = -1
    private var summary = Summary(seconds: 0)
    private var begin: ContinuousClock.Instant?
    private var tenths = 0
    private var quiet = 0

    /// Counts the results of a turn of the pool.
    mutating func count(_ turn: PoolTurn) {
        var ended: Set<JobID> = []
        for booked in turn.turn.booked where booked.state.isFinal {
            if booked.state == .completed { done += 1 }
            if booked.state == .discarded { refused += 1 }
            ended.insert(booked.id)
        }
        for finished in turn.finished {
            add(finished)
            if ended.contains(finished.job.id) { workDone += ExpectedWork.of(finished.job) }
        }
    }

    private mutating func add(_ finished: FinishedJob) {
        if case .made(let product, _) = finished.outcome {
            summary.bytes += product.files.first?.bytes ?? 0
        }
        let slow = Slow(
            file: finished.job.source.display, milliseconds: finished.log.milliseconds)
        let index = summary.slowest.firstIndex { $0.milliseconds < slow.milliseconds }
        summary.slowest.insert(slow, at: index ?? summary.slowest.count)
        if summary.slowest.count > Self.slowestMax { summary.slowest.removeLast() }
    }

    /// Checks how much is left to do.
    ///
    /// - Parameters:
    ///   - waiting: how many jobs wait.
    ///   - working: how many are being worked on.
    ///   - now: the time.
    ///   - wall: the same, in milliseconds since 1970.
    ///   - workLeft: the expected work of all of them.
    /// - Returns: the events to log.
    /// - Throws: the errors of `workLeft`.
    mutating func look(
        waiting: Int, working: Int, now: ContinuousClock.Instant, wall: Int64,
        workLeft: () throws -> Double
    ) rethrows -> [Notice] {
        guard waiting + working > 0 else { return rest(now) }
        let isMany = waiting + working >= Self.jobsMin
        if current == nil, !isMany, done + refused == seen { return standStill(now) }
        (quiet, seen) = (0, done + refused)
        let begin = self.begin ?? now
        self.begin = begin
        guard current != nil || isMany else { return [] }
        var notices: [Notice] = []
        if current == nil { notices.append(.started(found: waiting + working + done + refused)) }
        var batch = current ?? LiveFigures.Batch(startedAt: Timestamp(milliseconds: wall))
        count(&batch, waiting: waiting, working: working)
        let left = waiting + working
        if mean.map({ now - $0.at > .seconds(left / Self.jobsASecond) }) ?? true {
            mean = (try workLeft() / Double(left), now)
        }
        batch.estimate(
            done: workDone, left: (mean?.work ?? 0) * Double(left), took: now - begin)
        current = batch
        return notices + progress(batch)
    }

    private mutating func progress(_ batch: LiveFigures.Batch) -> [Notice] {
        let reached = Int((batch.workDone ?? 0) * 10)
        guard reached > tenths, reached < 10 else { return [] }
        tenths = reached
        return [.reached(percent: reached * 10, batch)]
    }

    /// Excludes the time in which a few jobs wait for a complete file or another attempt and nothing happens; it is not
    /// part of a later batch.
    private mutating func standStill(_ now: ContinuousClock.Instant) -> [Notice] {
        quiet += 1
        return quiet >= Self.quietLooks ? end(now) : []
    }

    /// Nothing is left to do.
    private mutating func rest(_ now: ContinuousClock.Instant) -> [Notice] {
        quiet += 1
        guard quiet < Self.quietLooks, current != nil else { return end(now) }
        if var batch = current {
            count(&batch, waiting: 0, working: 0)
            batch.estimate(done: workDone, left: 0, took: .zero)
            current = batch
        }
        return []
    }

    /// Updates the counts of a batch. Jobs no longer left, and neither done nor refused, were cancelled. A job that
    /// ends during a look is counted twice or not at all, so only a number on which three looks in a row agree is used.
    private mutating func count(_ batch: inout LiveFigures.Batch, waiting: Int, working: Int) {
        (batch.done, batch.needAttention) = (done, refused)
        (batch.waiting, batch.working) = (waiting, working)
        let now = done + refused + waiting + working
        known = known.suffix(2) + [now]
        most = max(most, known.min() ?? 0)
        batch.cancelled = waiting + working == 0 && most > now ? most - now : nil
    }

    /// Ends the batch in progress, for example at a stop.
    mutating func end(_ now: ContinuousClock.Instant) -> [Notice] {
        defer { self = BatchTracker() }
        guard var batch = current, let begin else { return [] }
        // Jobs interrupted by a stop wait again.
        count(&batch, waiting: quiet > 0 ? 0 : batch.waiting + batch.working, working: 0)
        batch.secondsLeft = nil
        summary.seconds = (now - begin).inMilliseconds / 1000
        return [.finished(batch, summary)]
    }
}

extension LiveFigures.Batch {
    /// Estimates the remaining time from the time so far, in proportion to the work.
    fileprivate mutating func estimate(done: Double, left: Double, took: Duration) {
        workDone = done + left > 0 ? done / (done + left) : nil
        secondsLeft = done > 0 ? Int(took.inMilliseconds / 1000 * left / done) : nil
    }
}
