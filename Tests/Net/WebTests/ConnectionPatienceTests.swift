import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import StickerServer
import Testing

@testable import StickerWeb

/// Connections of clients that never come to an end.
struct ConnectionPatienceTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: ConnectionPatience(patience: .seconds(30)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private let head = HTTPRequestPart.head(
        .init(method: .get, scheme: nil, authority: nil, path: "/"))

    private func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    @Test func requestThatArrivesByDropsIsNotWaitedForForEver() throws {
        try channel.writeInbound(head)
        pass(20)
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        #expect(channel.isActive)
        pass(11)
        #expect(!channel.isActive)
    }

    @Test func wholeRequestHasAllTimeForItsAnswer() throws {
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        pass(3600)
        #expect(channel.isActive)
    }

    @Test func nextRequestOfAConnectionHasItsOwnTime() throws {
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        pass(3600)
        try channel.writeInbound(head)
        pass(29)
        #expect(channel.isActive)
        pass(2)
        #expect(!channel.isActive)
    }

    @Test func bodyIsTakenUpToALimit() throws {
        try channel.writeInbound(head)
        try channel.writeInbound(
            HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 64 << 10)))
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    @Test func answerThatNobodyTakesEndsTheConnection() throws {
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        pass(29)
        #expect(channel.isActive)
        pass(2)
        #expect(!channel.isActive)
    }

    /// Each part that is taken gives time for the next.
    @Test func answerThatMovesMayTakeLong() throws {
        for _ in 1...10 {
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            pass(25)
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
        pass(3600)
        #expect(channel.isActive)
    }
}
