import CSystemd
import Glibc
public import Logging
import StickerValues

/// Sends log lines to the systemd journal with their values as separate fields, so that `journalctl STICKERD_JOB=42`
/// finds every line about a job.
///
/// The fields are those of systemd.journal-fields(7), and `STICKERD_` followed by the key in capitals: `STICKERD_JOB`,
/// `STICKERD_CATEGORY`, `STICKERD_STICKER`, `STICKERD_STEP`, `STICKERD_FILE`.
public struct JournalLogHandler: LogHandler {
    /// Added to every line.
    public var metadata: Logger.Metadata = [:]
    /// Lines below this level are omitted.
    public var logLevel: Logger.Level
    private let program: String
    private let deliver: @Sendable ([String]) -> Void

    init(
        level: Logger.Level, program: String = "stickerd",
        deliver: @escaping @Sendable ([String]) -> Void
    ) {
        logLevel = level
        self.program = program
        self.deliver = deliver
    }

    /// Creates a handler for lines of `level` and above, which uses sd_journal_sendv(3).
    ///
    /// - Parameters:
    ///   - level: lines below it are omitted.
    ///   - program: its name.
    public init(level: Logger.Level, program: String) {
        self.init(level: level, program: program, deliver: Self.sendToJournal)
    }

    /// Whether standard error of this process is the journal, according to `JOURNAL_STREAM`, which contains the device
    /// and inode of the stream.
    ///
    /// - Parameter stream: the value of the variable.
    /// - Returns: whether lines sent to the journal reach the same place.
    public static func isConnected(stream: String?) -> Bool {
        var status = stat()
        guard let parts = stream?.split(separator: ":"), parts.count == 2,
            fstat(2, &status) == 0
        else { return false }
        return UInt64(parts[0]) == UInt64(status.st_dev)
            && UInt64(parts[1]) == UInt64(status.st_ino)
    }

    /// One value of the metadata of every line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Sends one entry.
    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let fields = all.sorted { $0.key < $1.key }
            .map { "\(Self.field($0.key))=\(FileName.escaped("\($0.value)"))" }
        deliver(
            [
                "MESSAGE=\(LogLine("\(event.message)", all).text)",
                "PRIORITY=\(event.level.priority)", "SYSLOG_IDENTIFIER=\(program)",
            ] + fields)
    }

    /// `job.id` becomes `STICKERD_JOB`; other keys are written in capitals, with `_` for anything but
    /// letters and digits.
    private static func field(_ key: String) -> String {
        guard key != LogKey.job else { return "STICKERD_JOB" }
        let name = key.uppercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return "STICKERD_" + String(name)
    }

    private static func sendToJournal(_ fields: [String]) {
        let texts = fields.map { Array($0.utf8) }
        var buffer = texts.flatMap { $0 }
        buffer.withUnsafeMutableBytes { memory in
            var start = 0
            let vectors = texts.map { text in
                defer { start += text.count }
                return iovec(
                    iov_base: memory.baseAddress.map { $0 + start }, iov_len: text.count)
            }
            // An unreachable journal is no reason to stop.
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}

extension Logger.Level {
    /// The levels of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
