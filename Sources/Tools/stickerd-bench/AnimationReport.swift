import StickerValues

/// The part of the report about animations: contenders, and stickerd's stickers one by one.
struct AnimationReport {
    let bench: AnimationBench

    private var contenders: [AnimationContender] {
        [.own(bench.entries)] + bench.names.map { AnimationContender.rival($0, bench.entries) }
    }

    /// For a terminal.
    var text: [String] {
        guard !bench.entries.isEmpty else { return [] }
        return contenderTable.text + [""] + files.text + [""]
    }

    var markdown: [String] {
        guard !bench.entries.isEmpty else { return [] }
        return ["", "## Animations", "", explained, ""] + contenderTable.markdown
            + ["", "stickerd's own stickers:", ""] + files.markdown
    }

    private var explained: String {
        let rules = AnimationResult.rules
        return "Once each, all in turn. *Taken*: 512x512, animated, at most "
            + "\(rules.bytesMax / 1000) KB, at most \(rules.millisecondsMax / 1000) s, no frame "
            + "under \(rules.frameMillisecondsMin) ms. Score: the mean at ten points of the "
            + "playing time (5 %, 15 % ... of each one's own) against stickerd's own canvases. "
            + "CPU as for stills. A frame is one of the source that differs from the one before."
    }

    private var contenderTable: Table {
        Table(
            titles: [
                "", "taken", "score median", "lowest", "bytes mean", "CPU s median", "mean",
                "CPU ms per frame", "ratio median", "ratio of means", "not taken",
            ],
            rows: contenders.map { row in
                [
                    row.name, "\(row.within) of \(row.all)", row.scores.median.shown(1),
                    row.scores.min.shown(1), row.bytes.mean.shown(0), row.seconds.median.shown(2),
                    row.seconds.mean.shown(2), row.millisecondsPerFrame.shown(0),
                    row.ratioMedian.shown(2), row.ratioOfMeans.shown(2),
                    row.faults.isEmpty ? "-" : row.faults,
                ]
            })
    }

    private var files: Table {
        Table(
            titles: [
                "file", "frames", "in the file", "plays s", "score", "mode", "quality", "bytes",
                "CPU s", "peak MB",
            ],
            rows: bench.entries.map { entry in
                let (own, encoding) = (entry.own, entry.encoding)
                return [
                    entry.path.fileName, "\(entry.frames)", "\(own.frames ?? 0)",
                    (Double(own.playsMilliseconds ?? 0) / 1000).shown(1),
                    (own.score ?? .nan).shown(1), encoding?.mode.rawValue ?? "-",
                    encoding?.quality?.shown(1) ?? "-", "\(own.bytes ?? 0)",
                    ((own.milliseconds ?? .nan) / 1000).shown(2),
                    (entry.peakMegabytes ?? .nan).shown(0),
                ]
            })
    }
}
