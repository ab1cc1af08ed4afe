import ArgumentParser
import Logging
import StickerConfiguration
import StickerProgram
import StickerServer
import StickerValues
import StickerWeb

/// `stickerd-web`: serves the published stickers.
@main
struct StickerdWebCommand: AsyncProgram {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-web", abstract: "Serves stickerd's published stickers over HTTP.",
        discussion: """
            Reads the folder out of the configuration, and connects only to the services \
            that web.upstreams names. Without --config the file is looked for in STICKERD_CONFIG, \
            ./config.json and /etc/stickerd/config.json.

            Exit codes: 0 stopped by a signal, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version)

    @Option(help: .configuration)
    var config: String?

    @Option(help: .logLevel(discussion: "From debug on there is one for each request."))
    var logLevel = Logger.Level.info

    func run() async throws {
        let start = Invocation(of: "stickerd-web", config: config, level: logLevel)
        do {
            let file = try start.configuration()
            try await WebServer(file.configuration, logger: start.logger).run { service in
                try await HTTPServer(service, logger: start.logger).run()
            }
        } catch {
            throw start.failure(error)
        }
    }
}
