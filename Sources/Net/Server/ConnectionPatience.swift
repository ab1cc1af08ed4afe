package import NIOCore
package import NIOHTTPTypes

/// Closes connections of clients that send a request, or read an answer, endlessly slowly, or send more than a request
/// may have. Silence is noticed elsewhere, but not a byte now and then.
package final class ConnectionPatience: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// Long bodies get the same time again for each part of this size: 35 KB a second at least.
    private static let bytesInPatience = 1 << 20

    private let patience: TimeAmount
    private let bodyBytesMax: Int
    private var bodyBytes = 0
    /// Closes the connection unless a request arrives completely.
    private var arrival: Scheduled<Void>?
    /// Closes it unless the client reads its answer.
    private var departure: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: the most time for a request to arrive, and for an answer without progress.
    ///   - bodyBytesMax: the largest body. Where no request needs one, bodies that some clients send are small.
    package init(patience: TimeAmount, bodyBytesMax: Int = 64 << 10) {
        (self.patience, self.bodyBytesMax) = (patience, bodyBytesMax)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            bodyBytes = 0
            arrival = arrival ?? end(context)
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > bodyBytesMax { return context.close(promise: nil) }
            if bodyBytes / Self.bytesInPatience
                > (bodyBytes - bytes.readableBytes) / Self.bytesInPatience
            {
                arrival?.cancel()
                arrival = end(context)
            }
        case .end:
            arrival?.cancel()
            arrival = nil
        }
        context.fireChannelRead(data)
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        departure?.cancel()
        departure = context.channel.isWritable ? nil : end(context)
        context.fireChannelWritabilityChanged()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        arrival?.cancel()
        departure?.cancel()
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
}
