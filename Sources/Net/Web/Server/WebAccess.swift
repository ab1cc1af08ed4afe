import StickerConfiguration
import StickerHTTP
import StickerValues

/// Checks access and request rates.
struct WebAccess: Sendable {
    private let keys: AccessKeys
    private let rate: RequestRate
    private let metrics: WebConfiguration.Audience

    /// - Parameters:
    ///   - keys: the accepted keys.
    ///   - rate: requests a second and client; 0 for no limit.
    ///   - metrics: who may read the metrics.
    init(
        keys: AccessKeys, rate: Int = 0, metrics: WebConfiguration.Audience = .local
    ) {
        self.keys = keys
        self.metrics = metrics
        self.rate = RequestRate(perSecond: rate)
    }

    /// Refuses requests without an accepted key, and too many requests.
    ///
    /// - Throws: `WebError`.
    func check(_ request: WebRequest, now: ContinuousClock.Instant = .now) throws {
        let (keys, given) = (keys.present, request.query["api_key"] ?? "")
        // Comparing hashes reveals nothing about the key by its timing.
        let isKnown = keys.contains(given)
        // A client that guesses keys counts as one client, regardless of the keys.
        if isKnown {
            try rate.count("key \(given)", now: now)
        } else {
            try rate.count(request.client, share: request.caller.share, now: now)
        }
        guard isKnown || keys.isEmpty else {
            throw WebError(
                status: 401,
                message: given.isEmpty ? "there is no api_key" : "the api_key is not known",
                remedy: "add api_key=KEY, with a key that the operator gave you")
        }
    }

    /// Refuses metrics to clients that may not read them. Keys make no difference: apps have them.
    ///
    /// - Throws: `WebError`.
    func checkForMetrics(_ request: WebRequest) throws {
        guard metrics == .everyone || request.isLocal else {
            throw WebError(
                status: 403, message: "metrics are for this machine",
                remedy: "ask from this machine, or set web.metrics to everyone")
        }
    }
}
