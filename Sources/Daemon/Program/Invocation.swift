public import ArgumentParser
import FoundationEssentials
import Glibc
public import Logging
public import StickerConfiguration
import StickerValues

/// One start of a program that follows the configuration.
public struct Invocation: Sendable {
    /// Writes to the journal if standard error is the journal, else to standard error.
    public let logger: Logger
    /// The variables of the process.
    public let environment = ProcessInfo.processInfo.environment
    private let file: String?

    /// Describes this process.
    ///
    /// - Parameters:
    ///   - program: its name, shown in the journal's entries.
    ///   - file: the value of `--config`.
    ///   - level: lines below it are omitted.
    public init(of program: String, config file: String?, level: Logger.Level) {
        self.file = file
        let isJournal = JournalLogHandler.isConnected(stream: environment["JOURNAL_STREAM"])
        logger = Logger(label: program) { _ -> any LogHandler in
            isJournal
                ? JournalLogHandler(level: level, program: program)
                : ConsoleLogHandler(level: level, terminal: .standardError)
        }
    }

    /// Loads the file of `--config` or, without it, the first that `ConfigurationFile.load` finds.
    ///
    /// - Parameters:
    ///   - path: takes the place of `--config`.
    ///   - isTrusted: whether the file in the current folder is considered.
    /// - Returns: the configuration with absolute paths.
    /// - Throws: `ConfigurationError` if the file cannot be read or has faults.
    public func configuration(
        at path: String? = nil, isTrusted: Bool = true
    ) throws(ConfigurationError) -> ConfigurationFile {
        try ConfigurationFile.load(
            flag: path ?? file, environment: environment,
            workingFolder: FileManager.default.currentDirectoryPath, isTrusted: isTrusted)
    }

    /// Logs why the program ends, unless that is an exit code already.
    ///
    /// - Parameters:
    ///   - error: ends it.
    ///   - isFinal: whether another start would change nothing; known for faults of the configuration.
    /// - Returns: 78 if it should not be started again, else 1.
    public func failure(_ error: any Error, isFinal: Bool = false) -> ExitCode {
        if let code = error as? ExitCode { return code }
        guard let error = error as? ConfigurationError else {
            logger.error("cannot run", metadata: [LogKey.detail: "\(error)"])
            return ExitCode(isFinal ? EX_CONFIG : 1)
        }
        for fault in error.faults {
            logger.error("faulty configuration", metadata: [LogKey.detail: "\(fault)"])
        }
        return ExitCode(error.mayPass ? 1 : EX_CONFIG)
    }
}

// MARK: Options

extension ArgumentHelp {
    /// The help for `--config`.
    public static let configuration = ArgumentHelp("The configuration.", valueName: "file")

    /// The help for `--log-level`.
    public static func logLevel(
        discussion: String? = nil, valueName: String? = "level"
    ) -> ArgumentHelp {
        ArgumentHelp(
            "Log lines from this level on: trace, debug, info, notice, warning, error or critical.",
            discussion: discussion, valueName: valueName)
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
