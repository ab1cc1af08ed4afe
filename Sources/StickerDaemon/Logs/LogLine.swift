import Logging
import StickerModel

/// What is said in one line: the sentence, then `key=value` in fixed order.
///
/// Everything is escaped, so that no name from the drop folders can forge a line or drive a terminal.
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

    /// A value with spaces or quotes stands in quotes.
    private static func quoted(_ value: String) -> String {
        let escaped = FileName.escaped(value)
        guard escaped.isEmpty || escaped.contains(where: { " \"=".contains($0) }) else {
            return escaped
        }
        return "\"" + escaped.replacing("\"", with: "\\\"") + "\""
    }
}
