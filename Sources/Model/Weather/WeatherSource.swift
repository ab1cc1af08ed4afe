/// Those who can be asked for the weather, as the configuration names them.
public enum WeatherSource: String, Hashable, Sendable, Codable, CaseIterable {
    /// openweathermap.org.
    case openweather
}
