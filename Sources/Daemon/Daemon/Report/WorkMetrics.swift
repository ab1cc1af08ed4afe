import CoreMetrics
import StickerMetrics
import StickerStore
import StickerValues
import Synchronization

/// Counts work as it is done. Called from any queue.
final class WorkMetrics: Sendable {
    private let factory: any MetricsFactory
    /// When the running jobs were claimed: at most a few more than there are lanes.
    private let claims = Mutex<[JobID: ContinuousClock.Instant]>([:])

    /// Creates all counters at the start, so that their first event counts.
    init(in factory: any MetricsFactory) {
        self.factory = factory
        for outcome in JobOutcome.Word.allCases { _ = attempts(outcome) }
        for state in JobState.allCases where state.isFinal { _ = ended(state) }
        for reason in Refusal.Reason.allCases { _ = refusals(reason.rawValue) }
        for reason in [Refusal.Reason.decoderCrashed, .outOfMemory, .tooComplex] {
            _ = deaths(reason)
        }
        for isBulk in [false, true] { _ = latency(isBulk: isBulk) }
        for kind in Kind.allCases { count(files: 0, bytes: 0, kind) }
    }

    /// The kinds of file written to `out`.
    private enum Kind: String, CaseIterable {
        case pictures, manifests
    }

    /// Counts the attempts of a turn.
    func note(_ turn: PoolTurn) {
        let now = ContinuousClock.now
        let booked = Dictionary(uniqueKeysWithValues: turn.turn.booked.map { ($0.id, $0) })
        for finished in turn.finished {
            let claim = claims.withLock { $0.removeValue(forKey: finished.job.id) }
            count(finished)
            guard let booked = booked[finished.job.id] else { continue }
            count(booked)
            guard booked.state == .completed, let claim else { continue }
            observe(finished, worked: now - claim)
        }
        claims.withLock { claims in
            for job in turn.turn.claimed { claims[job.id] = now }
        }
    }

    /// Counts files that were put in place together.
    func note(placed results: [JobResult], _ finished: [FinishedJob]) {
        let inPlace = zip(results, finished).filter { $1.outcome.word == .made }
        count(
            files: inPlace.reduce(0) { $0 + ($1.0.staged?.count ?? 0) },
            bytes: inPlace.reduce(0) { $0 + ($1.0.staged?.bytes ?? 0) }, .pictures)
    }

    /// Counts a published manifest.
    func note(_ manifest: PublishedManifest, took: Duration) {
        count(files: manifest.pages, bytes: manifest.bytes, .manifests)
        DaemonFamilies.manifestTimes.timer(in: factory).recordMilliseconds(took.inMilliseconds)
    }

    private func count(_ finished: FinishedJob) {
        attempts(finished.outcome.word).increment()
        if case .workerFailed(let refusal, _) = finished.outcome {
            deaths(refusal.reason).increment()
        }
        for step in finished.log.entries {
            DaemonFamilies.steps.timer(step.name, in: factory)
                .recordMilliseconds(step.milliseconds)
        }
        let encodes = finished.log.entries.reduce(0) { $0 + ($1.fit?.attempts.count ?? 0) }
        if encodes > 0 { DaemonFamilies.encodes.histogram(in: factory).record(encodes) }
    }

    private func count(_ booked: Turn.Booked) {
        guard booked.state.isFinal else { return }
        ended(booked.state).increment()
        guard booked.state == .discarded else { return }
        refusals(booked.reason ?? "unknown").increment()
    }

    /// Measures files that became stickers at the first attempt; remade ones were noticed long ago.
    private func observe(_ finished: FinishedJob, worked: Duration) {
        guard case .made = finished.outcome, finished.job.attempt == 1,
            finished.job.renewal == .none
        else { return }
        latency(isBulk: finished.job.isBulk)
            .recordMilliseconds(Double(finished.job.ageMilliseconds) + worked.inMilliseconds)
    }

    private func count(files: Int, bytes: Int, _ kind: Kind) {
        DaemonFamilies.filesWritten.counter(kind.rawValue, in: factory).increment(by: files)
        DaemonFamilies.bytesWritten.counter(kind.rawValue, in: factory).increment(by: bytes)
    }

    private func latency(isBulk: Bool) -> Timer {
        DaemonFamilies.latency.timer(isBulk ? "bulk" : "fresh", in: factory)
    }

    private func attempts(_ outcome: JobOutcome.Word) -> Counter {
        DaemonFamilies.attempts.counter(outcome.rawValue, in: factory)
    }

    private func ended(_ state: JobState) -> Counter {
        DaemonFamilies.jobsEnded.counter(state.rawValue, in: factory)
    }

    private func refusals(_ reason: String) -> Counter {
        DaemonFamilies.refusals.counter(reason, in: factory)
    }

    private func deaths(_ reason: Refusal.Reason) -> Counter {
        DaemonFamilies.workerDeaths.counter(reason.rawValue, in: factory)
    }
}

extension JobOutcome {
    /// How an attempt ended, in one word.
    fileprivate enum Word: String, CaseIterable {
        case made, unchanged, said, arriving, changed, refused, failed, unread
        case workerFailed = "worker-failed"
        case yielded, released, cancelled
    }

    fileprivate var word: Word {
        switch self {
        case .made: .made
        case .unchanged: .unchanged
        case .said(_, let faults, _): faults == nil ? .said : .refused
        case .arriving: .arriving
        case .changed: .changed
        case .refused: .refused
        case .failed: .failed
        case .unread: .unread
        case .workerFailed: .workerFailed
        case .yielded: .yielded
        case .released: .released
        case .withdrawn, .cancelled: .cancelled
        }
    }
}

extension StepEntry {
    /// The name, unless it does not look like a step: it comes from a worker, which is not trusted.
    fileprivate var name: String {
        let isName =
            (1...24).contains(step.utf8.count)
            && step.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
        return isName ? step : "other"
    }
}
