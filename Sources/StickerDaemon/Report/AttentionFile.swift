import FoundationEssentials
import StickerModel
import StickerReports
import StickerStore
import StickerSystem

/// Keeps `run/attention.json`, and the list for artists, as things are.
struct AttentionFile {
    private let path: String
    private let problems: ProblemsFile?
    private var written: AttentionReport?

    init(_ configuration: Configuration) {
        path = "\(configuration.run)/attention.json"
        problems = configuration.problemsFolder.map(ProblemsFile.init)
    }

    /// Writes the files if there is something new.
    ///
    /// - Throws: `StoreError`, or `FileError` if a file cannot be written; it stays as it was.
    mutating func write(_ report: AttentionReport) throws {
        guard report != written else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try AtomicFile.replace(path, with: [UInt8](try encoder.encode(report)) + [0x0A])
        try problems?.write(report)
        written = report
    }
}

/// `problems.txt`: what is wrong with which picture, for artists who see folders and nothing else.
private struct ProblemsFile {
    var folder: String

    func write(_ report: AttentionReport) throws {
        try AtomicFile.replace("\(folder)/problems.txt", with: Array(Self.text(report).utf8))
    }

    private static func text(_ report: AttentionReport) -> String {
        let files = report.items.filter { $0.kind == .refused }
        guard !files.isEmpty else { return "All pictures became stickers.\n" }
        let count = report.refused.counted("picture", "pictures")
        var parts = ["\(count) did not become a sticker, or not in the newest version."]
        parts += files.map { "\($0.message)\n    \($0.remedy)" }
        if report.refused > files.count {
            parts.append("and \((report.refused - files.count).grouped) more")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }
}
