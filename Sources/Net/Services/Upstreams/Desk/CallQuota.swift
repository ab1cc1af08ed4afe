/// How often an upstream may be asked within any hour: exactly, not on average, as a server that counts by the clock
/// could otherwise see twice as many.
struct CallQuota {
    private static let window = Duration.seconds(3600)

    /// 0 for no limit.
    let perHour: Int
    /// The times of calls, in order; no more than `perHour`.
    private var calls: [ContinuousClock.Instant] = []

    init(perHour: Int) { self.perHour = perHour }

    /// Counts a call.
    ///
    /// - Returns: `nil` if it may be made, else when the next one may be.
    mutating func take(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard perHour > 0 else { return nil }
        if calls.count >= perHour {
            calls.removeFirst(calls.firstIndex { $0 + Self.window > now } ?? calls.count)
        }
        guard calls.count < perHour else { return calls[0] + Self.window }
        calls.append(now)
        return nil
    }
}
