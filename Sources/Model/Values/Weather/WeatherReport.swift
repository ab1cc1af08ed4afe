import FoundationEssentials

/// `run/weather.json`: the results of `stickerd-net weather`. Schema: `deploy/schema/weather.schema.json`.
public struct WeatherReport: Hashable, Sendable, Codable {
    /// An answer of the provider.
    public struct Reading: Hashable, Sendable, Codable {
        /// The weather.
        public var weather: Weather
        /// When it was measured.
        public var measuredAt: Timestamp
        /// When it was requested.
        public var askedAt: Timestamp

        /// Describes an answer.
        public init(weather: Weather, measuredAt: Timestamp, askedAt: Timestamp) {
            (self.weather, self.measuredAt, self.askedAt) = (weather, measuredAt, askedAt)
        }
    }

    /// Why there is no newer reading.
    public struct Trouble: Hashable, Sendable, Codable {
        /// One sentence with its remedy.
        public var message: String
        /// The number of consecutive failed requests.
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
    /// The age from which a reading is no longer used.
    public static let ageMax = Duration.seconds(24 * 3600)

    /// The tolerated difference between clocks.
    public static let clockSlack = Duration.seconds(300)

    /// The version of the format.
    public var version = 1
    /// The provider.
    public var provider: WeatherSource
    /// The place, in degrees north and east.
    public var latitude, longitude: Double
    /// The last reading; absent if there is none for this place.
    public var reading: Reading?
    /// The trouble; absent if the last request succeeded.
    public var trouble: Trouble?
    /// The time of the last request; absent if there was none.
    public var askedAt: Timestamp?
    /// The earliest time of the next request.
    public var nextAt: Timestamp

    /// Creates a report about a place.
    public init(
        provider: WeatherSource, place: WeatherPlace, nextAt: Timestamp
    ) {
        (self.provider, self.nextAt) = (provider, nextAt)
        (latitude, longitude) = (place.latitude, place.longitude)
    }

    /// Its place.
    public var place: WeatherPlace { WeatherPlace(latitude: latitude, longitude: longitude) }
}

extension WeatherReport {
    /// Reads the file; `nil` if it has another form.
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
