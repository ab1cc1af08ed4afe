import StickerModel

/// How one contender did on all stills: the figures of a row, and of a dot in the plot.
struct ContenderRow {
    let name: String
    /// Stickers that a messenger accepts, out of all.
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
    /// Files on which stickerd's score is lower by more than half a point, while this contender's sticker
    /// is one that a messenger accepts.
    let better: [String]
}

extension ContenderRow {
    private static let bytesMax = StickerSettings().stillBytesMax

    /// stickerd's own row: CPU time of the thread that makes the WebP, verification and score included.
    static func own(_ entries: [Bench.Entry]) -> ContenderRow {
        ContenderRow(
            name: "stickerd", within: entries.count, all: entries.count,
            scores: Figures(entries.compactMap { $0.last?.encoding?.score }),
            bytes: Figures(entries.compactMap { $0.last.map { Double($0.bytes) } }),
            costs: Figures(entries.map { Figures($0.webp).median }), means: Figures([1]),
            medians: Figures([1]), better: [])
    }

    /// The row of a rival, with or without its start; `nil` if it has no such figures.
    static func rival(_ name: String, _ entries: [Bench.Entry], withStart: Bool) -> ContenderRow? {
        let rows = entries.compactMap { entry in
            entry.rivals[name].map { result in
                Row(
                    entry: entry, result: result,
                    costs: withStart ? result.milliseconds : result.withoutStart)
            }
        }.filter { !$0.costs.isEmpty }
        guard !rows.isEmpty else { return nil }
        let within = rows.filter { $0.result.isWithin(bytesMax: bytesMax) }
        let rounds = 0..<(rows.map(\.costs.count).min() ?? 0)
        return ContenderRow(
            name: withStart ? name : "\(name), start not counted", within: within.count,
            all: rows.count, scores: Figures(rows.compactMap(\.result.score)),
            bytes: Figures(rows.compactMap { $0.result.bytes.map(Double.init) }),
            costs: Figures(rows.map { Figures($0.costs).median }),
            means: Figures(
                rounds.map { round in
                    rows.reduce(0) { $0 + $1.entry.webp[round] }
                        / rows.reduce(0) { $0 + $1.costs[round] }
                }),
            medians: Figures(
                rounds.map { round in
                    Figures(rows.map { $0.entry.webp[round] / $0.costs[round] }).median
                }), better: within.filter(\.isBetter).map(\.entry.name))
    }

    private struct Row {
        let entry: Bench.Entry
        let result: RivalResult
        let costs: [Double]

        var isBetter: Bool {
            (result.score ?? 0) > (entry.last?.encoding?.score ?? 0) + 0.5
        }
    }
}

extension Bench.Entry {
    /// The file's name.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
