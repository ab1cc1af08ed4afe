import NIOCore
import NIOPosix
package import StickerModel

/// The HTTP service of a program: its answers and its address, independent of the server implementation.
package struct HTTPService: Sendable {
    package let address: WebAddress
    package let setting: String
    package let proxies: [AddressRange]
    package let proxySetting: String
    package let hosts: HostNames?
    package let probes: Set<String>
    package let bodyBytesMax: Int
    package let uploadBytesMax: Int
    package let receive: @Sendable (WebRequest) throws -> (any BodyReceiver)?
    package let refuse: @Sendable (WebRequest, WebError) -> Answer
    package let delay: @Sendable (WebRequest) -> Duration
    package let note: @Sendable (ServerEvent) -> Void
    package let isServing: @Sendable () -> Void
    package let answer: @Sendable (WebRequest) async throws -> Answer

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - address: the address to listen at.
    ///   - setting: the configuration key of the address.
    ///   - proxies: the proxies trusted to name clients in `X-Forwarded-For`.
    ///   - proxySetting: the configuration key of the proxies.
    ///   - hosts: the accepted host names; `nil` for any.
    ///   - probes: the paths that programs on the server's machine request, without the leading slash.
    ///   - bodyBytesMax: the largest body read into memory; 0 if no request needs one.
    ///   - uploadBytesMax: the same for bodies with a receiver.
    ///   - receive: returns the receiver of a body, or refuses it; `nil` reads the body into memory.
    ///   - refuse: answers a request whose body is refused.
    ///   - delay: the delay before a request is handled.
    ///   - note: receives the server's events.
    ///   - isServing: called once the server listens.
    ///   - answer: answers a request; called concurrently. It must not block a thread: see `blocking`.
    package init(
        at address: WebAddress, setting: String, proxies: [AddressRange], proxySetting: String,
        hosts: HostNames? = nil, probes: Set<String> = [],
        bodyBytesMax: Int = 0, uploadBytesMax: Int = 0,
        receive: @escaping @Sendable (WebRequest) throws -> (any BodyReceiver)? = { _ in nil },
        refuse: @escaping @Sendable (WebRequest, WebError) -> Answer = { $1.answer(to: $0) },
        delay: @escaping @Sendable (WebRequest) -> Duration = { _ in .zero },
        note: @escaping @Sendable (ServerEvent) -> Void = { _ in },
        isServing: @escaping @Sendable () -> Void,
        answer: @escaping @Sendable (WebRequest) async throws -> Answer
    ) {
        (self.address, self.setting) = (address, setting)
        (self.hosts, self.probes) = (hosts, probes)
        (self.proxies, self.proxySetting) = (proxies, proxySetting)
        (self.delay, self.note, self.bodyBytesMax) = (delay, note, bodyBytesMax)
        (self.uploadBytesMax, self.receive, self.refuse) = (uploadBytesMax, receive, refuse)
        (self.isServing, self.answer) = (isServing, answer)
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
