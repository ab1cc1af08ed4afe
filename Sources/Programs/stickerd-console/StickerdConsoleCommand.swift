public import ArgumentParser
import FoundationEssentials
import Glibc
public import Logging
import StickerConsole
import StickerLogs
import StickerConfiguration
import StickerValues
import StickerServer
import StickerStore

/// `stickerd-console`: jobs and stickers in a browser, for operators.
@main
struct StickerdConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-console",
        abstract: "Shows jobs and stickers in a browser, for operators.",
        discussion: """
            Serves http://127.0.0.1:8513/ unless console.listen says otherwise, on the library of \
            the configuration, as the user who owns its state folder. Without --config the file is \
            looked for in STICKERD_CONFIG, ./config.json and /etc/stickerd/config.json.

            Exit codes: 0 stopped by a signal, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version)

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Log lines from this level on: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"))
    var logLevel = Logger.Level.info

    /// Wrong usage ends with 2, as documented in the manual; the parser's own code is a different one.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let message = Array("\(fullMessage(for: error))\n".utf8)
            _ = write(2, message, message.count)
            Glibc.exit(2)
        }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let logger = Logger.program(
            "stickerd-console", level: logLevel, journalStream: environment["JOURNAL_STREAM"])
        do {
            let file = try load(config, isTrusted: geteuid() != 0)
            try StateFolder.becomeOwner(of: file.configuration.state)
            let console = ConsoleServer(
                file,
                // That file and no other: another user might trust the file in the current folder.
                load: { [self] in
                    try file.path.map { try load($0, isTrusted: false).configuration }
                        ?? file.configuration
                }, logger: logger)
            try await console.run { service in
                try await HTTPServer(service, logger: logger).run()
            }
        } catch let error as ConfigurationError {
            for fault in error.faults {
                logger.error("faulty configuration", metadata: [LogKey.detail: "\(fault)"])
            }
            throw ExitCode(error.mayPass ? 1 : EX_CONFIG)
        } catch {
            logger.error("cannot run", metadata: [LogKey.detail: "\(error)"])
            throw ExitCode(1)
        }
    }

    private func load(_ path: String?, isTrusted: Bool) throws -> ConfigurationFile {
        try ConfigurationFile.load(
            flag: path, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath, isTrusted: isTrusted
        ).readingFiles()
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
