import StickerHTTP
import StickerValues
import Synchronization

/// How often a client may ask: the configured number of requests per period, and twice as many at once after a pause.
final class RequestRate: Sendable {
    /// With more clients, all counts start over.
    private static let clientsMax = 100_000

    private struct Bucket {
        var left: Double
        var filledAt: ContinuousClock.Instant
    }

    private let count: Int
    private let period: String
    private let perSecond: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameter perSecond: requests; 0 for no limit.
    init(perSecond: Int) {
        (count, period, self.perSecond) = (perSecond, "a second", Double(perSecond))
    }

    /// - Parameter perMinute: requests; 0 for no limit.
    init(perMinute: Int) {
        (count, period, perSecond) = (perMinute, "a minute", Double(perMinute) / 60)
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - client: identifies the client.
    ///   - share: how many clients it counts as.
    ///   - now: the time.
    /// - Throws: `WebError` if there were too many.
    func count(
        _ client: String, share: Int = 1, now: ContinuousClock.Instant = .now
    ) throws {
        guard perSecond > 0 else { return }
        let isWithin = buckets.withLock { buckets in
            if buckets.count >= Self.clientsMax { buckets = [:] }
            let most = 2 * Double(count * share)
            var bucket = buckets[client] ?? Bucket(left: most, filledAt: now)
            let seconds = bucket.filledAt.duration(to: now) / .seconds(1)
            bucket.left = min(most, bucket.left + seconds * perSecond * Double(share))
            bucket.filledAt = now
            let isWithin = bucket.left >= 1
            if isWithin { bucket.left -= 1 }
            buckets[client] = bucket
            return isWithin
        }
        guard !isWithin else { return }
        throw WebError(
            status: 429, message: "too many requests",
            remedy: "ask at most \(count.counted("time", "times")) \(period)",
            headers: [("Retry-After", "\(max(1, Int((1 / perSecond).rounded(.up))))")])
    }
}
