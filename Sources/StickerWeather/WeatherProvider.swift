public import StickerModel

/// A service that knows the weather.
public protocol WeatherProvider: Sendable {
    /// What people call it.
    var name: String { get }

    /// What to ask for the weather of a place now.
    ///
    /// - Parameters:
    ///   - place: on earth.
    ///   - key: given by the provider, of letters, digits, `_` and `-`.
    /// - Returns: a URL. There is the key in it: it belongs into no log.
    func address(of place: WeatherPlace, key: String) -> String

    /// Reads the body of an answer with status 200.
    ///
    /// - Throws: `WeatherFault` if it says nothing of the weather.
    func reading(in body: [UInt8]) throws(WeatherFault) -> ProvidedWeather

    /// What a status other than 200 means.
    ///
    /// - Parameters:
    ///   - status: of the answer.
    ///   - retryAfterSeconds: how long the provider wants to be left alone, if it said so.
    /// - Returns: what is wrong, and when to ask again.
    func fault(status: Int, retryAfterSeconds: Int?) -> WeatherFault
}

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
