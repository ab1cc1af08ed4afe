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
}

extension StillContender {
    private static let bytesMax = StickerSettings().stillBytesMax

    /// stickerd's own row: CPU time of the thread that makes the WebP, verification and score included.
    static func own(_ entries: [StillBench.Entry]) -> StillContender {
        StillContender(
            name: "stickerd", within: entries.count, all: entries.count,
            scores: Figures(entries.compactMap { $0.last?.encoding?.score }),
            bytes: Figures(entries.compactMap { $0.last.map { Double($0.bytes) } }),
            costs: Figures(entries.map { Figures($0.webp).median }), means: Figures([1]),
            medians: Figures([1]), better: [])
    }

    /// The row of a rival. Times are those of files that it made in every round.
    static func rival(_ name: String, _ entries: [StillBench.Entry]) -> StillContender {
        let rows = entries.compactMap { entry in
            entry.rivals[name].map { Row(entry: entry, result: $0) }
        }
        let timed = rows.filter(\.isTimed)
        let rounds = timed.first?.entry.webp.indices ?? 0..<0
        let within = rows.filter { $0.result.isWithin(bytesMax: bytesMax) }
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
            better: within.filter(\.isBetter).map(\.entry.path.fileName))
    }

    private struct Row {
        let entry: StillBench.Entry
        let result: StillResult

        var isTimed: Bool {
            !entry.webp.isEmpty && result.milliseconds.count == entry.webp.count
        }

        var isBetter: Bool {
            (result.score ?? 0) > (entry.last?.encoding?.score ?? 0) + 0.5
        }

        func ratio(_ round: Int) -> Double { entry.webp[round] / result.milliseconds[round] }
    }
}

extension String {
    /// The last component of a path.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
