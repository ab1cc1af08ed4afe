import StickerModel
import StickerStore

/// Tracks many files in progress, from the moment that work piles up until nothing is left to do.
struct BatchTracker {
    /// What is worth a line in the log.
    enum Notice: Hashable {
        case started(found: Int)
        case reached(percent: Int, LiveFigures.Batch)
        case finished(LiveFigures.Batch, Summary)
    }

    /// What is known at the end.
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

    /// A batch has more files than a burst of single drops could have.
    private static let jobsMin = 21
    private static let slowestMax = 5
    /// How many checks in a row must find nothing to do, as files of one copy come in groups.
    private static let quietLooks = 3
    /// For every so many jobs that are left, their expected work is asked for a second less often.
    private static let jobsASecond = 1000

    /// The batch in progress.
    private(set) var current: LiveFigures.Batch?
    private var done = 0
    private var refused = 0
    /// How many jobs there were when there were most of them, those that had ended included.
    private var most = 0
    /// How many there were at the looks before this one.
    private var known: [Int] = []
    /// The expected work of the jobs that have ended.
    private var workDone = 0.0
    /// The expected work of a job that is left, on average, and when it was asked for.
    private var mean: (work: Double, at: ContinuousClock.Instant)?
    /// How many jobs had ended at the last check that found a change; negative before the first.
    private var seen = -1
    private var summary = Summary(seconds: 0)
    private var begin: ContinuousClock.Instant?
    private var tenths = 0
    private var quiet = 0

    /// Counts what a turn of the pool recorded.
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
    ///   - now: when this is.
    ///   - wall: the same, in milliseconds since 1970.
    ///   - workLeft: the expected work of all of them.
    /// - Returns: what is worth logging.
    /// - Throws: what `workLeft` throws.
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

    /// A few jobs wait, for their files to be complete or for another attempt, and nothing happens: that
    /// time is not part of a batch that comes later.
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

    /// Jobs that are no longer left, and neither done nor refused, were cancelled. A job that ends during a look is counted
    /// twice or not at all, so a number of jobs counts that three looks in a row agree on.
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
        // What was being worked on at a stop waits again.
        count(&batch, waiting: quiet > 0 ? 0 : batch.waiting + batch.working, working: 0)
        batch.secondsLeft = nil
        summary.seconds = (now - begin).inMilliseconds / 1000
        return [.finished(batch, summary)]
    }
}

extension LiveFigures.Batch {
    /// The rest takes as long as what was done, in proportion to its work.
    fileprivate mutating func estimate(done: Double, left: Double, took: Duration) {
        workDone = done + left > 0 ? done / (done + left) : nil
        secondsLeft = done > 0 ? Int(took.inMilliseconds / 1000 * left / done) : nil
    }
}
