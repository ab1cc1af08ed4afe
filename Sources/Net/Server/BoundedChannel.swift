import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// An HTTP/1.1 connection with little memory, however much its client sends, or leaves unread.
struct BoundedChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    /// The largest waiting piece of an answer.
    static let pieceBytes = 32 << 10
    /// The most bytes read at once.
    private static let readBytesMax = 16 << 10
    /// The kernel's buffer of unread bytes, which it counts double.
    private static let unreadBytes = 128 << 10
    /// The kernel's buffer of unsent bytes.
    private static let unsentBytes = 128 << 10
    /// `TCP_NOTSENT_LOWAT` of tcp(7).
    private static let unsentOption = NIOBSDSocket.Option(rawValue: 25)

    let http: HTTP1Channel
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try bound(channel)
            return http.setup(channel: channel, logger: logger)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func bound(_ channel: any Channel) throws {
        if let options = channel.syncOptions {
            try options.setOption(.maxMessagesPerRead, value: 1)
            try options.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(
                    minimum: 512, initial: 2048, maximum: Self.readBytesMax))
            // The next piece is made once one of two has left.
            try options.setOption(
                .writeBufferWaterMark, value: .init(low: 1, high: 2 * Self.pieceBytes))
            try options.setOption(
                .socketOption(.so_rcvbuf), value: numericCast(Self.unreadBytes))
            try options.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsentOption),
                value: numericCast(Self.unsentBytes))
        }
        try channel.pipeline.syncOperations.addHandler(RequestGate(connections))
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
