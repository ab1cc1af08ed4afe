import StickerValues

/// The part of the report about stills: figures, steps and contenders.
struct StillReport {
    /// The reference contender: the usual choice for many pictures.
    private static let yardstick = "Pillow, warm loop"

    let bench: StillBench
    let pace: Pace?

    private var stills: [StillBench.Entry] { bench.entries }

    /// stickerd's own row comes first.
    var contenders: [StillContender] {
        [.own(stills)] + bench.names.map { StillContender.rival($0, stills) }
    }

    /// For a terminal; with a line for each still.
    var text: [String] {
        guard !stills.isEmpty else { return [] }
        let tables = [files, figures, steps, contenderTable]
        return tables.flatMap { $0.text + [""] }
    }

    var markdown: [String] {
        guard !stills.isEmpty else { return [] }
        return [
            "## Cost", "",
            "One plain encode is libwebp's `WebPEncodeRGBA`, method 4, quality 100, of the same "
                + "canvas in the same round; all times are CPU times. A warm loop is one process "
                + "that makes all pictures; its CPU time is that of the picture alone. Regret: the "
                + "score of the best of lossless, near-lossless of ten kinds and libwebp's four, palettes "
                + "and lossy at the highest quality that fits, all encoded in full, minus the score of the "
                + "sticker.", "",
        ] + figures.markdown + [""] + steps.markdown + contenderSection
    }

    private var contenderSection: [String] {
        guard contenders.count > 1 else { return [] }
        return [
            "", "## Contenders", "", "![Score against CPU time](benchmarks.svg)", "",
            "Stills only. *Taken*: 512x512 and at most "
                + "\(StickerSettings().stillBytesMax / 1000) KB. Score: that of the manifest, "
                + "against stickerd's own canvas. CPU: stickerd's is that of the thread that makes "
                + "the WebP, verification and score included, as in the daemon; that of a warm "
                + "loop is that of the picture in a process that was started once, on one "
                + "thread; that of the others is that of a process started for each file. Files that "
                + "a contender did not make are left out of its times. Ratio: "
                + "stickerd's CPU divided by theirs. *Better*: files on which a sticker that is "
                + "taken scores more than half a point above stickerd's. *Won*: files on which stickerd takes "
                + "less CPU, and no sticker that is taken scores more. *At equal score*: the median of the "
                + "ratio on files where a sticker that is taken scores as much, within half a point, and their "
                + "number. *Best settings*: the slowest method, without loss if that fits, otherwise the "
                + "highest quality that does.", "",
        ] + contenderTable.markdown
    }

    // MARK: Tables

    private var files: Table {
        Table(
            titles: [
                "file", "mode", "quality", "encodes", "bytes", "score", "regret", "ms", "ratio",
                "MB",
            ],
            rows: stills.map { entry in
                let encoding = entry.last?.encoding
                return [
                    String(entry.path.fileName.prefix(34)), encoding?.mode.rawValue ?? "",
                    encoding?.quality?.shown(1) ?? "", "\(entry.last?.encodes ?? 0)",
                    "\(entry.last?.bytes ?? 0)", encoding?.score?.shown(1) ?? "",
                    entry.regret?.shown(2) ?? "", Figures(entry.fit).median.shown(0),
                    entry.ratio.shown(2),
                    (entry.peakMegabytes ?? .nan).shown(0),
                ]
            })
    }

    private var figures: Table {
        Table(
            titles: ["figure", "found", "aim"],
            rows: encodingFigures + otherFigures + yardstickFigures + regretFigures + paceFigures)
    }

    private var encodingFigures: [[String]] {
        let ratios = Figures(stills.map(\.ratio))
        let memory = Figures(stills.compactMap(\.peakMegabytes))
        return [
            ["encoding / one plain encode, mean", ratios.mean.shown(2), "at most 2.3"],
            ["encoding / one plain encode, median", ratios.median.shown(2), "at most 1.5"],
            [
                "encoding / one plain encode, 90th percentile", ratios.percentile(90).shown(2), "-",
            ],
            ["peak memory of any still, MB", memory.max.shown(0), "at most 150"],
        ]
    }

    /// The other goal, and what its stickers lose.
    private var otherFigures: [[String]] {
        guard let name = bench.other else { return [] }
        let ratios = Figures(stills.map(\.otherRatio))
        let lost = Figures(
            stills.compactMap { entry in
                guard let own = entry.last?.encoding?.score, let other = entry.rivals[name]?.score
                else { return nil }
                return own - other
            })
        return [
            ["\(name): encoding, mean", ratios.mean.shown(2), "at most 1.5"],
            ["\(name): encoding, median", ratios.median.shown(2), "at most 1.1"],
            ["\(name): encoding, 90th percentile", ratios.percentile(90).shown(2), "at most 3"],
            ["\(name): points lost, mean", lost.mean.shown(2), "at most 0.7"],
            ["\(name): points lost, most", lost.max.shown(1), "at most 3"],
        ]
    }

    private var yardstickFigures: [[String]] {
        guard let row = contenders.first(where: { $0.name == Self.yardstick }) else { return [] }
        return [
            ["CPU / \(row.name), median", row.medians.shownWithSpread, "at most 0.8"],
            ["CPU / \(row.name), means", row.means.shownWithSpread, "at most 0.8"],
        ]
    }

    private var regretFigures: [[String]] {
        let regrets = Figures(stills.compactMap(\.regret))
        guard !regrets.isEmpty else { return [] }
        return [
            ["regret of stills with loss, mean", regrets.mean.shown(3), "at most 0.05"],
            ["regret, largest", regrets.max.shown(2), "at most 0.3"],
        ]
    }

    private var paceFigures: [[String]] {
        pace.map { [["two workers / one", $0.speedups.shownWithSpread, "at least 1.8"]] } ?? []
    }

    private var steps: Table {
        var names: [String] = []
        for step in stills.flatMap({ $0.last?.steps ?? [] }) where !names.contains(step.name) {
            names.append(step.name)
        }
        return Table(
            titles: ["step", "median ms", "mean ms", "90th percentile ms"],
            rows: names.map { name in
                let rounds = stills.compactMap { $0.steps[name] }
                let times = Figures(rounds.map { Figures($0).median })
                return [name]
                    + [times.median, times.mean, times.percentile(90)].map { $0.shown(1) }
            })
    }

    private var contenderTable: Table {
        Table(
            titles: [
                "", "taken", "score median", "10th percentile", "bytes mean", "CPU ms median",
                "mean", "ratio median", "ratio of means", "better", "won", "at equal score",
            ],
            rows: contenders.map { row in
                [
                    row.name, "\(row.within) of \(row.all)", row.scores.median.shown(1),
                    row.scores.percentile(10).shown(1), row.bytes.mean.shown(0),
                    row.costs.median.shown(0), row.costs.mean.shown(0),
                    row.medians.shownWithSpread, row.means.shownWithSpread,
                    row.better.isEmpty ? "-" : row.better.joined(separator: ", "),
                    row.name == "stickerd" ? "-" : "\(row.won)",
                    row.atEqualScore.isEmpty
                        ? "-" : "\(row.atEqualScore.median.shown(2)) (\(row.atEqualScore.count))",
                ]
            })
    }
}
