import StickerModel
import StickerRaster

/// Rounds over a set of pictures; all contenders take turns on each picture.
struct Bench {
    /// One picture and its figures, one number for each round that counted.
    struct Entry {
        let path: String
        let canvas: Canvas?
        var last: Trial?
        var fit: [Double] = []
        var plain: [Double] = []
        var webp: [Double] = []
        var steps: [String: [Double]] = [:]
        /// Rivals by name.
        var rivals: [String: RivalResult] = [:]
        var peakMegabytes: Double?
        /// The score of the best of all forms minus that of the sticker, unless that is lossless.
        var regret: Double?

        /// All encoding divided by one plain encode, the median of the rounds.
        var ratio: Double? {
            guard !plain.isEmpty, last?.animated == false else { return nil }
            return Figures(zip(fit, plain).map { $0 / $1 }).median
        }
    }

    private(set) var entries: [Entry] = []
    let rivals: [Rival]

    init(rivals: [Rival]) { self.rivals = rivals }

    /// Adds a picture; one that is refused is reported and left out.
    mutating func add(_ path: String) {
        do {
            let trial = try Trial(path: path)
            if let refusal = trial.refusal { return print("\(path): left out, \(refusal)") }
            let canvas = trial.animated ? nil : try Canvas(path: path)
            entries.append(Entry(path: path, canvas: canvas))
        } catch {
            print("\(path): left out, \(error)")
        }
    }

    /// Makes each picture once, next to one plain encode and the rivals.
    mutating func run(isCounted: Bool) throws {
        for index in entries.indices {
            let path = entries[index].path
            let plain = entries[index].canvas.map { PlainEncode.milliseconds($0.pixels) }
            let trial = try Trial(path: path)
            let runs = entries[index].canvas == nil ? [] : rivals.map { ($0.name, $0.run(path)) }
            guard isCounted else { continue }
            entries[index].note(trial, plain: plain)
            entries[index].note(runs)
        }
    }

    /// Compares every sticker that is not lossless with the best of a full search.
    mutating func measureRegret() throws {
        let bytesMax = StickerSettings().stillBytesMax * 99 / 100
        for index in entries.indices {
            guard let encoding = entries[index].last?.encoding, encoding.mode != .lossless,
                let score = encoding.score, let canvas = entries[index].canvas,
                let best = try FullSearch(canvas.pixels, bytesMax: bytesMax).score
            else { continue }
            entries[index].regret = best - score
        }
    }

    /// The peak memory of a process that makes only this sticker.
    mutating func measureMemory() {
        for index in entries.indices {
            entries[index].peakMegabytes = Child.peakMegabytes(entries[index].path)
        }
    }
}

extension Bench.Entry {
    fileprivate mutating func note(_ trial: Trial, plain milliseconds: Double?) {
        last = trial
        fit.append(trial.fit)
        webp.append(trial.webp)
        if let milliseconds { plain.append(milliseconds) }
        for step in trial.steps { steps[step.name, default: []].append(step.milliseconds) }
    }

    fileprivate mutating func note(_ runs: [(String, Rival.Run)]) {
        guard let canvas, !runs.isEmpty else { return }
        let judge = PerceptualReference(canvas.pixels)
        for (name, run) in runs { rivals[name, default: RivalResult()].add(run, judge: judge) }
    }
}
