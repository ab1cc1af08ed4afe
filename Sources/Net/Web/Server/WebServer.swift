import Dispatch
import Foundation
import Glibc
public import Logging
public import StickerConfiguration
package import StickerHTTP
import StickerSystem
import StickerValues

/// `stickerd-web`: the published stickers over HTTP. It reads the published folder, and the metrics of a daemon on this
/// machine.
public struct WebServer: Sendable {
    private let settings: WebConfiguration
    private let uploadSettings: PersonalConfiguration
    private let out: String
    private let publicBaseURL: String
    private let run: String
    private let uploadsRun: String
    private let logger: Logger
    /// Where the service manager put secrets.
    private let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]

    /// Creates a server that reads `configuration.out`, and a daemon's metrics in `configuration.run`.
    ///
    /// - Throws: `ConfigurationError` if uploads would be public.
    public init(_ configuration: Configuration, logger: Logger) throws(ConfigurationError) {
        try configuration.checkPersonal(RealFolder.areNested)
        settings = configuration.web
        uploadSettings = configuration.personal
        out = configuration.out
        publicBaseURL = configuration.publish.publicBaseURL
        run = configuration.run
        uploadsRun = configuration.uploadsRun
        self.logger = logger
    }

    /// The start of its public addresses.
    private var base: String {
        settings.publicURL.isEmpty ? "http://\(settings.listen)/" : settings.publicURL
    }

    /// Serves until a signal ends it.
    ///
    /// - Parameter serve: serves at the address.
    /// - Throws: `ConfigurationError` if the configuration cannot be used, `WebServerError` if the address cannot.
    package func run(_ serve: (HTTPService) async throws -> Void) async throws {
        let keys = AccessKeys(try settings.checkedKeys(credentials: credentials))
        let tokens = try uploadSettings.checkedTokens(credentials: credentials)
            .map(UploadTokens.init)
        let uploadDaemon = DaemonFigures(path: "\(uploadsRun)/metrics.prom")
        let metrics = WebMetrics(run: run, uploadDaemon: tokens == nil ? nil : uploadDaemon)
        let upstreams = Upstreams(
            settings.upstreams, credentials: credentials, metrics: metrics, logger: logger)
        let signals = DispatchQueue(label: "stickerd-web.signals")
        let hangUp = SignalHandler(SIGHUP, on: signals) {
            keys.reload(settings, credentials: credentials, logger)
            upstreams.reload(credentials: credentials)
            tokens?.reload(uploadSettings, credentials: credentials, logger)
        }
        defer { withExtendedLifetime(hangUp) {} }
        let index = try SearchIndex(
            folder: FileManager.default.temporaryDirectory.path,
            readers: ProcessInfo.processInfo.activeProcessorCount)
        let addresses = PublicAddresses(base: base)
        let library = LibraryView(
            out: out, words: StickerWording(addresses: addresses), index: index, logger: logger)
        library.follow()
        defer { library.stop() }
        let uploads = tokens.flatMap {
            UploadRoutes(
                uploadSettings, tokens: $0, daemon: uploadDaemon, base: base, rate: settings.rate,
                logger: logger)
        }
        let site = Site(
            library, out: out, addresses: addresses,
            gallery: .gallery(
                bases: [base, publicBaseURL], imageHosts: upstreams.imageHosts),
            compose: .compose(
                bases: [base, publicBaseURL], origins: settings.compose.origins,
                imageHosts: upstreams.imageHosts, hasUploads: uploads != nil),
            upstreams: upstreams,
            access: WebAccess(keys: keys, rate: settings.rate, metrics: settings.metrics),
            uploads: uploads, metrics: metrics, logger: logger)
        var service = HTTPService(
            at: settings.listen, setting: "web.listen", proxies: settings.trustedProxies,
            proxySetting: "web.trustedProxies",
            isServing: { [logger, settings, base] in
                logger.notice(
                    "stickerd-web serves",
                    metadata: ["address": "\(settings.listen)", "url": "\(base)"])
            },
            reply: { request in
                let asked = RoutedRequest(request)
                return asked.route?.mayBlock == true
                    ? try await HTTPService.blocking(for: request) { site.reply(to: asked) }
                    : .answer(await site.answerWithUpstreams(asked))
            })
        service.hosts = settings.hostNames
        service.probes = ["healthz", "readyz", "metrics"]
        if tokens != nil { service.uploadBytesMax = uploadSettings.uploadBytesMax }
        service.refuse = { site.refused(RoutedRequest($0), $1) }
        service.delay = { tokens?.delay(of: $0) ?? .zero }
        service.note = { metrics.note($0) }
        try await serve(service)
    }
}

extension WebConfiguration {
    /// The accepted host names. Liveness and readiness are no secret.
    var hostNames: HostNames {
        let shown = publicURL.split(separator: "/", maxSplits: 2).dropFirst().first
        let names = [HostNames.name(of: shown ?? ""), listen.host].compactMap(\.self) + hosts
        return HostNames(names, openPaths: ["healthz", "readyz"])
    }
}
