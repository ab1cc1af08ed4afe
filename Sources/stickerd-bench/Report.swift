import FoundationEssentials
import Glibc
import StickerModel

/// The figures as text and as Markdown.
struct Report {
    let bench: Bench
    let pace: Pace?

    private var stills: [Bench.Entry] { bench.entries.filter { $0.ratio != nil } }

    /// Rows of a name, what was found, and the aim where there is one.
    private var rows: [(name: String, found: String, aim: String)] {
        let ratios = Figures(stills.compactMap(\.ratio))
        let webp = Figures(bench.entries.map { Figures($0.webp).median })
        let memory = Figures(bench.entries.compactMap(\.peakMegabytes))
        var rows = [
            ("encoding / plain encode, mean", ratios.mean.shown(2), "2.0"),
            ("encoding / plain encode, median", ratios.median.shown(2), "1.3"),
            ("encoding / plain encode, p90", ratios.percentile(90).shown(2), ""),
            ("CPU for the WebP alone, median ms", webp.median.shown(1), ""),
            ("CPU for the WebP alone, mean ms", webp.mean.shown(1), ""),
            ("peak memory, MB", memory.max.shown(0), "150"),
        ]
        let rivals = Figures(
            bench.entries.compactMap { entry in
                entry.rival.isEmpty
                    ? nil : Figures(entry.webp).median / Figures(entry.rival).median
            })
        if !rivals.isEmpty {
            let own = bench.entries.filter { !$0.rival.isEmpty }
            let mean =
                own.reduce(0) { $0 + Figures($1.webp).median }
                / own.reduce(0) { $0 + Figures($1.rival).median }
            rows.append(("CPU / the rival's, of all files together", mean.shown(2), "0.40"))
            rows.append(("CPU / the rival's, median of files", rivals.median.shown(2), "0.40"))
        }
        if let pace {
            let speedups = Figures(pace.speedups)
            let spread = "\(speedups.min.shown(2)) to \(speedups.max.shown(2))"
            rows.append(
                ("two workers / one", "\(speedups.median.shown(2)) (\(spread))", "1.8"))
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

    /// For a terminal.
    var text: String {
        var lines = stills.map { entry in
            let name = entry.path.split(separator: "/").last.map(String.init) ?? entry.path
            let mode = entry.last?.encoding.map { "\($0.mode.rawValue) \(quality($0))" } ?? ""
            return pad(String(name.prefix(34)), 35) + pad(mode, 19)
                + pad("\(entry.last?.encodes ?? 0)x", 4)
                + pad("\(entry.last?.bytes ?? 0)", 7) + pad((entry.ratio ?? .nan).shown(2), 6)
                + "\((entry.peakMegabytes ?? .nan).shown(0)) MB"
        }
        lines.append("")
        lines += rows.map { pad($0.name, 44) + pad($0.found, 22) + aim($0.aim) }
        lines.append("")
        lines += stages.map { stage in
            pad(stage.name, 16) + "median \(stage.figures.median.shown(1)) ms, mean "
                + "\(stage.figures.mean.shown(1)) ms, p90 \(stage.figures.percentile(90).shown(1)) ms"
        }
        return lines.joined(separator: "\n")
    }

    /// For docs/benchmarks.md.
    var markdown: String {
        var lines = [
            "# Benchmarks", "",
            "Written by `stickerd-bench`; \(bench.entries.count) pictures, "
                + "\(bench.entries.first?.fit.count ?? 0) rounds, stickerd \(Stickerd.version), "
                + "\(Machine.description).", "", "| figure | found | aim |", "|---|---|---|",
        ]
        lines += rows.map { "| \($0.name) | \($0.found) | \($0.aim) |" }
        lines += ["", "| step | median ms | mean ms | p90 ms |", "|---|---|---|---|"]
        lines += stages.map { stage in
            "| \(stage.name) | \(stage.figures.median.shown(1)) | \(stage.figures.mean.shown(1)) | "
                + "\(stage.figures.percentile(90).shown(1)) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func quality(_ encoding: Encoding) -> String {
        encoding.quality.map { $0.shown(1) } ?? ""
    }

    private func aim(_ text: String) -> String { text.isEmpty ? "" : "aim \(text)" }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

/// What it was measured on.
enum Machine {
    static var description: String {
        // Without the file the rest still says enough.
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = model?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "unknown CPU"
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores of \(name)"
    }
}
