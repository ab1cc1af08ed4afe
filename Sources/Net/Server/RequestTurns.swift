import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Notifies the gate when requests end, and when their answers have left.
final class RequestTurns: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): tell(.begun(body: Self.bodyBytes(head)), context)
        case .body: break
        case .end: tell(.arrived, context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        let left = promise ?? context.eventLoop.makePromise(of: Void.self)
        left.futureResult.assumeIsolated().whenSuccess { [self] in tell(.answered, context) }
        context.write(data, promise: left)
    }

    private func tell(_ turn: RequestTurn, _ context: ChannelHandlerContext) {
        context.triggerUserOutboundEvent(turn, promise: nil)
    }

    /// The parser has refused contradictory lengths.
    private static func bodyBytes(_ head: HTTPRequest) -> Int? {
        if head.headerFields[.transferEncoding] != nil { return nil }
        return head.headerFields[.contentLength].map { Int($0) } ?? 0
    }
}
