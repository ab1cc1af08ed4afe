public import Logging

extension Logger {
    /// The logger of a program: writes to the journal if standard error is the journal, else to standard error.
    ///
    /// - Parameters:
    ///   - program: its name, shown in the journal's entries.
    ///   - level: lines below this level are omitted.
    ///   - journalStream: the value of `JOURNAL_STREAM`.
    /// - Returns: the logger.
    public static func program(
        _ program: String, level: Logger.Level, journalStream: String?
    ) -> Logger {
        Logger(label: program) { _ -> any LogHandler in
            JournalLogHandler.isConnected(stream: journalStream)
                ? JournalLogHandler(level: level, program: program)
                : ConsoleLogHandler(level: level, terminal: .standardError)
        }
    }
}
