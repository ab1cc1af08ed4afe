import Logging
import StickerTestSupport

/// Logged lines, for a test that waits for one: `error: message` and the values of its metadata.
final class LogLines: Sendable {
    private let lines = WaitableValue<[String]>([])
    private let hear: @Sendable (String) -> Void

    /// `hear` gets each line as it is written.
    init(_ hear: @escaping @Sendable (String) -> Void = { _ in }) { self.hear = hear }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    /// Waits for a line that holds `text`; whether it came.
    func has(_ text: String) async -> Bool {
        await lines.wait { $0.contains { $0.contains(text) } } != nil
    }

    /// The lines that hold `text`.
    func holding(_ text: String) -> [String] { lines.value.filter { $0.contains(text) } }

    private func add(_ line: String) {
        lines.update { $0.append(line) }
        hear(line)
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }
            let text = values.reduce("\(event.level): \(event.message)") { $0 + " \($1.value)" }
            lines.add(text)
        }
    }
}
