import NIOCore
import NIOEmbedded
import StickerHTTP
import Synchronization
import Testing

@testable import StickerServer

/// One request at a time, whatever a client sends.
struct RequestGateTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Takes each piece for a whole request.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.triggerUserOutboundEvent(RequestTurn.arrived, promise: nil)
            context.fireChannelRead(data)
        }
    }

    private let events = Events()
    private let connections: Connections

    private final class Events: Sendable {
        let cuts = Mutex<[ServerEvent.Cut]>([])
        let count = Mutex(0)
    }

    init() {
        let events = events
        connections = Connections(.init(all: 5, ofClient: 2, ofProxy: 3), proxies: []) { event in
            switch event {
            case .connections(let count): events.count.withLock { $0 = count }
            case .cut(let why): events.cuts.withLock { $0.append(why) }
            case .waiting: break
            }
        }
    }

    private func connect(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: [RequestGate(connections), Reader()])
        let place = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: place).wait()
        return channel
    }

    @Test func nextRequestComesAfterTheAnswer() throws {
        let channel = try connect("192.0.2.1")
        try channel.writeInbound(ByteBuffer(string: String(repeating: Self.get, count: 3)))
        channel.read()
        for _ in 0..<3 {
            #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: Self.get))
            #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
            channel.triggerUserOutboundEvent(RequestTurn.answered, promise: nil)
        }
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }

    @Test func pieceEndsOneRequest() {
        func pieces(_ text: String, _ body: Int?? = .none) -> [String] {
            var (cut, bytes) = (RequestCut(), ByteBuffer(string: text))
            if case .some(let count) = body { cut.expect(count) }
            var pieces: [String] = []
            while let piece = cut.next(of: &bytes) { pieces.append(String(buffer: piece)) }
            return pieces
        }
        #expect(pieces(Self.get + Self.get) == [Self.get, Self.get])
        #expect(pieces("a\n\n\n\r\nb\n\r\nc") == ["a\n\n", "\n\r\nb\n\r\n", "c"])
        #expect(pieces("\r\n\r\n\r\n") == ["\r\n\r\n\r\n"])
        #expect(pieces("\n\n\n\n" + Self.get, 4) == ["\n\n\n\n", Self.get])
        #expect(pieces(String(repeating: "1", count: 1025), .some(nil)).map(\.count) == [1024, 1])
    }

    @Test func emptyLineIsFoundWhereverItIsCut() {
        var cut = RequestCut()
        let pieces = Self.get.utf8.map { byte -> Int in
            var bytes = ByteBuffer(bytes: [byte])
            return cut.next(of: &bytes)?.readableBytes ?? 0
        }
        #expect(pieces.allSatisfy { $0 == 1 })
        var rest = ByteBuffer(string: Self.get + "b")
        #expect(cut.next(of: &rest)?.readableBytes == Self.get.utf8.count)
    }

    @Test func endOfInputComesBehindWhatWasSent() throws {
        let channel = try connect("192.0.2.1")
        let ends = Mutex(0)
        try channel.pipeline.syncOperations.addHandler(EndCounter { ends.withLock { $0 += 1 } })
        try channel.writeInbound(ByteBuffer(string: Self.get + Self.get))
        channel.read()
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(ends.withLock { $0 } == 0)
        channel.triggerUserOutboundEvent(RequestTurn.answered, promise: nil)
        #expect(ends.withLock { $0 } == 1)
    }

    private final class EndCounter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { body() }
        }
    }

    // MARK: Places

    @Test func clientWithTooManyLosesTheOneThatRests() throws {
        let first = try connect("192.0.2.1")
        let second = try connect("::ffff:192.0.2.1")
        try first.writeInbound(ByteBuffer(string: "G"))
        let third = try connect("192.0.2.1")
        #expect(first.isActive && !second.isActive && third.isActive)
        #expect(events.cuts.withLock { $0 } == [.client])
        #expect(events.count.withLock { $0 } == 2)
    }

    @Test func networkOfIPv6IsOneClient() throws {
        let channels = try ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"]
            .map { try connect($0) }
        #expect(channels.map(\.isActive) == [false, true, true, true])
    }

    @Test func whoeverHasTheMostMakesRoom() throws {
        let own = try (0..<3).map { _ in try connect("127.0.0.1") }
        let others = try ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { try connect($0) }
        #expect(own.map(\.isActive) == [false, true, true])
        #expect(others.map(\.isActive) == [true, true, true])
        #expect(events.cuts.withLock { $0 } == [.places])
        for channel in own + others { _ = try? channel.finish() }
        #expect(events.count.withLock { $0 } == 0)
    }

    // MARK: Turns

    @Test func clientsTakeTurns() async throws {
        let turnstile = RequestTurnstile()
        let inside = (0..<32).map { _ in turnstile.enter("a") { _ in } }
        #expect(inside.allSatisfy { $0 != nil })
        let late = Turns()
        for name in ["a1", "a2", "a3", "b1"] { late.ask(turnstile, String(name.prefix(1)), name) }
        for number in inside.prefix(3) { turnstile.leave(try #require(number)) }
        #expect(late.order.withLock { $0 } == ["a1", "b1", "a2"])
        // A client that has been inside for long makes room, too.
        try await Task.sleep(for: .milliseconds(300))
        #expect(late.order.withLock { $0 } == ["a1", "b1", "a2", "a3"])
    }

    private final class Turns: Sendable {
        let order = Mutex<[String]>([])

        func ask(_ turnstile: RequestTurnstile, _ party: String, _ name: String) {
            let number = turnstile.enter(party) { _ in self.order.withLock { $0.append(name) } }
            #expect(number == nil)
        }
    }
}
