import NIOCore
import NIOPosix
package import StickerModel

/// The answers of a program over HTTP, and where it gives them. Nothing in it depends on who serves it.
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
    ///   - address: where it listens.
    ///   - setting: the key of the configuration that says so.
    ///   - proxies: who may say in `X-Forwarded-For` for whom it asks.
    ///   - proxySetting: the key that names them.
    ///   - hosts: the names to which it answers; `nil` for any.
    ///   - probes: the paths that programs beside the server ask for themselves, without the slash at the beginning.
    ///   - bodyBytesMax: how much of a body is read into memory; 0 if no request has a meaning with one.
    ///   - uploadBytesMax: the same for bodies that somebody receives while they arrive.
    ///   - receive: who takes the body of a request as it arrives, and may refuse it before; `nil` for memory.
    ///   - refuse: answers a request whose body is not taken.
    ///   - delay: how long a request waits before it is looked at.
    ///   - note: learns what the server ends, and how many it serves.
    ///   - isServing: called once the server listens.
    ///   - answer: answers a request; called for several at once. It must hold no thread while it waits: see
    ///     `blocking`.
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

    /// Runs what an answer takes that may wait for a disk, or takes long, in turn by client.
    package static func blocking<Value: Sendable>(
        for request: WebRequest, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await turns.run(for: request.client, while: request.isAwaited, body)
    }

    /// Runs what may wait for a disk or a lock where nobody else waits for it.
    package static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
