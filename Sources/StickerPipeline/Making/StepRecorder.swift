import StickerModel

/// Times the steps of one job and keeps their numbers.
struct StepRecorder {
    private(set) var log = StepLog()
    private(set) var warnings: [Warning] = []
    private let clock = ContinuousClock()

    /// Runs `body` as the step `name`; `detail` tells its numbers.
    mutating func step<Value: ~Copyable, Failure: Error>(
        _ name: String, detail: (borrowing Value) -> String,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = clock.now
        do {
            let value = try body()
            note(name, since: start, detail(value))
            return value
        } catch {
            note(name, since: start, "failed")
            throw error
        }
    }

    /// Adds a step that began at `start` and ends now.
    mutating func note(_ name: String, since start: ContinuousClock.Instant, _ detail: String) {
        log.append(StepEntry(name, milliseconds: (clock.now - start).inMilliseconds, detail))
    }

    /// Adds a warning.
    mutating func warn(_ warning: Warning) { warnings.append(warning) }

    /// Now, for `note`.
    var now: ContinuousClock.Instant { clock.now }
}
