import StickerValues

/// The result of one contender on all stills: the figures of a row, and of a dot in the plot.
struct StillContender {
    let name: String
    /// How many stickers a messenger accepts.
    let within: Int
    let all: Int
    let scores: Figures
    let bytes: Figures
    /// Milliseconds of CPU by file, the median of the rounds.
    let costs: Figures
    /// stickerd's CPU time divided by this contender's, for all files together and as the median of
    /// files; one figure for each round.
    let means: Figures
    let medians: Figures
    /// Files on which stickerd's score is lower by more than half a point, and a messenger accepts this contender's
    /// sticker.
    let better: [String]
    /// Files on which stickerd takes less CPU time, and no sticker of this contender that is taken scores more.
    let won: Int
    /// stickerd's CPU time divided by this contender's on files where the score is as good as stickerd's, within half
    /// a point.
    let atEqualScore: Figures
}

extension StillContender {
    private static let bytesMax = StickerSettings().stillBytesMax
    /// Scores that differ by less are called equal.
    private static let equalPoints = 0.5

    /// stickerd's own row: CPU time of the thread that makes the WebP, verification and score included.
    static func own(_ entries: [StillBench.Entry]) -> StillContender {
        StillContender(
            name: "stickerd", within: entries.count, all: entries.count,
            scores: Figures(entries.compactMap { $0.last?.encoding?.score }),
            bytes: Figures(entries.compactMap { $0.last.map { Double($0.bytes) } }),
            costs: Figures(entries.map { Figures($0.webp).median }), means: Figures([1]),
            medians: Figures([1]), better: [], won: 0, atEqualScore: Figures([]))
    }

    /// The row of a rival. Times are those of files that it made in every round.
    static func rival(_ name: String, _ entries: [StillBench.Entry]) -> StillContender {
        let rows = entries.compactMap { entry in
            entry.rivals[name].map { Row(entry: entry, result: $0) }
        }
        let timed = rows.filter(\.isTimed)
        let rounds = timed.first?.entry.webp.indices ?? 0..<0
        let within = rows.filter(\.isTaken)
        return StillContender(
            name: name, within: within.count, all: rows.count,
            scores: Figures(rows.compactMap(\.result.score)),
            bytes: Figures(rows.compactMap { $0.result.bytes.map(Double.init) }),
            costs: Figures(timed.map { Figures($0.result.milliseconds).median }),
            means: Figures(
                rounds.map { round in
                    timed.reduce(0) { $0 + $1.entry.webp[round] }
                        / timed.reduce(0) { $0 + $1.result.milliseconds[round] }
                }),
            medians: Figures(rounds.map { round in Figures(timed.map { $0.ratio(round) }).median }),
            better: within.filter(\.isBetter).map(\.entry.path.fileName),
            won: rows.count { $0.isCheaper && !($0.isTaken && $0.ahead > 0) },
            atEqualScore: Figures(
                within.filter { $0.isTimed && $0.ahead >= -equalPoints }.map(\.ratio)))
    }

    private struct Row {
        let entry: StillBench.Entry
        let result: StillResult

        var isTimed: Bool {
            !entry.webp.isEmpty && result.milliseconds.count == entry.webp.count
        }

        var isTaken: Bool { result.isWithin(bytesMax: StillContender.bytesMax) }

        /// By how much the rival's score is higher.
        var ahead: Double { (result.score ?? 0) - (entry.last?.encoding?.score ?? 0) }

        var isBetter: Bool { ahead > StillContender.equalPoints }

        /// The median of the rounds.
        var ratio: Double { Figures(entry.webp.indices.map(ratio)).median }

        /// Whether stickerd takes less; a rival that makes no file in some round took all of it for nothing.
        var isCheaper: Bool { !isTimed || ratio < 1 }

        func ratio(_ round: Int) -> Double { entry.webp[round] / result.milliseconds[round] }
    }
}

extension String {
    /// The last component of a path.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
