import StickerModel

/// Times the steps of one job and keeps their figures.
struct StepRecorder {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    /// The clock that times the steps.
    let clock: StepClock
    private let onStep: @Sendable (StepEntry) -> Void

    init(clock: StepClock, onStep: @escaping @Sendable (StepEntry) -> Void = { _ in }) {
        self.clock = clock
        self.onStep = onStep
    }

    /// Adds a step that began at `start`, an earlier value of `now`, and ends now.
    mutating func note(
        _ name: String, since start: Double, _ detail: String, fit: FitRecord? = nil
    ) {
        note(StepEntry(name, milliseconds: now - start, detail, fit: fit))
    }

    /// Adds a finished step.
    mutating func note(_ entry: StepEntry) {
        log.append(entry)
        onStep(entry)
    }

    /// Adds a warning.
    mutating func warn(_ warning: Warning) { warnings.append(warning) }

    /// Adds a warning unless it is already there, as further targets would repeat it.
    mutating func warnOnce(_ warning: Warning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// The current time, for `note`: milliseconds since an arbitrary moment.
    var now: Double { clock.milliseconds }
}
