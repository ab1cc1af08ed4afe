import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Ends an answer of unknown length by closing the connection if the client uses HTTP/1.0, which knows no chunks (RFC
/// 9112, 7.1). Also ensures that a request has one Host, or none if it is to be refused (RFC 9112, 3.2).
final class OldClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let host: String
    private var isOld = false

    /// - Parameter host: the name for clients that send none.
    init(host: String) { self.host = host }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        isOld = head.version == .http1_0
        setHost(&head)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func setHost(_ head: inout HTTPRequestHead) {
        let names = head.headers["host"]
        if isOld, names.isEmpty || names == [""] {
            head.headers.replaceOrAdd(name: "host", value: host)
        }
        switch head.headers["host"].count {
        case 0: return
        case 1: break
        default: return head.headers.remove(name: "host")
        }
        // A whole URL names the host.
        guard let scheme = head.uri.firstRange(of: "://"), !head.uri.hasPrefix("/") else { return }
        let named = head.uri[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        head.headers.replaceOrAdd(name: "host", value: String(named))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOld, case .head(var head) = unwrapOutboundIn(data),
            head.status.mayHaveResponseBody, !head.headers.contains(name: "content-length")
        else { return context.write(data, promise: promise) }
        head.version = .http1_0
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// Inserts the handler where versions are still known: later parts have none.
    final class Adder: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        private let host: String

        init(host: String) { self.host = host }

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
                try pipeline.addHandler(OldClientHandler(host: host), position: .before(codec))
                pipeline.removeHandler(self, promise: nil)
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}
