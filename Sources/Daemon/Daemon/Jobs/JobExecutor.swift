import Foundation
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues
import StickerWatch
import StickerWorkers

/// Does one job: read, recognise, make, write. The outcome decides whether there will be another attempt.
struct JobExecutor: Sendable {
    let settings: Settings
    let store: LibraryStore
    let objects: ObjectStore
    let maker: any StickerMaking
    /// Whether the daemon drains, and so does not wait for incomplete files.
    let isDraining: Bool
    /// Finds out whether a missing file is gone, or only its drop.
    let look: @Sendable (SourceKey) -> Look
    /// The date that smart stickers show.
    var date: @Sendable () -> Date = { Date() }
    /// The weather; `nil` if it is not known.
    var weather: @Sendable () -> Weather? = { nil }
    /// Tests whether the marks of a category can be drawn, and returns the faults of those that cannot.
    var marksFaults: @Sendable (Configuration, CategoryNames) throws -> [JSONFault] = { _, _ in [] }
    /// The fonts of texts, as text that changes with them.
    var fonts: @Sendable () -> String = { "" }

    /// Runs `job` to its end on the calling thread.
    func run(_ job: ClaimedJob, on lane: WorkLane) -> JobResult {
        let attempt = JobAttempt(at: job, on: lane, tools: self)
        let outcome = Reading.job(job.id.rawValue).during { attempt.outcome() }
        let steps = attempt.steps
        return JobResult(
            finished: FinishedJob(
                job: job, outcome: outcome, log: steps.log, warnings: steps.warnings,
                isCMYK: steps.isCMYK, drawing: steps.drawing, cpuTime: steps.cpuTime),
            staged: steps.staged)
    }

    /// Puts the files of several jobs in place. If a job's files cannot be kept, they are made again later.
    func place(_ results: [JobResult]) -> [FinishedJob] {
        let start = ContinuousClock.now
        let staged = results.compactMap(\.staged)
        precondition(staged.count == results.count, "only what has files is put in place")
        let errors = objects.commit(staged)
        let took = (ContinuousClock.now - start).inMilliseconds
        let files = staged.reduce(0) { $0 + $1.count }.counted("file", "files")
        let stickers = results.count.counted("sticker", "stickers")
        return zip(results, errors).map { result, error in
            var finished = result.finished
            let detail = error.map { "\($0)" } ?? "\(files) of \(stickers)"
            finished.log.append(StepEntry("store", milliseconds: took, detail))
            if let error { finished.outcome = .released("\(error)") }
            return finished
        }
    }
}
