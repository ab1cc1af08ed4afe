import StickerModel

/// The figures as text and as Markdown.
struct Report {
    let bench: Bench
    let pace: Pace?
    /// The commit that was measured.
    let commit: String

    private var stills: [Bench.Entry] { bench.entries.filter { $0.ratio != nil } }

    /// stickerd's own row comes first.
    var contenders: [ContenderRow] {
        [ContenderRow.own(stills)]
            + bench.rivals.flatMap { rival in
                [true, false].compactMap { ContenderRow.rival(rival.name, stills, withStart: $0) }
            }
    }

    /// Rows with a name, what was found, and the aim if there is one.
    private var rows: [(name: String, found: String, aim: String)] {
        let ratios = Figures(stills.compactMap(\.ratio))
        let memory = Figures(bench.entries.compactMap(\.peakMegabytes))
        var rows = [
            ("encoding / one plain encode, mean", ratios.mean.shown(2), "at most 2.0"),
            ("encoding / one plain encode, median", ratios.median.shown(2), "at most 1.3"),
            ("encoding / one plain encode, 90th percentile", ratios.percentile(90).shown(2), ""),
            ("peak memory of any file, MB", memory.max.shown(0), "at most 150"),
        ]
        let regrets = Figures(bench.entries.compactMap(\.regret))
        if !regrets.isEmpty {
            rows.append(("regret of stills with loss, mean", regrets.mean.shown(3), "at most 0.2"))
            rows.append(("regret, largest", regrets.max.shown(2), "at most 1.5"))
        }
        if let pace {
            rows.append(("two workers / one", pace.speedups.shownWithSpread, "at least 1.8"))
        }
        return rows
    }

    private var stages: [(name: String, figures: Figures)] {
        var names: [String] = []
        for entry in bench.entries {
            for step in entry.last?.steps ?? [] where !names.contains(step.name) {
                names.append(step.name)
            }
        }
        return names.map { name in
            (name, Figures(bench.entries.compactMap { $0.steps[name].map { Figures($0).median } }))
        }
    }

    // MARK: Text

    /// For a terminal.
    var text: String {
        var lines = stills.map { entry in
            let mode = entry.last?.encoding.map { "\($0.mode.rawValue) \(quality($0))" } ?? ""
            return pad(String(entry.name.prefix(34)), 35) + pad(mode, 19)
                + pad("\(entry.last?.encodes ?? 0)x", 4)
                + pad("\(entry.last?.bytes ?? 0)", 7) + pad((entry.ratio ?? .nan).shown(2), 6)
                + "\((entry.peakMegabytes ?? .nan).shown(0)) MB"
        }
        lines.append("")
        lines += rows.map { pad($0.name, 48) + pad($0.found, 22) + $0.aim }
        lines.append("")
        lines += stages.map { stage in
            pad(stage.name, 16) + "median \(stage.figures.median.shown(1)) ms, mean "
                + "\(stage.figures.mean.shown(1)) ms, p90 \(stage.figures.percentile(90).shown(1)) ms"
        }
        lines.append("")
        lines += contenders.map { row in
            pad(row.name, 34) + pad("\(row.within)/\(row.all)", 7)
                + pad("score \(row.scores.median.shown(1))", 13)
                + pad("\(row.costs.median.shown(0)) ms", 8)
                + "CPU ratio median \(row.medians.shownWithSpread), mean "
                + row.means.shownWithSpread
        }
        return lines.joined(separator: "\n")
    }

    private func quality(_ encoding: Encoding) -> String {
        encoding.quality.map { $0.shown(1) } ?? ""
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    // MARK: Markdown

    /// The measured part of docs/benchmarks.md.
    var markdown: String {
        let lines =
            [
                "# Benchmarks", "",
                "Written by `make bench`, which replaces everything above \"Findings\": "
                    + "\(bench.entries.count) pictures, \(bench.entries.first?.webp.count ?? 0) "
                    + "rounds after one that is not counted, everybody in turn for each picture. "
                    + "stickerd \(Stickerd.version) (\(commit)) on \(Machine.description), "
                    + "\(Machine.libraries). A figure with a range is the median of the rounds and "
                    + "their lowest and highest.", "",
                "## Cost", "",
                "One plain encode is libwebp's `WebPEncodeRGBA`, method 4, quality 100, of the same "
                    + "canvas in the same round; all times are CPU times. Regret: the score of the "
                    + "best of lossless, coarse red, near-lossless 80 to 20 and lossy at the highest "
                    + "quality that fits, all tried in full, minus the score of the sticker.", "",
                "| figure | found | aim |", "|---|---|---|",
            ] + rows.map { "| \($0.name) | \($0.found) | \($0.aim) |" }
            + ["", "| step | median ms | mean ms | 90th percentile ms |", "|---|---|---|---|"]
            + stages.map { stage in
                "| \(stage.name) | \(stage.figures.median.shown(1)) | "
                    + "\(stage.figures.mean.shown(1)) | \(stage.figures.percentile(90).shown(1)) |"
            } + table
        return lines.joined(separator: "\n") + "\n"
    }

    private var table: [String] {
        guard contenders.count > 1 else { return [] }
        return [
            "", "## Contenders", "", "![Score against CPU time](benchmarks.svg)", "",
            "Stills only. *Taken*: 512x512 and at most "
                + "\(StickerSettings().stillBytesMax / 1000) KB. Score: that of the manifest, "
                + "against stickerd's own canvas. CPU: stickerd's is that of the thread that makes "
                + "the WebP, verification and score included, as in the daemon; the others' that of "
                + "their processes, since each is started for each file, and without their start "
                + "where they tell. Ratio: stickerd's CPU divided by theirs. *Better*: files on which "
                + "a sticker that is taken scores more than half a point above stickerd's.", "",
            "| | taken | score median | 10th percentile | bytes mean | CPU ms median | mean | "
                + "ratio median | ratio of means | better |",
            "|---|---|---|---|---|---|---|---|---|---|",
        ]
            + contenders.map { row in
                "| \(row.name) | \(row.within) of \(row.all) | \(row.scores.median.shown(1)) | "
                    + "\(row.scores.percentile(10).shown(1)) | \(row.bytes.mean.shown(0)) | "
                    + "\(row.costs.median.shown(0)) | \(row.costs.mean.shown(0)) | "
                    + "\(row.medians.shownWithSpread) | \(row.means.shownWithSpread) | "
                    + "\(row.better.isEmpty ? "-" : row.better.joined(separator: ", ")) |"
            }
    }
}
