import StickerValues

/// openweathermap.org, "current weather data": https://openweathermap.org/current
struct OpenWeather: Sendable {
    private static let standard = "https://api.openweathermap.org/data/2.5/weather"

    private let base: String

    /// Creates the provider.
    ///
    /// - Parameter base: replaces the standard address; empty for that.
    init(base: String = "") { self.base = base.isEmpty ? Self.standard : base }

    /// The company's own spelling.
    var name: String { "OpenWeather" }

    /// The URL for the current weather of a place. Without `units` temperatures are in kelvin.
    ///
    /// - Parameters:
    ///   - place: on earth.
    ///   - key: the provider's, of letters, digits, `_` and `-`.
    /// - Returns: a URL, which contains the key and must not be logged.
    func address(of place: WeatherPlace, key: String) -> String {
        "\(base)?lat=\(place.latitudeText)&lon=\(place.longitudeText)&appid=\(key)"
    }

    /// Reads `main.temp`, `weather[0]` and `dt` in the body of an answer with status 200.
    ///
    /// - Throws: `WeatherFault` if it contains no weather.
    func reading(in body: [UInt8]) throws(WeatherFault) -> ProvidedWeather {
        // The details of a syntax error do not help operators.
        guard case .object(let answer)? = try? JSONParser.parse(body) else {
            throw WeatherFault("OpenWeather's answer is not a JSON object")
        }
        // A refusal may have any status; `cod` is sometimes a number and sometimes a text.
        if let code = answer["cod"]?.asCode, code != 200 {
            throw fault(status: code, retryAfterSeconds: nil)
        }
        guard let kelvin = answer["main"]?["temp"]?.asNumber else {
            throw WeatherFault("OpenWeather answers without a number in main.temp")
        }
        guard Weather.kelvinRange.contains(kelvin) else {
            let (least, most) = (Weather.kelvinRange.lowerBound, Weather.kelvinRange.upperBound)
            throw WeatherFault(
                "OpenWeather answers \(kelvin) K in main.temp, limit \(Int(least)) to \(Int(most)) K"
            )
        }
        guard case .array(let conditions)? = answer["weather"],
            let condition = conditions.first.flatMap(Self.condition)
        else { throw WeatherFault("OpenWeather answers without a condition in weather[0]") }
        let seconds = answer["dt"]?.asNumber.flatMap { Int64(exactly: $0.rounded()) }
        let measuredAt = seconds.flatMap { seconds -> Timestamp? in
            (0...4_102_444_800).contains(seconds) ? Timestamp(milliseconds: seconds * 1000) : nil
        }
        return ProvidedWeather(
            weather: Weather(kelvin: kelvin, condition: condition), measuredAt: measuredAt)
    }

    /// By its number, https://openweathermap.org/weather-conditions, or without one by its group.
    private static func condition(_ value: JSONValue) -> Weather.Condition? {
        switch value["id"]?.asCode {
        case .some(200...299): return .thunderstorm
        case .some(300...399): return .drizzle
        case .some(500...599): return .rain
        case .some(600...699): return .snow
        case .some(700...799): return .mist
        case .some(800): return .clear
        case .some(801...899): return .clouds
        default: break
        }
        guard case .string(let group)? = value["main"] else { return nil }
        // Smoke, haze, dust, fog, sand, ash, squalls and tornadoes all hide the sky.
        return Weather.Condition(rawValue: group.lowercased()) ?? .mist
    }

    /// The fault for a status other than 200.
    func fault(status: Int, retryAfterSeconds: Int?) -> WeatherFault {
        switch status {
        case 401, 403:
            WeatherFault(
                "OpenWeather does not accept the key (\(status)); a new one counts after two "
                    + "hours at most, so wait, or get another one", pause: .interval)
        case 404:
            WeatherFault(
                "OpenWeather has no weather for the place (404); "
                    + "correct smart.weather.latitude and longitude", pause: .interval)
        case 429:
            WeatherFault(
                "OpenWeather was asked too often (429); the key is also used elsewhere, "
                    + "or smart.weather.intervalMinutes is too low",
                pause: .interval, secondsMin: retryAfterSeconds ?? 0)
        case 300...399:
            WeatherFault(
                "OpenWeather redirects to another address (\(status)), which is not followed; "
                    + "correct smart.weather.url", pause: .interval)
        default:
            WeatherFault("OpenWeather answers \(status)", secondsMin: retryAfterSeconds ?? 0)
        }
    }
}

extension JSONValue {
    fileprivate var asNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// A whole number, also as a text.
    fileprivate var asCode: Int? {
        switch self {
        case .integer(let number): number
        case .string(let text): Int(text)
        default: nil
        }
    }
}
