public import StickerValues

/// The known weather, and why no more is known.
public struct WeatherOutlook: Hashable, Sendable, Encodable {
    /// The weather; absent if unknown.
    public private(set) var weather: Weather?
    /// When it was measured.
    public private(set) var measuredAt: Timestamp?
    /// One sentence with the problem and its remedy; absent if there is none.
    public private(set) var trouble: String?

    /// Evaluates the file of `stickerd-net weather`.
    ///
    /// - Parameters:
    ///   - file: its content.
    ///   - place: the place of the weather; `nil` if not configured.
    ///   - now: the present time.
    public init(_ file: WeatherFile, at place: WeatherPlace?, now: Timestamp) {
        guard let place else {
            trouble = "no place is set; set smart.weather.latitude and smart.weather.longitude"
            return
        }
        switch file {
        case .absent:
            trouble =
                "stickerd-weather has not asked yet; give it a key and start it, see stickerd-weather(8)"
        case .foreign:
            trouble = "run/weather.json is not a file of stickerd-weather; remove it"
        case .unreadable(let why): trouble = why
        case .report(let report) where report.place != place:
            trouble = "the place has changed, and stickerd-weather has not asked for it yet"
        case .report(let report): take(report, now)
        }
    }

    private mutating func take(_ report: WeatherReport, _ now: Timestamp) {
        trouble = report.trouble?.message
        guard let reading = report.reading else {
            trouble = trouble ?? "stickerd-weather has no answer yet"
            return
        }
        let age = Duration.milliseconds(
            now.milliseconds - min(reading.measuredAt, reading.askedAt).milliseconds)
        guard age > .zero - WeatherReport.clockSlack else {
            trouble = "the last answer is of the future: the clock was set back"
            return
        }
        guard age < WeatherReport.ageMax else {
            let hours = Int(WeatherReport.ageMax / .seconds(3600))
            let why = trouble ?? "stickerd-weather does not ask any more, see stickerd-weather(8)"
            trouble = "the last answer is more than \(hours) h old: \(why)"
            return
        }
        weather = reading.weather
        measuredAt = reading.measuredAt
    }
}
