import StickerModel

/// Times the steps of one job and keeps their numbers.
struct StepRecorder {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    /// What the steps are timed by.
    let clock: StepClock
    private let onStep: @Sendable (StepEntry) -> Void

    init(clock: StepClock, onStep: @escaping @Sendable (StepEntry) -> Void = { _ in }) {
        self.clock = clock
        self.onStep = onStep
    }

    /// Adds a step that began at `start`, taken from `now`, and ends now.
    mutating func note(
        _ name: String, since start: Double, _ detail: String, fit: FitRecord? = nil
    ) {
        note(StepEntry(name, milliseconds: now - start, detail, fit: fit))
    }

    /// Adds a step that is done.
    mutating func note(_ entry: StepEntry) {
        log.append(entry)
        onStep(entry)
    }

    /// Adds a warning.
    mutating func warn(_ warning: Warning) { warnings.append(warning) }

    /// Adds a warning that further targets would repeat.
    mutating func warnOnce(_ warning: Warning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Now, for `note`: milliseconds since whenever.
    var now: Double { clock.milliseconds }
}
