public import Logging

extension Logger {
    /// The daemon's logger: writes to the journal if standard error is the journal, else to standard error.
    ///
    /// - Parameters:
    ///   - level: lines below this level are left out.
    ///   - journalStream: the value of `JOURNAL_STREAM`.
    /// - Returns: the logger.
    public static func stickerd(level: Logger.Level, journalStream: String?) -> Logger {
        Logger(label: "stickerd") { _ -> any LogHandler in
            guard JournalLogHandler.isConnected(stream: journalStream) else {
                return ConsoleLogHandler(level: level, terminal: .standardError)
            }
            return JournalLogHandler(level: level)
        }
    }
}
