public import StickerValues

/// The smart stickers that come with stickerd, and the weather.
public struct SmartConfiguration: Hashable, Sendable {
    /// Whether the shipped ones are made.
    public var enabled = false
    /// The configuration of `stickerd-net weather`.
    public var weather = WeatherConfiguration()

    /// The defaults.
    public init() {}
}

/// The provider and the place of the weather.
public struct WeatherConfiguration: Hashable, Sendable {
    /// The provider.
    public var provider = WeatherSource.openweather
    /// Degrees north of the equator; `nil` for no place, and no weather.
    public var latitude: Double?
    /// Degrees east of Greenwich.
    public var longitude: Double?
    /// A file with the provider's key on its first line; systemd's credential `weather.key` takes precedence.
    public var keyFile: String?
    /// The address for requests; empty for that of the provider.
    public var url = ""
    /// How long a reading is valid, in minutes.
    public var intervalMinutes = 60

    /// The defaults.
    public init() {}

    /// The place, if configured.
    public var place: WeatherPlace? {
        guard let latitude, let longitude else { return nil }
        return WeatherPlace(latitude: latitude, longitude: longitude)
    }
}

extension SmartConfiguration {
    mutating func read(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        reader.bool("enabled", &enabled)
        reader.object("weather") { weather.read(&$0, isPath: isPath) }
    }
}

extension WeatherConfiguration {
    fileprivate mutating func read(_ reader: inout ObjectReader, isPath: (String) -> Bool) {
        reader.choice("provider", &provider)
        let areRight = reader.isSound { reader in
            reader.optionalNumber("latitude", &latitude, in: -90...90)
            reader.optionalNumber("longitude", &longitude, in: -180...180)
        }
        if areRight, (latitude == nil) != (longitude == nil) {
            reader.note(
                latitude == nil ? "latitude" : "longitude", "is missing: a place needs both")
        }
        reader.optionalString("keyFile", &keyFile, "null or a file", where: isPath)
        reader.string(
            "url", &url, "empty, or \(AskedAddress.wanted)"
        ) { $0.isEmpty || AskedAddress.isRight($0) }
        reader.integer("intervalMinutes", &intervalMinutes, in: 10...720)
    }
}
