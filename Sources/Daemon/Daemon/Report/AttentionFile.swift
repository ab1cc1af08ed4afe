import FoundationEssentials
import StickerConfiguration
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// Keeps `run/attention.json` and the list for artists up to date.
struct AttentionFile {
    private let path: String
    private let problems: ProblemsFile?
    private var written: (report: AttentionReport, isDone: Bool)?

    init(_ configuration: Configuration) {
        path = "\(configuration.run)/attention.json"
        problems = configuration.problemsFolder.map(ProblemsFile.init)
    }

    /// Writes the files if something changed.
    ///
    /// - Parameters:
    ///   - report: the problems to list.
    ///   - isDone: whether everything in the drops was examined.
    ///   - hasDismissed: whether refusals were dismissed; asked only when there is something new.
    /// - Throws: `StoreError`, or `FileError` if a file cannot be written; it stays as it was.
    mutating func write(
        _ report: AttentionReport, isDone: Bool, hasDismissed: () throws -> Bool
    ) throws {
        guard written == nil || report != written?.report || isDone != written?.isDone else {
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try AtomicFile.replace(path, with: [UInt8](try encoder.encode(report)) + [0x0A])
        try problems?.write(report, isDone: isDone, hasDismissed: hasDismissed)
        written = (report, isDone)
    }
}

/// `problems.txt`: the problems with each picture, for artists who see only folders.
private struct ProblemsFile {
    var folder: String

    func write(
        _ report: AttentionReport, isDone: Bool, hasDismissed: () throws -> Bool
    ) throws {
        let text = try Self.list(report) ?? Self.praise(isDone: isDone, hasDismissed)
        try AtomicFile.replace("\(folder)/problems.txt", with: Array(text.utf8))
    }

    /// The text while nothing is refused.
    private static func praise(isDone: Bool, _ hasDismissed: () throws -> Bool) throws -> String {
        guard isDone else { return "No problem so far; not every picture is done yet.\n" }
        return try hasDismissed()
            ? "No problem is left; some were dismissed.\n" : "All pictures became stickers.\n"
    }

    private static func list(_ report: AttentionReport) -> String? {
        let files = report.items.filter { $0.kind == .refused }
        guard !files.isEmpty else { return nil }
        let count = report.refused.counted("file is", "files are")
        var parts = ["\(count) not published, or not in the newest version."]
        parts += files.map { "\($0.message)\n    \($0.remedy)" }
        if report.refused > files.count {
            parts.append("and \((report.refused - files.count).grouped) more")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }
}
