import StickerModel
import StickerStore

/// The log of one attempt in progress.
struct JobSteps {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    /// The files that the attempt has written.
    var staged: StagedObjects?
    /// Whether the picture is in CMYK; `nil` if it was not read.
    var isCMYK: Bool?
    /// What a template was filled with; `nil` of other files.
    var drawing: TemplateDrawing?
    /// The CPU time of workers.
    private(set) var cpuTime = Duration.zero
    private let fileExtension: String
    private let clock = ContinuousClock()

    init(job: ClaimedJob) { fileExtension = FileName.fileExtension(job.source.name) }

    /// The current time, for `note`.
    var now: ContinuousClock.Instant { clock.now }

    /// Adds a step that began at `start` and ends now.
    mutating func note(_ step: String, since start: ContinuousClock.Instant, _ detail: String) {
        log.append(StepEntry(step, milliseconds: (clock.now - start).inMilliseconds, detail))
    }

    /// Adds something odd that does not stop the job.
    mutating func warn(_ code: String, _ detail: String) {
        warnings.append(Warning(code, detail))
    }

    /// Adds the faults of a side file; only the first has the time that it took to find all of them.
    mutating func note(_ error: SideFileError, since start: ContinuousClock.Instant) {
        var faults = error.faults.map(\.description)
        let more = error.count - faults.count
        if more > 0 { faults.append("and \(more.counted("more fault", "more faults"))") }
        let milliseconds = (clock.now - start).inMilliseconds
        for (index, fault) in faults.enumerated() {
            log.append(
                StepEntry("words", milliseconds: index == 0 ? milliseconds : 0, fault))
        }
    }

    /// Takes over what the pipeline did, and warns if the name contradicts the bytes.
    mutating func add(_ report: MakeReport) {
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
