import Logging
import StickerValues

/// A log entry as one line: the sentence, then `key=value` in fixed order.
///
/// Everything is escaped, so that no name in the drop folders can forge a line or control a terminal.
struct LogLine {
    let text: String

    init(_ message: String, _ metadata: Logger.Metadata) {
        let values = metadata.sorted { Self.rank($0.key) < Self.rank($1.key) }
            .map { "\($0.key)=\(Self.quoted("\($0.value)"))" }
        text = ([FileName.escaped(message)] + values).joined(separator: " ")
    }

    private static let order = [
        LogKey.job, LogKey.sticker, LogKey.category, LogKey.file, LogKey.step, LogKey.reason,
        LogKey.detail,
    ]

    private static func rank(_ key: String) -> String {
        let index = order.firstIndex(of: key) ?? order.count
        return "\(index) \(key)"
    }

    /// Quotes a value with spaces or quotes. It cannot end the quote itself: backslashes before a quote are doubled,
    /// and the quote is escaped.
    private static func quoted(_ value: String) -> String {
        // By scalars, as a quote with a combining accent is a different character but still a quote.
        let scalars = FileName.escaped(value).unicodeScalars
        guard scalars.isEmpty || scalars.contains(where: { " \"=".unicodeScalars.contains($0) })
        else { return String(scalars) }
        var shown = "\""
        var slashes = 0
        for scalar in scalars {
            if scalar == "\"" { shown += String(repeating: "\\", count: slashes + 1) }
            slashes = scalar == "\\" ? slashes + 1 : 0
            shown.unicodeScalars.append(scalar)
        }
        return shown + String(repeating: "\\", count: slashes) + "\""
    }
}
