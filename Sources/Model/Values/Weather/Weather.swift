/// The weather, as shown by stickers.
public struct Weather: Hashable, Sendable, Codable {
    /// Kinds of weather, as grouped by OpenWeather; rare ones are assigned to one of these.
    public enum Condition: String, Sendable, Codable, CaseIterable {
        case clear, clouds, rain, drizzle, thunderstorm, snow, mist
    }

    /// Absolute temperature.
    public var kelvin: Double
    /// The kind of weather.
    public var condition: Condition

    /// Creates a reading.
    public init(kelvin: Double, condition: Condition) {
        self.kelvin = kelvin
        self.condition = condition
    }

    /// The temperatures that a thermometer outside may show; the records are 184 and 330 K.
    public static let kelvinRange = 150.0...350.0
}
