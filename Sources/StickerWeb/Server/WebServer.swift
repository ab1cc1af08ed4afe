import Foundation
public import Logging
import StickerHTTP
public import StickerModel

/// `stickerd-web`: what is published, over HTTP. It reads the published folder, and what a daemon on this machine has
/// measured.
public struct WebServer: Sendable {
    private let settings: WebConfiguration
    private let out: String
    private let publicBaseURL: String
    private let run: String
    private let logger: Logger

    /// Creates a server that reads `configuration.out`, and the figures of a daemon in `configuration.run`.
    public init(_ configuration: Configuration, logger: Logger) {
        settings = configuration.web
        out = configuration.out
        publicBaseURL = configuration.publish.publicBaseURL
        run = configuration.run
        self.logger = logger
    }

    /// Serves until a signal ends it.
    ///
    /// - Throws: `ConfigurationError` if the configuration cannot be used, `WebServerError` if the address cannot.
    public func run() async throws {
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        let keys = AccessKeys(try settings.checkedKeys(credentials: credentials))
        let hangUp = HangUp { [settings, logger] in
            keys.reload(settings, credentials: credentials, logger)
        }
        defer { withExtendedLifetime(hangUp) {} }
        let index = try SearchIndex(
            folder: FileManager.default.temporaryDirectory.path,
            readers: ProcessInfo.processInfo.activeProcessorCount)
        let base = settings.publicURL.isEmpty ? "http://\(settings.listen)/" : settings.publicURL
        let addresses = PublicAddresses(base: base)
        let library = LibraryView(
            out: out, words: StickerWording(addresses: addresses), index: index, logger: logger)
        library.follow()
        defer { library.stop() }
        let access = WebAccess(keys: keys, rate: settings.rate, metrics: settings.metrics)
        let site = Site(
            library, out: out, addresses: addresses,
            gallery: Gallery(bases: [base, publicBaseURL]),
            compose: Compose(
                bases: [base, publicBaseURL], origins: settings.compose.origins),
            access: access,
            metrics: WebMetrics(run: run), logger: logger)
        let server = HTTPServer(
            at: settings.listen, setting: "web.listen", logger: logger,
            isServing: { [logger, settings] in
                logger.notice(
                    "stickerd-web serves",
                    metadata: ["address": "\(settings.listen)", "url": "\(base)"])
            }, answer: { site.answer($0) })
        try await server.run()
    }
}
