import NIOCore

/// Lets one request at a time into a connection. Bytes that a client sends before it has read the answer stay unread,
/// or unparsed: a parsed request needs a hundred times as much memory, and one read may hold a thousand of them.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let connections: Connections
    private var connection: Connections.Connection?
    private var waiting = ByteBuffer()
    private var cut = RequestCut()
    /// Complete requests without an answer; negative if one was answered before it had arrived.
    private var unanswered = 0
    /// Whether a handler waits for more of a request.
    private var isWanted = false
    private var isPassing = false
    /// Whether a request may begin, or has asked to.
    private var turn = Turn.none
    private var hasEnded = false
    private var isShut: Bool { unanswered > 0 }

    private enum Turn {
        case none
        case asked
        case given(Int, until: NIODeadline)
    }

    /// - Parameter connections: the connections it belongs to.
    init(_ connections: Connections) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
        connection = connections.admit(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let connection { connections.leave(connection) }
        connection = nil
        endTurn()
        waiting = ByteBuffer()
        context.fireChannelInactive()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.move()
        var bytes = unwrapInboundIn(data)
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { pass(context) }

    func read(context: ChannelHandlerContext) {
        isWanted = true
        pass(context)
    }

    /// Passes on data as wanted, until a request is complete.
    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        while isWanted, !isShut, waiting.readableBytes > 0, hasTurn(context),
            let bytes = cut.next(of: &waiting)
        {
            isWanted = false
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
            // A handler that wants more calls `read`.
            context.channel.read()
        }
        isPassing = false
        guard waiting.readableBytes == 0 else { return }
        if waiting.capacity > 0 { waiting = ByteBuffer() }
        if hasEnded {
            hasEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else if isWanted, !isShut {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        hasEnded = true
        pass(context)
    }

    // MARK: Turns

    /// Whether a request may begin; it asks only once.
    private func hasTurn(_ context: ChannelHandlerContext) -> Bool {
        switch turn {
        case .given(_, let end) where .now() < end: return true
        case .given: endTurn()
        case .asked: return false
        case .none: break
        }
        let gate = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
        let number = connections.turnstile.enter(connection?.party ?? "") { number in
            gate.eventLoop.execute { gate.value.gate.begin(number, gate.value.context) }
        }
        guard let number else {
            turn = .asked
            return false
        }
        turn = given(number)
        return true
    }

    private func begin(_ number: Int, _ context: ChannelHandlerContext) {
        turn = given(number)
        guard connection != nil else { return endTurn() }
        pass(context)
    }

    /// A long body takes several turns.
    private func given(_ number: Int) -> Turn {
        .given(number, until: .now() + RequestTurnstile.timeMax)
    }

    private func endTurn() {
        guard case .given(let number, _) = turn else { return }
        turn = .none
        connections.turnstile.leave(number)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let turn = event as? RequestTurn else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        switch turn {
        case .begun(let body): cut.expect(body)
        case .arrived:
            cut.end()
            unanswered += 1
        case .answered:
            unanswered -= 1
            connection?.move()
            endTurn()
            pass(context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        connection?.move()
        context.write(data, promise: promise)
    }
}

/// The progress of a request, passed from the parser's end to the gate.
enum RequestTurn {
    /// The number of bytes after a head; `nil` for chunks.
    case begun(body: Int?)
    /// It has arrived completely.
    case arrived
    /// The client has read the whole answer, as far as is known here.
    case answered
}

/// Splits incoming bytes so that each piece ends one request at most, or two if the first has a body.
struct RequestCut {
    /// At most a hundred chunks and their heads.
    private static let chunkBytesMax = 1024

    private enum Place {
        case head
        /// This many bytes are left.
        case body(Int)
        case chunks
    }

    private var place = Place.head
    /// Whether the current line is empty so far, after an earlier one that was not.
    private var isLineEmpty = true
    private var hasLine = false

    /// Returns the next piece, or `nil` if there are no bytes.
    mutating func next(of bytes: inout ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        let count =
            switch place {
            case .head: headBytes(of: bytes)
            case .body(let left): min(left, bytes.readableBytes)
            case .chunks: min(Self.chunkBytesMax, bytes.readableBytes)
            }
        if case .body(let left) = place { place = left > count ? .body(left - count) : .head }
        return bytes.readSlice(length: count)
    }

    /// Notes how many bytes follow a head; `nil` for chunks.
    mutating func expect(_ count: Int?) {
        place = count.map { $0 > 0 ? .body($0) : .head } ?? .chunks
    }

    /// Notes that the request is over.
    mutating func end() {
        if case .chunks = place { place = .head }
    }

    /// The bytes up to the empty line that ends a head, or all. Empty lines before the head do not count.
    private mutating func headBytes(of bytes: ByteBuffer) -> Int {
        var count = 0
        for byte in bytes.readableBytesView {
            count += 1
            switch byte {
            case UInt8(ascii: "\n"):
                if isLineEmpty, hasLine {
                    hasLine = false
                    return count
                }
                isLineEmpty = true
            case UInt8(ascii: "\r"): break
            default: (isLineEmpty, hasLine) = (false, true)
            }
        }
        return count
    }
}
