/// Weather providers, as named in the configuration.
public enum WeatherSource: String, Hashable, Sendable, Codable, CaseIterable {
    /// openweathermap.org.
    case openweather
}
