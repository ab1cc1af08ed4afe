import StickerValues

/// The figures as text and as Markdown.
struct Report {
    let stills: StillReport
    let animations: AnimationReport
    /// Pictures without figures, with the reason.
    let leftOut: [String]
    /// The measured commit.
    let commit: String

    /// For a terminal.
    var text: String { (stills.text + animations.text).joined(separator: "\n") }

    /// The measured part of docs/benchmarks.md.
    var markdown: String {
        let lines = introduction + stills.markdown + animations.markdown
        return lines.joined(separator: "\n") + "\n"
    }

    private var introduction: [String] {
        let entries = stills.bench.entries
        let lines = [
            "# Benchmarks", "",
            "Written by `make bench`, which replaces everything above \"Findings\": "
                + "\(entries.count) stills, rounds: \(entries.first?.webp.count ?? 0) after one that "
                + "is not counted, and \(animations.bench.entries.count) animations, all in "
                + "turn for each picture. stickerd \(Stickerd.version) (\(commit)) on "
                + "\(Machine.description), \(Machine.libraries). A figure with a range is the "
                + "median of the rounds and their lowest and highest.", "",
        ]
        guard !leftOut.isEmpty else { return lines }
        return lines + [
            "Refused by stickerd, and so left out: \(leftOut.joined(separator: ", ")).", "",
        ]
    }
}
