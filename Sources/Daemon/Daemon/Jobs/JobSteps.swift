import StickerStore
import StickerValues

/// The log of one attempt in progress. All its stages add to it, on one thread.
final class JobSteps {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    /// The files written by the attempt.
    var staged: StagedObjects?
    /// Whether the picture is in CMYK; `nil` if it was not read.
    var isCMYK: Bool?
    /// The values that filled a template; `nil` for other files.
    var drawing: TemplateDrawing?
    /// The CPU time of workers.
    private(set) var cpuTime = Duration.zero
    private let fileExtension: String
    private let clock = ContinuousClock()

    init(job: ClaimedJob) { fileExtension = FileName.fileExtension(job.source.name) }

    /// The current time, for `note`.
    var now: ContinuousClock.Instant { clock.now }

    /// Adds a step that began at `start` and ends now.
    func note(_ step: String, since start: ContinuousClock.Instant, _ detail: String) {
        log.append(StepEntry(step, milliseconds: (clock.now - start).inMilliseconds, detail))
    }

    /// Adds a warning that does not stop the job.
    func warn(_ code: String, _ detail: String) {
        warnings.append(Warning(code, detail))
    }

    /// Adds the faults of a side file; only the first carries the time spent.
    func note(_ error: SideFileError, since start: ContinuousClock.Instant) {
        var faults = error.faults.map(\.description)
        let more = error.count - faults.count
        if more > 0 { faults.append("and \(more.counted("more fault", "more faults"))") }
        let milliseconds = (clock.now - start).inMilliseconds
        for (index, fault) in faults.enumerated() {
            log.append(
                StepEntry("words", milliseconds: index == 0 ? milliseconds : 0, fault))
        }
    }

    /// Adds the steps of the pipeline, and warns if the name contradicts the bytes.
    func add(_ report: MakeReport) {
        log.append(contentsOf: report.log)
        warnings += report.warnings
        cpuTime += report.cpuTime
        guard let format = report.format, !format.fileExtensions.contains(fileExtension)
        else { return }
        warnings.append(
            Warning(
                "name-mismatch",
                "the name says \(fileExtension), the bytes are \(format.rawValue.uppercased())"))
    }
}
