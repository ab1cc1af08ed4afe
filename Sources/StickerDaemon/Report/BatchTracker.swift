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

    /// The batch in progress.
    private(set) var current: LiveFigures.Batch?
    private var done = 0
    private var refused = 0
    /// How many jobs had ended at the last check that found a change; negative before the first.
    private var seen = -1
    private var summary = Summary(seconds: 0)
    private var begin: ContinuousClock.Instant?
    private var tenths = 0
    private var quiet = 0

    /// Counts what a turn of the pool recorded.
    mutating func count(_ turn: PoolTurn) {
        for booked in turn.turn.booked {
            if booked.state == .completed { done += 1 }
            if booked.state == .discarded { refused += 1 }
        }
        for finished in turn.finished { add(finished) }
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
    /// - Returns: what is worth logging.
    mutating func look(
        waiting: Int, working: Int, now: ContinuousClock.Instant, wall: Int64
    ) -> [Notice] {
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
        batch.update(
            done: done, refused: refused, waiting: waiting, working: working, took: now - begin)
        current = batch
        return notices + progress(batch)
    }

    private mutating func progress(_ batch: LiveFigures.Batch) -> [Notice] {
        let reached = batch.ended * 10 / max(1, batch.found)
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
        if let begin {
            current?.update(done: done, refused: refused, waiting: 0, working: 0, took: now - begin)
        }
        return []
    }

    /// Ends the batch in progress, for example at a stop.
    mutating func end(_ now: ContinuousClock.Instant) -> [Notice] {
        defer { self = BatchTracker() }
        guard var batch = current, let begin else { return [] }
        batch.update(
            done: done, refused: refused, waiting: quiet > 0 ? 0 : batch.waiting, working: 0,
            took: now - begin)
        summary.seconds = (now - begin).inMilliseconds / 1000
        return [.finished(batch, summary)]
    }
}

extension LiveFigures.Batch {
    fileprivate mutating func update(
        done: Int, refused: Int, waiting: Int, working: Int, took: Duration
    ) {
        (self.done, needAttention) = (done, refused)
        (self.waiting, self.working) = (waiting, working)
        let left = waiting + working
        secondsLeft = ended == 0 ? nil : Int(took.inMilliseconds / 1000) * left / ended
    }
}
