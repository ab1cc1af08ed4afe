import StickerModel

/// Times the steps of one job and keeps their numbers.
struct StepRecorder {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    private let clock: StepClock

    init(clock: StepClock) { self.clock = clock }

    /// Adds a step that began at `start`, taken from `now`, and ends now.
    mutating func note(_ name: String, since start: Double, _ detail: String) {
        log.append(StepEntry(name, milliseconds: now - start, detail))
    }

    /// Adds a warning.
    mutating func warn(_ warning: Warning) { warnings.append(warning) }

    /// Now, for `note`: milliseconds since whenever.
    var now: Double { clock.milliseconds }
}
