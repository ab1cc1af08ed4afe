public import StickerValues

/// A provider's answer.
public struct ProvidedWeather: Hashable, Sendable {
    /// The weather.
    public var weather: Weather
    /// The time of the weather; `nil` if unknown.
    public var measuredAt: Timestamp?

    /// Creates an answer; see the properties.
    public init(weather: Weather, measuredAt: Timestamp?) {
        (self.weather, self.measuredAt) = (weather, measuredAt)
    }
}

/// Why there is no answer.
public struct WeatherFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// When to ask again.
    public enum Pause: Hashable, Sendable {
        /// After a while that grows with each failure: the fault may be temporary.
        case growing
        /// After the normal interval: the operator must act.
        case interval
    }

    /// A clause for people, with a remedy if there is one: "OpenWeather answers 503".
    public let description: String
    /// When to ask again.
    public let pause: Pause
    /// How many seconds the provider asks to wait at least.
    public let secondsMin: Int

    /// Describes a fault.
    public init(_ description: String, pause: Pause = .growing, secondsMin: Int = 0) {
        (self.description, self.pause, self.secondsMin) = (description, pause, secondsMin)
    }
}
