import Glibc
public import Logging

/// Writes log lines to standard error: time, level, sentence, then `key=value` in fixed order.
///
/// The level is coloured only on a terminal.
public struct ConsoleLogHandler: LogHandler {
    /// Added to every line.
    public var metadata: Logger.Metadata = [:]
    /// Lines below this level are omitted.
    public var logLevel: Logger.Level
    private let terminal: Terminal?

    /// Creates a handler for lines of `level` and above; `terminal` is `nil` if standard error is no terminal.
    public init(level: Logger.Level, terminal: Terminal? = nil) {
        logLevel = level
        self.terminal = terminal
    }

    /// One value of the metadata of every line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line with one system call.
    public func log(event: LogEvent) {
        let line = LogLine("\(event.message)", metadata.merging(event.metadata ?? [:]) { $1 })
        if let terminal {
            terminal.write("\(Self.now()) \(event.level.colored) \(line.text)")
        } else {
            let bytes = Array("\(Self.now()) \(event.level.rawValue) \(line.text)\n".utf8)
            _ = write(2, bytes, bytes.count)
        }
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

extension Logger.Level {
    /// The name in its colour, for terminals.
    fileprivate var colored: String {
        switch self {
        case .trace, .debug: "\u{1B}[2m\(rawValue)\u{1B}[0m"
        case .info: rawValue
        case .notice: "\u{1B}[1m\(rawValue)\u{1B}[0m"
        case .warning: "\u{1B}[33m\(rawValue)\u{1B}[0m"
        case .error, .critical: "\u{1B}[31m\(rawValue)\u{1B}[0m"
        }
    }
}
