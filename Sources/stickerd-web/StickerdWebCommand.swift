import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import StickerLogs
import StickerModel
import StickerWeb

/// `stickerd-web`: serves what stickerd publishes.
@main
struct StickerdWebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-web", abstract: "Serves what stickerd publishes, over HTTP.",
        discussion: """
            Reads the folder out of the configuration, and nothing else. Without --config the file \
            is looked for in STICKERD_CONFIG, ./config.json and /etc/stickerd/config.json.
            """,
        version: Stickerd.version)

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let logger = Logger.program(
            "stickerd-web", level: .info, journalStream: environment["JOURNAL_STREAM"])
        do {
            let file = try ConfigurationFile.load(
                flag: config, environment: environment,
                workingFolder: FileManager.default.currentDirectoryPath)
            try await WebServer(file.configuration, logger: logger).run()
        } catch {
            logger.error("cannot run", metadata: ["detail": "\(error)"])
            throw ExitCode(error is ConfigurationError ? EX_CONFIG : 1)
        }
    }
}
