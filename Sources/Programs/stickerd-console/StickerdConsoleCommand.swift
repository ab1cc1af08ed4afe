import ArgumentParser
import Glibc
import Logging
import StickerConfiguration
import StickerConsole
import StickerProgram
import StickerServer
import StickerStore
import StickerValues

/// `stickerd-console`: jobs and stickers in a browser, for operators.
@main
struct StickerdConsoleCommand: AsyncProgram {
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

    @Option(help: .configuration)
    var config: String?

    @Option(help: .logLevel())
    var logLevel = Logger.Level.info

    func run() async throws {
        let start = Invocation(of: "stickerd-console", config: config, level: logLevel)
        do {
            let file = try start.configuration(isTrusted: geteuid() != 0).readingFiles()
            try StateFolder.becomeOwner(of: file.configuration.state)
            let console = ConsoleServer(
                file,
                // That file and no other: another user might trust the file in the current folder.
                load: {
                    try file.path.map { try start.configuration(at: $0).readingFiles() }?
                        .configuration ?? file.configuration
                }, logger: start.logger)
            try await console.run { service in
                try await HTTPServer(service, logger: start.logger).run()
            }
        } catch {
            throw start.failure(error)
        }
    }
}
