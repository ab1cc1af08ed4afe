import StickerValues

/// The time of each stage, over all its frames.
struct StageTimes {
    private var stages: [(name: String, time: StepTime, detail: String)] = []
    private let clock: StepClock

    init(clock: StepClock) { self.clock = clock }

    /// The stages, in the order in which they began.
    var entries: [StepEntry] { stages.map { StepEntry($0.name, $0.time, $0.detail) } }

    /// The current time, for `add`.
    var now: StepTime { clock.now }

    /// Counts the time since `start` for the stage `name`; the newest detail is kept.
    mutating func add(_ name: String, since start: StepTime, _ detail: String? = nil) {
        add(name, now - start, detail)
    }

    /// Counts `time` for the stage `name`; the newest detail is kept.
    mutating func add(_ name: String, _ time: StepTime, _ detail: String? = nil) {
        if let index = stages.firstIndex(where: { $0.name == name }) {
            stages[index].time += time
            if let detail { stages[index].detail = detail }
        } else {
            stages.append((name, time, detail ?? ""))
        }
    }
}

extension StepEntry {
    /// A step that took `time`.
    init(_ step: String, _ time: StepTime, _ detail: String, fit: FitRecord? = nil) {
        self.init(
            step, milliseconds: time.wall, cpuMilliseconds: time.cpu, detail, fit: fit)
    }
}
