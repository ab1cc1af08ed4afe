import StickerValues

/// The time of each stage, over all its frames.
struct StageTimes {
    private(set) var entries: [StepEntry] = []
    private let clock: StepClock

    init(clock: StepClock) { self.clock = clock }

    /// The current time, for `add`: milliseconds since an arbitrary moment.
    var now: Double { clock.milliseconds }

    /// Counts the time since `start` for the stage `name`; the newest detail is kept.
    mutating func add(_ name: String, since start: Double, _ detail: String? = nil) {
        add(name, milliseconds: now - start, detail)
    }

    /// Counts `milliseconds` for the stage `name`; the newest detail is kept.
    mutating func add(_ name: String, milliseconds: Double, _ detail: String? = nil) {
        if let index = entries.firstIndex(where: { $0.step == name }) {
            entries[index].milliseconds += milliseconds
            if let detail { entries[index].detail = detail }
        } else {
            entries.append(StepEntry(name, milliseconds: milliseconds, detail ?? ""))
        }
    }
}
