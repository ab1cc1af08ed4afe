import StickerModel

/// How long a file that does not end as its format ends is given to arrive.
struct ArrivalPatience: Hashable, Sendable {
    /// The pause before the second look.
    var settle: Duration
    /// After so long without a change it is judged as it is.
    var limit: Duration

    /// What the configuration says.
    init(_ configuration: WatchConfiguration) {
        settle = .seconds(configuration.settleSeconds)
        limit = .seconds(configuration.arrivingSecondsMax)
    }

    private init(settle: Duration, limit: Duration) {
        (self.settle, self.limit) = (settle, limit)
    }

    /// In drain mode nobody waits longer than for two equal looks, 1 s apart.
    static let drain = ArrivalPatience(settle: .seconds(1), limit: .seconds(1))

    /// The pause before the next look at a file that was seen unchanged for `age`; `nil` when the time
    /// is up. Pauses grow with the age, so a slow upload costs few looks.
    func pause(afterMilliseconds age: Int64) -> Duration? {
        let left = limit - .milliseconds(age)
        guard left > .zero else { return nil }
        return min(max(settle, .milliseconds(age / 2)), left)
    }
}

/// How long a file must stay unchanged before it is read, where its end was not seen.
struct SettleTime: Hashable, Sendable {
    /// Where events tell of changes.
    var watching: Duration
    /// Where changes are found by polling.
    var polling: Duration

    /// What the configuration says.
    init(_ configuration: WatchConfiguration) {
        watching = .seconds(configuration.settleSeconds)
        polling = .seconds(configuration.settlePollingSeconds)
    }

    private init(_ both: Duration) { (watching, polling) = (both, both) }

    /// In drain mode a file is read at once; one that is not whole gets its second look then.
    static let drain = SettleTime(.zero)
}
