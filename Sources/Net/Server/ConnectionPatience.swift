package import NIOCore
package import NIOHTTPTypes

/// Ends connections of clients that send a request, or take an answer, for ever, or send more than a request has: silence
/// is noticed elsewhere, but not a byte now and then.
package final class ConnectionPatience: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// Long bodies have the same time again for each part of this size: 35 KB a second at least.
    private static let bytesInPatience = 1 << 20

    private let patience: TimeAmount
    private let bodyBytesMax: Int
    private var bodyBytes = 0
    /// Ends the connection while a request has not arrived as a whole.
    private var arrival: Scheduled<Void>?
    /// Ends it while the client takes nothing of an answer.
    private var departure: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: how long a request may take to arrive, and an answer not to move.
    ///   - bodyBytesMax: what a request may have besides its head. Where nothing is asked with a body, what some clients
    ///     send along is small.
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
