import Glibc
public import Logging
import StickerModel

/// Writes log lines to standard error: time, level, sentence, then `key=value` in fixed order.
///
/// Names from the drop folders are escaped, so that none can forge a line or drive a terminal.
public struct ConsoleLogHandler: LogHandler {
    /// Added to every line.
    public var metadata: Logger.Metadata = [:]
    /// Lines below are left out.
    public var logLevel: Logger.Level

    /// A handler for lines of `level` and above.
    public init(level: Logger.Level) { logLevel = level }

    /// One value of the metadata of every line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line with one system call.
    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let values = all.sorted { Self.rank($0.key) < Self.rank($1.key) }
            .map { "\($0.key)=\(Self.quoted("\($0.value)"))" }
        let line =
            ([Self.now(), event.level.rawValue, FileName.escaped("\(event.message)")] + values)
            .joined(separator: " ") + "\n"
        let bytes = Array(line.utf8)
        _ = write(2, bytes, bytes.count)
    }

    private static let order = ["job.id", "sticker", "category", "file", "reason", "detail"]

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

    private static func now() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
