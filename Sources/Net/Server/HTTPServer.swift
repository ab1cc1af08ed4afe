import Foundation
import HTTPTypes
import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import StickerConfiguration
package import StickerHTTP
import StickerSystem
import StickerValues
import UnixSignals

/// HTTP/1.1 at one address, with limits for clients, until a signal ends it.
package struct HTTPServer: Sendable {
    private let service: HTTPService
    private let logger: Logger
    private let notes: ServerNotes
    private let waiting: WaitingAnswers

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - service: its answers and its address.
    ///   - logger: receives errors of the library.
    package init(_ service: HTTPService, logger: Logger) {
        (self.service, self.logger) = (service, logger)
        let notes = ServerNotes(logger, count: service.note)
        self.notes = notes
        waiting = WaitingAnswers { notes.note($0) }
    }

    /// Serves until a signal ends it.
    ///
    /// - Throws: `WebServerError` if the address cannot be used.
    package func run() async throws {
        for remark in service.proxies.wideRemarks(service.proxySetting) {
            logger.warning("clients may claim any address", metadata: ["detail": "\(remark)"])
        }
        // Without descriptors, the server would try to accept without a pause.
        let connections = Connections(
            .init(descriptors: DescriptorLimit.raise()), proxies: service.proxies
        ) { [notes] in notes.note($0) }
        let server = Server(
            childChannelSetup: BoundedChannel(
                http: HTTP1Channel(responder: respond, configuration: limits),
                connections: connections),
            configuration: ServerConfiguration(
                address: .hostname(service.address.host, port: service.address.port), backlog: 4096),
            onServerRunning: { [service] _ in service.isServing() },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet)
        do {
            try await group(server).run()
        } catch is CancellationError {
            // Slow downloads are not waited for.
        } catch let error as IOError {
            throw WebServerError(error, service.address, service.setting)
        } catch let error as SocketAddressError.UnknownHost {
            throw WebServerError(error, service.address, service.setting)
        }
    }

    /// Answers a request. A thrown error closes the connection; the library answers errors of its parser.
    private func respond(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        var response: Response
        do {
            let (answer, place) = try await answered(request, channel, writer)
            response = Response(answer, place, to: request, channel)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = Self.date
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // Otherwise it would be answered a second time.
            throw ChannelError.eof
        }
    }

    /// The current time in the format of HTTP (RFC 9110, 5.6.7).
    private static var date: String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            guard let start = text.baseAddress else { return "" }
            _ = strftime(start, 32, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(cString: start)
        }
    }

    private func answered(
        _ request: Request, _ channel: any Channel, _ writer: borrowing ResponseWriter
    ) async throws -> (Answer, WaitingAnswers.Place?) {
        var asked = WebRequest(
            request, channel.remoteAddress?.ipAddress ?? "", proxies: service.proxies)
        asked.isAwaited = { channel.isActive }
        do {
            try checkHost(asked)
            tellOfCrowd(asked)
            try await delay(asked)
            if service.bodyBytesMax > 0, request.method != .get, request.method != .head,
                !service.hasReceiver(asked)
            {
                asked.body = try await receivedBody(of: request, asked, writer)
            }
            let answer =
                switch try await service.reply(asked) {
                case .answer(let answer): answer
                case .receive(let take, let answer):
                    try await receive(request.body, of: asked, writer, take, then: answer)
                }
            guard request.method != .head else { return (answer, nil) }
            let place = try await waiting.place(for: answer, of: asked.caller) {
                channel.close(promise: nil)
            }
            return (answer, place)
        } catch let error as WebError {
            return (service.refuse(asked, error), nil)
        }
    }

    /// Refuses a request for another server: another website may have pointed its own name at this address.
    private func checkHost(_ asked: WebRequest) throws {
        guard let host = asked.header("host"), HostNames.name(of: host) != nil else {
            throw HostNames.missing
        }
        guard let hosts = service.hosts, !hosts.answer(to: host, path: asked.path) else { return }
        notes.tell(
            "a request for another name was refused",
            ["host": "\(host.prefix(200))", "remedy": "add the name to web.hosts if it is yours"])
        throw HostNames.notOurs
    }

    /// Logs that a proxy does not name its clients, or is not trusted.
    private func tellOfCrowd(_ asked: WebRequest) {
        guard asked.caller.isCrowd else { return }
        if service.proxies.isEmpty {
            notes.tell(
                "a proxy before this server is not listed; its clients share one proxy's bounds",
                ["remedy": "set \(service.proxySetting) to its address, such as [\"127.0.0.1\"]"])
        } else if asked.header("x-forwarded-for") == nil,
            !service.probes.contains(asked.path ?? "")
        {
            notes.tell(
                "a listed proxy sends no X-Forwarded-For; its clients share one proxy's bounds",
                [
                    "client": "\(asked.client)",
                    "remedy": "let it send the field, unless a program there sends the requests",
                ])
        }
    }

    private func delay(_ asked: WebRequest) async throws {
        let delay = service.delay(asked)
        guard delay > .zero else { return }
        notes.tell(
            "many wrong tokens came from a client; each further one takes \(delay.components.seconds) s",
            ["client": "\(asked.client)"])
        try await Task.sleep(for: delay)
    }

    /// Reads a body into memory.
    private func receivedBody(
        of request: Request, _ asked: WebRequest, _ writer: borrowing ResponseWriter
    ) async throws -> [UInt8] {
        try await goOn(asked, writer)
        do {
            return Array(buffer: try await request.body.collect(upTo: service.bodyBytesMax))
        } catch is NIOTooManyBytesError {
            throw WebError(
                status: 413, message: "that is too much",
                remedy: "send at most \(service.bodyBytesMax.grouped) B")
        }
    }

    /// Hands a body to its receiver, part by part.
    private func receive(
        _ body: RequestBody, of asked: WebRequest, _ writer: borrowing ResponseWriter,
        _ take: @escaping @Sendable (ByteBuffer) throws -> Void,
        then answer: @escaping @Sendable (WebError?) -> Answer
    ) async throws -> Answer {
        do {
            try await goOn(asked, writer)
            for try await part in body { try await HTTPService.blocking { try take(part) } }
        } catch let error as WebError {
            return answer(error)
        }
        return try await HTTPService.blocking(for: asked) { answer(nil) }
    }

    /// Lets a client send the body that waits for permission: RFC 9110, 10.1.1.
    private func goOn(_ asked: WebRequest, _ writer: borrowing ResponseWriter) async throws {
        guard asked.header("expect")?.lowercased() == "100-continue" else { return }
        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }

    /// Limits on the size and time of requests.
    private var limits: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ConnectionPatience(
                    patience: .seconds(30),
                    // An upload that is too large is read for a while longer, so that its client gets the answer
                    // instead of a reset.
                    bodyBytesMax: max(
                        64 << 10, service.bodyBytesMax + 1024, 4 * service.uploadBytesMax)),
                OldClientHandler.Adder(host: service.address.description),
                RequestTurns(),
            ],
            idleTimeout: .seconds(15),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8192, maxHeaderListSize: 16384, maxHeaderFieldCount: 64))
    }

    /// Ends with a signal, a few seconds later at most.
    private func group(_ server: some Service) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        return ServiceGroup(configuration: configuration)
    }

    /// The library logs every connection.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .error)
        return logger
    }
}

extension WebRequest {
    fileprivate init(_ request: Request, _ client: String, proxies: [AddressRange]) {
        let fields = request.headers
        self.init(
            request.method.rawValue, request.head.path ?? "/",
            // Always 32 digits.
            identifier: String(UInt128.random(in: (1 << 124)...(.max)), radix: 16), client: client,
            proxies: proxies
        ) { name in
            // The library keeps this one separate.
            name == "host"
                ? request.head.authority : HTTPField.Name(name).flatMap { fields[$0] }
        }
    }
}

extension Response {
    fileprivate init(
        _ answer: Answer, _ place: WaitingAnswers.Place?, to request: Request,
        _ channel: any Channel
    ) {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        if let name = HTTPField.Name("X-Content-Type-Options") {
            fields.append(HTTPField(name: name, value: "nosniff"))
        }
        let hasBody = answer.status != 304 && answer.status != 204
        if hasBody, let count = answer.count { fields[.contentLength] = String(count) }
        self.init(
            status: .init(code: answer.status), headers: fields,
            body: request.method == .head || !hasBody
                ? ResponseBody() : ResponseBody(answer.body, place, to: request, channel))
    }
}

extension ResponseBody {
    /// Each part that a client reads gives it time for the next.
    private static let bytesAtOnce = BoundedChannel.pieceBytes
    /// The same for bodies already in memory.
    private static let readyBytesAtOnce = 2 * BoundedChannel.pieceBytes

    /// Waits until a channel has received the written part: only then does it know whether the client still reads.
    /// Otherwise a writer that is faster than the channel hands it the whole answer.
    private static func arrival(at channel: any Channel) async throws {
        try await channel.eventLoop.submit {}.get()
    }

    fileprivate init(
        _ body: Answer.Body, _ place: WaitingAnswers.Place?, to request: Request,
        _ channel: any Channel
    ) {
        switch body {
        case .bytes(let bytes) where bytes.readableBytes <= Self.readyBytesAtOnce:
            self.init(byteBuffer: bytes)
        case .bytes(let bytes):
            self.init(contentLength: bytes.readableBytes) { writer in
                var rest = bytes
                while rest.readableBytes > 0,
                    let part = rest.readSlice(
                        length: min(rest.readableBytes, Self.readyBytesAtOnce))
                {
                    // A copy: a slice waiting in the channel would keep the whole answer in memory.
                    try await writer.write(ByteBuffer(bytes: part.readableBytesView))
                    try await Self.arrival(at: channel)
                    place?.move()
                }
                try await writer.finish(nil)
            }
        case .changes(let marks):
            self.init { writer in
                // A client that disconnects is noticed at once, not at the next event.
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
                    let part = offset..<min(offset + Self.bytesAtOnce, range.upperBound)
                    let bytes =
                        try file.isApart
                        ? await HTTPService.blocking { try file.bytes(part) } : file.bytes(part)
                    try await writer.write(ByteBuffer(bytes: bytes))
                    try await Self.arrival(at: channel)
                    place?.move()
                    offset = part.upperBound
                }
                try await writer.finish(nil)
            }
        }
    }
}

extension OpenFile {
    /// - Throws: `FileError`, also for a file that became shorter, which closes the connection: the client sees that
    ///   the answer is incomplete.
    fileprivate func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        let bytes = try descriptor.bytes(range.count, at: range.lowerBound, path: path)
        guard bytes.count == range.count else {
            throw FileError(call: "pread", path: path, errno: EIO)
        }
        return bytes
    }
}
