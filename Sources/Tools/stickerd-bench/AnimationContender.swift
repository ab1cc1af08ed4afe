/// The result of one contender on all animations: the figures of a row.
struct AnimationContender {
    let name: String
    private let rows: [Row]

    private struct Row {
        let frames: Int
        let own: AnimationResult
        let result: AnimationResult

        /// Milliseconds of CPU, its own and stickerd's; `nil` if there is no file.
        var costs: (theirs: Double, own: Double)? {
            guard let theirs = result.milliseconds, let own = own.milliseconds else { return nil }
            return (theirs, own)
        }
    }

    /// stickerd's own row: CPU time of the thread that makes the WebP, verification and score included.
    static func own(_ entries: [AnimationBench.Entry]) -> AnimationContender {
        AnimationContender(
            name: "stickerd",
            rows: entries.map { Row(frames: $0.frames, own: $0.own, result: $0.own) })
    }

    /// The row of a rival.
    static func rival(_ name: String, _ entries: [AnimationBench.Entry]) -> AnimationContender {
        AnimationContender(
            name: name,
            rows: entries.compactMap { entry in
                entry.rivals[name].map { Row(frames: entry.frames, own: entry.own, result: $0) }
            })
    }

    /// How many stickers a messenger accepts.
    var within: Int { rows.count { $0.result.faults.isEmpty } }
    var all: Int { rows.count }
    var scores: Figures { Figures(rows.compactMap(\.result.score)) }
    var bytes: Figures { Figures(rows.compactMap { $0.result.bytes.map(Double.init) }) }
    /// Seconds of CPU by file.
    var seconds: Figures { Figures(timed.map { $0.costs.theirs / 1000 }) }

    /// Milliseconds of CPU per frame of the source, over all files together.
    var millisecondsPerFrame: Double {
        timed.reduce(0) { $0 + $1.costs.theirs } / Double(timed.reduce(0) { $0 + $1.frames })
    }

    /// stickerd's CPU time divided by this contender's, the median of files.
    var ratioMedian: Double { Figures(timed.map { $0.costs.own / $0.costs.theirs }).median }

    /// The same for all files together.
    var ratioOfMeans: Double {
        timed.reduce(0) { $0 + $1.costs.own } / timed.reduce(0) { $0 + $1.costs.theirs }
    }

    /// Why stickers are not accepted, with the number of files.
    var faults: String {
        let counts = rows.flatMap(\.result.faults).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    private var timed: [(frames: Int, costs: (theirs: Double, own: Double))] {
        rows.compactMap { row in row.costs.map { (row.frames, $0) } }
    }
}
