import StickerCodecs
import StickerValues

/// Times the steps of one job and keeps their figures.
final class StepRecorder {
    /// The format according to the bytes, once known.
    var format: ImageFormat?
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
    func note(
        _ name: String, since start: StepTime, _ detail: String, fit: FitRecord? = nil
    ) {
        note(StepEntry(name, now - start, detail, fit: fit))
    }

    /// Runs the body of the step `name`, which began at `start`; a failure is its end.
    func attempt<Value>(
        _ name: String, since start: StepTime, _ body: () throws -> Value
    ) throws(Refusal) -> Value {
        do {
            return try body()
        } catch {
            let detail = (error as? CodecError)?.detail ?? (error as? Refusal)?.detail
            note(name, since: start, detail ?? "")
            return try Refusal.catching { () throws -> Value in throw error }
        }
    }

    /// Adds a finished step.
    func note(_ entry: StepEntry) {
        log.append(entry)
        onStep(entry)
    }

    /// Adds a warning.
    func warn(_ warning: Warning) { warnings.append(warning) }

    /// Adds a warning unless it is already there, as further targets would repeat it.
    func warnOnce(_ warning: Warning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// The current time, for `note`.
    var now: StepTime { clock.now }
}
