import StickerConfiguration
import StickerValues

/// How long to wait for the rest of a file without the end that its format requires.
struct ArrivalPatience: Hashable, Sendable {
    /// The pause before the second look.
    var settle: Duration
    /// After this long without a change, the file is judged as it is.
    var limit: Duration

    /// In drain mode, a file only has to look the same twice, 1 s apart.
    static let drain = ArrivalPatience(settle: .seconds(1), limit: .seconds(1))

    /// The pause before the next look at a file unchanged for `age`; `nil` when the time is up. Pauses grow with the
    /// age, so a slow upload needs few looks.
    func pause(afterMilliseconds age: Int64) -> Duration? {
        let left = limit - .milliseconds(age)
        guard left > .zero else { return nil }
        return min(max(settle, .milliseconds(age / 2)), left)
    }

    /// The pause before the next look at a file that is read once it has settled; `nil` once it has.
    func pause(untilQuietAfter age: Int64) -> Duration? {
        let left = settle - .milliseconds(age)
        return left > .zero ? left : nil
    }
}

extension ArrivalPatience {
    /// Reads the values from the configuration.
    init(_ configuration: WatchConfiguration) {
        settle = .seconds(configuration.settleSeconds)
        limit = .seconds(configuration.arrivingSecondsMax)
    }
}

/// How long a file must stay unchanged before it is read, if the end of writing was not observed.
struct SettleTime: Hashable, Sendable {
    /// With events.
    var watching: Duration
    /// With polling.
    var polling: Duration

    /// In drain mode, a file is read at once; if it is incomplete, it gets its second look later.
    static let drain = SettleTime(watching: .zero, polling: .zero)
}

extension SettleTime {
    /// Reads the values from the configuration.
    init(_ configuration: WatchConfiguration) {
        watching = .seconds(configuration.settleSeconds)
        polling = .seconds(configuration.settlePollingSeconds)
    }
}
