import StickerHTTP
import Synchronization

/// How often a client may ask: as many requests a second as are configured, and twice as many at once after a pause.
final class RequestRate: Sendable {
    /// More clients are not told apart: all have a fresh start then.
    private static let clientsMax = 100_000

    private struct Bucket {
        var left: Double
        var filledAt: ContinuousClock.Instant
    }

    private let perSecond: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameter perSecond: requests; 0 for any number.
    init(perSecond: Int) { self.perSecond = Double(perSecond) }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - client: tells a client from others.
    ///   - now: the time.
    /// - Throws: `WebError` if there were too many.
    func count(_ client: String, now: ContinuousClock.Instant = .now) throws {
        guard perSecond > 0 else { return }
        let isWithin = buckets.withLock { buckets in
            if buckets.count >= Self.clientsMax { buckets = [:] }
            var bucket = buckets[client] ?? Bucket(left: 2 * perSecond, filledAt: now)
            let seconds = bucket.filledAt.duration(to: now) / .seconds(1)
            bucket.left = min(2 * perSecond, bucket.left + seconds * perSecond)
            bucket.filledAt = now
            let isWithin = bucket.left >= 1
            if isWithin { bucket.left -= 1 }
            buckets[client] = bucket
            return isWithin
        }
        guard !isWithin else { return }
        throw WebError(
            status: 429, message: "too many requests",
            remedy: "ask at most \(Int(perSecond)) times a second",
            headers: [("Retry-After", "1")])
    }
}
