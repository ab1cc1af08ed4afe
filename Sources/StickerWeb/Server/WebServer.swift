import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle
public import StickerModel
import StickerSystem
import UnixSignals

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
            gallery: Gallery(bases: [base, publicBaseURL]), access: access,
            metrics: WebMetrics(run: run), logger: logger)
        let application = Application(
            responder: CallbackResponder<WebContext> { request, context in
                Response(site.answer(WebRequest(request, context)), to: request)
            },
            server: .http1(configuration: Self.limits),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.listen.host, port: settings.listen.port),
                backlog: 1024),
            onServerRunning: { [logger, settings] _ in
                logger.notice(
                    "stickerd-web serves",
                    metadata: ["address": "\(settings.listen)", "url": "\(base)"])
            }, logger: Self.quiet(logger))
        Self.raiseDescriptorLimit()
        do {
            try await Self.group(application, logger).run()
        } catch is CancellationError {
            // Somebody who takes a file slowly is not waited for.
        } catch let error as IOError {
            throw WebServerError(error, settings.listen)
        } catch let error as SocketAddressError.UnknownHost {
            throw WebServerError(error, settings.listen)
        }
    }

    /// What a client may send, and how long it may take for it.
    private static var limits: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionPatience(patience: .seconds(30))],
            idleTimeout: .seconds(15),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8192, maxHeaderListSize: 16384, maxHeaderFieldCount: 64))
    }

    /// Ends with a signal, a few seconds later at most.
    private static func group(_ application: some Service, _ logger: Logger) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet(logger))
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        return ServiceGroup(configuration: configuration)
    }

    /// Lets as many clients be connected as this user may have; beyond that, accepting would be tried without a pause.
    private static func raiseDescriptorLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // Where it cannot be raised, the server works with what there is.
        _ = setrlimit(resource, &limit)
    }

    /// The library tells of every connection.
    private static func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .error)
        return logger
    }
}

extension WebRequest {
    fileprivate init(_ request: Request, _ context: WebContext) {
        let fields = request.headers
        self.init(
            request.method.rawValue, request.head.path ?? "/", identifier: context.id,
            client: context.client
        ) { name in
            HTTPField.Name(name).flatMap { fields[$0] }
        }
    }
}

extension Response {
    fileprivate init(_ answer: Answer, to request: Request) {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        if let name = HTTPField.Name("X-Content-Type-Options") {
            fields.append(HTTPField(name: name, value: "nosniff"))
        }
        let hasBody = answer.status != 304
        if hasBody, let count = answer.count { fields[.contentLength] = String(count) }
        self.init(
            status: .init(code: answer.status), headers: fields,
            body: request.method == .head || !hasBody
                ? ResponseBody() : ResponseBody(answer.body, to: request))
    }
}

extension ResponseBody {
    /// Each part that a client takes gives it time for the next.
    private static let bytesAtOnce = 64 * 1024

    fileprivate init(_ body: Answer.Body, to request: Request) {
        switch body {
        case .bytes(let bytes): self.init(byteBuffer: bytes)
        case .changes(let marks):
            self.init { writer in
                // A client that goes is noticed at once, not at the next event.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await mark in marks.cancelOnGracefulShutdown() {
                        try await writer.write(ByteBuffer(string: "data: \(mark)\n\n"))
                    }
                }
                try await writer.finish(nil)
            }
        case .file(let file, let range):
            self.init(contentLength: range.count) { writer in
                var offset = range.lowerBound
                while offset < range.upperBound {
                    let count = min(Self.bytesAtOnce, range.upperBound - offset)
                    let bytes = try file.descriptor.bytes(count, at: offset, path: file.path)
                    // A file that became shorter ends the connection: the client sees that something is missing.
                    guard bytes.count == count else {
                        throw FileError(call: "pread", path: file.path, errno: EIO)
                    }
                    try await writer.write(ByteBuffer(bytes: bytes))
                    offset += count
                }
                try await writer.finish(nil)
            }
        }
    }
}
