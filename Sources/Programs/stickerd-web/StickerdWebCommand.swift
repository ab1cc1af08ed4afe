public import ArgumentParser
import FoundationEssentials
import Glibc
public import Logging
import StickerLogs
import StickerConfiguration
import StickerValues
import StickerServer
import StickerWeb

/// `stickerd-web`: serves the published stickers.
@main
struct StickerdWebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-web", abstract: "Serves stickerd's published stickers over HTTP.",
        discussion: """
            Reads the folder out of the configuration, and connects only to the services \
            that web.upstreams names. Without --config the file is looked for in STICKERD_CONFIG, \
            ./config.json and /etc/stickerd/config.json.

            Exit codes: 0 stopped by a signal, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version)

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Log lines from this level on: trace, debug, info, notice, warning, error or critical.",
            discussion: "From debug on there is one for each request.", valueName: "level"))
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
            "stickerd-web", level: logLevel, journalStream: environment["JOURNAL_STREAM"])
        do {
            let file = try ConfigurationFile.load(
                flag: config, environment: environment,
                workingFolder: FileManager.default.currentDirectoryPath)
            try await WebServer(file.configuration, logger: logger).run { service in
                try await HTTPServer(service, logger: logger).run()
            }
        } catch let error as ConfigurationError {
            for fault in error.faults {
                logger.error("faulty configuration", metadata: ["detail": "\(fault)"])
            }
            throw ExitCode(error.mayPass ? 1 : EX_CONFIG)
        } catch {
            logger.error("cannot run", metadata: ["detail": "\(error)"])
            throw ExitCode(1)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
