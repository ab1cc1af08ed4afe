import FoundationEssentials

/// `run/weather.json`: what `stickerd-weather` has learnt. Shape: `deploy/schema/weather.schema.json`.
public struct WeatherReport: Hashable, Sendable, Codable {
    /// An answer of the provider.
    public struct Reading: Hashable, Sendable, Codable {
        /// What it said.
        public var weather: Weather
        /// Of when that is.
        public var measuredAt: Timestamp
        /// When it was asked for.
        public var askedAt: Timestamp

        /// Describes an answer.
        public init(weather: Weather, measuredAt: Timestamp, askedAt: Timestamp) {
            (self.weather, self.measuredAt, self.askedAt) = (weather, measuredAt, askedAt)
        }
    }

    /// Why there is no newer reading.
    public struct Trouble: Hashable, Sendable, Codable {
        /// One sentence for people, with its remedy.
        public var message: String
        /// How many questions in a row went unanswered.
        public var failures: Int
        /// Since when.
        public var since: Timestamp

        /// Describes a trouble.
        public init(message: String, failures: Int, since: Timestamp) {
            (self.message, self.failures, self.since) = (message, failures, since)
        }
    }

    /// The name of the file.
    public static let fileName = "weather.json"
    /// The largest file that is read.
    public static let bytesMax = 65_536
    /// A reading that is older says nothing about the weather.
    public static let ageMax = Duration.seconds(24 * 3600)

    /// How far clocks may be apart.
    public static let clockSlack = Duration.seconds(300)

    /// The version of the format.
    public var version = 1
    /// Who was asked.
    public var provider: WeatherSource
    /// The place, in degrees north and east.
    public var latitude, longitude: Double
    /// The last answer; absent if there was none for this place.
    public var reading: Reading?
    /// What is wrong; absent if the last question was answered.
    public var trouble: Trouble?
    /// When somebody was asked last; absent if nobody was.
    public var askedAt: Timestamp?
    /// Nobody is asked before.
    public var nextAt: Timestamp

    /// Begins a report about a place.
    public init(
        provider: WeatherSource, place: WeatherPlace, nextAt: Timestamp
    ) {
        (self.provider, self.nextAt) = (provider, nextAt)
        (latitude, longitude) = (place.latitude, place.longitude)
    }

    /// The place it is about.
    public var place: WeatherPlace { WeatherPlace(latitude: latitude, longitude: longitude) }
}

extension WeatherReport {
    /// Reads the file; `nil` if it is something else.
    public init?(json: [UInt8]) {
        guard let report = try? JSONDecoder().decode(Self.self, from: Data(json)),
            report.version == 1, (-90...90).contains(report.latitude),
            (-180...180).contains(report.longitude),
            report.trouble.map({ (0...1_000_000).contains($0.failures) }) ?? true,
            report.reading.map({ Weather.kelvinRange.contains($0.weather.kelvin) }) ?? true
        else { return nil }
        self = report
    }

    /// The bytes of the file.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return [UInt8](try encoder.encode(self)) + [0x0A]
    }
}
