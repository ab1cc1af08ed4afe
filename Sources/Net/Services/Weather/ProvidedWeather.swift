import StickerValues

/// A provider's answer.
struct ProvidedWeather: Hashable, Sendable {
    /// The weather.
    var weather: Weather
    /// The time of the weather; `nil` if unknown.
    var measuredAt: Timestamp?
}

/// Why there is no answer.
struct WeatherFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// When to ask again.
    enum Pause: Hashable, Sendable {
        /// After a while that grows with each failure: the fault may be temporary.
        case growing
        /// After the normal interval: the operator must act.
        case interval
    }

    /// A clause for people, with a remedy if there is one: "OpenWeather answers 503".
    let description: String
    /// When to ask again.
    let pause: Pause
    /// How many seconds the provider asks to wait at least.
    let secondsMin: Int

    init(_ description: String, pause: Pause = .growing, secondsMin: Int = 0) {
        (self.description, self.pause, self.secondsMin) = (description, pause, secondsMin)
    }
}
