import StickerHTTP
import StickerModel

/// Who may ask, and how often.
struct WebAccess: Sendable {
    private let keys: AccessKeys
    private let rate: RequestRate
    private let metrics: WebConfiguration.Audience

    /// - Parameters:
    ///   - keys: those that are taken.
    ///   - rate: requests a second and client; 0 for any number.
    ///   - metrics: who may read the metrics.
    init(
        keys: AccessKeys, rate: Int = 0, metrics: WebConfiguration.Audience = .local
    ) {
        self.keys = keys
        self.metrics = metrics
        self.rate = RequestRate(perSecond: rate)
    }

    /// Refuses a request without one of the keys, and one too many.
    ///
    /// - Throws: `WebError`.
    func check(_ request: WebRequest, now: ContinuousClock.Instant = .now) throws {
        let (keys, given) = (keys.present, request.query["api_key"] ?? "")
        // A hash tells nobody by its time how much of a key is right.
        let isKnown = keys.contains(given)
        // Whoever tries keys is one client, whatever they try.
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

    /// Refuses metrics to others than those they are for. Keys make no difference: apps have them.
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
