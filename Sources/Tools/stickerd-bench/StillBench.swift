import StickerRaster
import StickerValues

/// Rounds over a set of stills; all contenders take turns on each picture.
struct StillBench {
    /// One picture and its figures, one number for each counted round.
    struct Entry {
        let path: String
        let canvas: Canvas
        var last: Trial?
        var fit: [Double] = []
        var plain: [Double] = []
        var webp: [Double] = []
        var steps: [String: [Double]] = [:]
        /// All encoding for the other goal.
        var otherFit: [Double] = []
        /// Rivals by name.
        var rivals: [String: StillResult] = [:]
        var peakMegabytes: Double?
        /// The score of the best of all forms minus that of the sticker, unless that is lossless.
        var regret: Double?

        /// All encoding divided by one plain encode, the median of the rounds.
        var ratio: Double { Figures(zip(fit, plain).map { $0 / $1 }).median }

        /// The same for the other goal.
        var otherRatio: Double { Figures(zip(otherFit, plain).map { $0 / $1 }).median }
    }

    /// The time limit of a rival for one picture.
    private static let millisecondsMax = 120_000

    private(set) var entries: [Entry] = []
    private let contenders: [Contender]
    private let goal: EncodingGoal
    private let also: EncodingGoal?

    /// The name of stickerd with the other goal.
    var other: String? { also.map { "stickerd, \($0.rawValue)" } }

    /// The contenders, in the order of their turns.
    var names: [String] { [other].compactMap(\.self) + contenders.map(\.name) }

    init(rivals: [Rival], goal: EncodingGoal, also: EncodingGoal?) {
        (self.goal, self.also) = (goal, also)
        contenders = rivals.map { Contender($0, millisecondsMax: Self.millisecondsMax) }
    }

    /// Adds a still that is not refused.
    mutating func add(_ path: String) throws {
        guard let canvas = try Canvas(path: path) else { return }
        entries.append(Entry(path: path, canvas: canvas))
    }

    /// Makes each picture once, next to one plain encode and the rivals.
    mutating func run(isCounted: Bool) throws {
        for index in entries.indices {
            let path = entries[index].path
            let plain = PlainEncode.milliseconds(entries[index].canvas.pixels)
            let trial = try Trial(path: path, goal: goal)
            let second = try also.map { try Trial(path: path, goal: $0) }
            var runs = contenders.map { ($0.name, $0.run(path)) }
            guard isCounted else { continue }
            entries[index].note(trial, plain: plain)
            if let second, let other {
                entries[index].otherFit.append(second.fit)
                runs.append((other, Rival.Run(milliseconds: second.webp, file: second.file)))
            }
            entries[index].note(runs)
        }
    }

    /// Compares every sticker that is not lossless with the best of a full search.
    mutating func measureRegret() throws {
        let bytesMax = StickerSettings().stillBytesMax * 99 / 100
        for index in entries.indices {
            guard let encoding = entries[index].last?.encoding, encoding.mode != .lossless,
                let score = encoding.score,
                let best = try FullSearch(entries[index].canvas.pixels, bytesMax: bytesMax).score
            else { continue }
            // The search may find a better file than any form of the full one.
            entries[index].regret = max(0, best - score)
        }
    }

    /// Measures the peak memory of a process that makes only this sticker.
    mutating func measureMemory() {
        for index in entries.indices {
            entries[index].peakMegabytes = Memory.peakMegabytes(entries[index].path)
        }
    }
}

extension StillBench.Entry {
    fileprivate mutating func note(_ trial: Trial, plain milliseconds: Double) {
        last = trial
        fit.append(trial.fit)
        webp.append(trial.webp)
        plain.append(milliseconds)
        for step in trial.steps { steps[step.name, default: []].append(step.milliseconds) }
    }

    fileprivate mutating func note(_ runs: [(String, Rival.Run)]) {
        guard !runs.isEmpty else { return }
        let judge = PerceptualReference(canvas.pixels)
        for (name, run) in runs { rivals[name, default: StillResult()].add(run, judge: judge) }
    }
}
