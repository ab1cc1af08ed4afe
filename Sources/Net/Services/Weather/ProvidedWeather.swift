public import StickerModel

/// What a provider says.
public struct ProvidedWeather: Hashable, Sendable {
    /// The weather.
    public var weather: Weather
    /// Of when it is; `nil` if that is not said.
    public var measuredAt: Timestamp?

    /// Describes an answer.
    public init(weather: Weather, measuredAt: Timestamp?) {
        (self.weather, self.measuredAt) = (weather, measuredAt)
    }
}

/// Why a question was not answered.
public struct WeatherFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// When it makes sense to ask again.
    public enum Pause: Hashable, Sendable {
        /// After a while that grows with each failure: it may pass by itself.
        case growing
        /// After as long as after an answer: somebody has to do something.
        case interval
    }

    /// A clause for people, with a remedy if there is one: "OpenWeather answers 503".
    public let description: String
    /// When to ask again.
    public let pause: Pause
    /// For how many seconds the provider wants to be left alone at least.
    public let secondsMin: Int

    /// Describes a fault.
    public init(_ description: String, pause: Pause = .growing, secondsMin: Int = 0) {
        (self.description, self.pause, self.secondsMin) = (description, pause, secondsMin)
    }
}
