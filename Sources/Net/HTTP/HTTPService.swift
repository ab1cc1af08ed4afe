package import NIOCore
import NIOPosix
package import StickerConfiguration
import StickerValues

/// The HTTP service of a program: its answers and its address, independent of the server implementation.
package struct HTTPService: Sendable {
    /// What a service does with a request.
    package enum Reply: Sendable {
        case answer(Answer)
        /// `take` receives the body while it arrives, so that a large one is never in memory as a whole. It may block,
        /// and throws `WebError` if no more is accepted. Then `answer` gets that error, or `nil` after the whole body,
        /// when it may block. Both are released with the request, whether that was answered or not.
        case receive(
            take: @Sendable (ByteBuffer) throws -> Void, answer: @Sendable (WebError?) -> Answer)
    }

    /// The address to listen at, and its configuration key.
    package let (address, setting): (WebAddress, String)
    /// The proxies trusted to name clients in `X-Forwarded-For`, and their configuration key.
    package let (proxies, proxySetting): ([AddressRange], String)
    /// The accepted host names; `nil` for any.
    package var hosts: HostNames?
    /// The paths that programs on the server's machine request, without the leading slash.
    package var probes: Set<String> = []
    /// The largest body read into memory; 0 if no request needs one.
    package var bodyBytesMax = 0
    /// Whether a request has a body for a receiver although others are read into memory.
    package var hasReceiver: @Sendable (WebRequest) -> Bool = { _ in false }
    /// The same for bodies with a receiver.
    package var uploadBytesMax = 0
    /// Answers a request that the server refuses.
    package var refuse: @Sendable (WebRequest, WebError) -> Answer = { $1.answer(to: $0) }
    /// The delay before a request is handled.
    package var delay: @Sendable (WebRequest) -> Duration = { _ in .zero }
    /// Receives the server's events.
    package var note: @Sendable (ServerEvent) -> Void = { _ in }
    /// Called once the server listens.
    package let isServing: @Sendable () -> Void
    /// Replies to a request; called concurrently. It must not block a thread: see `blocking`.
    package let reply: @Sendable (WebRequest) async throws -> Reply

    package init(
        at address: WebAddress, setting: String, proxies: [AddressRange], proxySetting: String,
        isServing: @escaping @Sendable () -> Void,
        reply: @escaping @Sendable (WebRequest) async throws -> Reply
    ) {
        (self.address, self.setting) = (address, setting)
        (self.proxies, self.proxySetting) = (proxies, proxySetting)
        (self.isServing, self.reply) = (isServing, reply)
    }

    private static let turns = WorkTurns(
        places: max(1, NIOSingletons.blockingPoolThreadCountSuggestion))

    /// Runs work that may wait for a disk, or is slow, in turns by client.
    package static func blocking<Value: Sendable>(
        for request: WebRequest, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await turns.run(for: request.client, while: request.isAwaited, body)
    }

    /// Runs work that may wait for a disk or a lock on a separate thread.
    package static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
