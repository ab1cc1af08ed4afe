import StickerTestSupport
import StickerValues
import Testing

@testable import StickerReports

/// The weather, and the message if it is unknown.
struct WeatherOutlookTests {
    private let place = WeatherPlace(latitude: 52.52, longitude: 13.4)
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func report(ageHours: Int64, trouble: String? = nil, kelvin: Double = 281)
        -> WeatherReport
    {
        var report = WeatherReport(provider: .openweather, place: place, nextAt: now)
        let asked = Timestamp(milliseconds: now.milliseconds - ageHours * 3_600_000)
        report.reading = .init(
            weather: Weather(kelvin: kelvin, condition: .rain), measuredAt: asked, askedAt: asked)
        report.trouble = trouble.map { .init(message: $0, failures: 2, since: now) }
        return report
    }

    private func outlook(_ report: WeatherReport) -> WeatherOutlook {
        WeatherOutlook(.report(report), at: place, now: now)
    }

    @Test func answerCountsForADay() {
        #expect(outlook(report(ageHours: 0)).trouble == nil)
        let fine = outlook(report(ageHours: 23, trouble: "OpenWeather answers 503"))
        #expect(fine.weather == Weather(kelvin: 281, condition: .rain))
        #expect(fine.trouble == "OpenWeather answers 503")
        let old = outlook(report(ageHours: 24, trouble: "OpenWeather answers 503"))
        #expect(old.weather == nil && old.measuredAt == nil)
        #expect(old.trouble == "the last answer is more than 24 h old: OpenWeather answers 503")
        let forgotten = outlook(report(ageHours: 24)).trouble
        #expect(forgotten?.contains("does not ask any more, see stickerd-weather(8)") == true)
    }

    @Test func whatIsMissingIsSaid() throws {
        let folder = try TemporaryFolder()
        func trouble(_ file: WeatherFile, at place: WeatherPlace?) -> String {
            WeatherOutlook(file, at: place, now: now).trouble ?? "nothing"
        }
        #expect(trouble(.absent, at: nil).contains("set smart.weather.latitude"))
        #expect(
            trouble(WeatherFile(folder.path("weather.json")), at: place).contains("not asked yet"))
        let other = WeatherPlace(latitude: 48.1, longitude: 11.6)
        #expect(trouble(.report(report(ageHours: 0)), at: other).contains("place has changed"))
        #expect(outlook(report(ageHours: -1)).trouble?.contains("the clock was set back") == true)
        // The provider itself has not looked out of the window for long.
        var old = report(ageHours: 0)
        old.reading?.measuredAt.milliseconds -= 25 * 3_600_000
        #expect(outlook(old).weather == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"version":2}"#,
        #"{"version":1,"provider":"openweather","latitude":1e300,"longitude":0,"nextAt":"2026-11-25T00:00:00Z"}"#,
        #"{"version":1,"provider":"openweather","latitude":1,"longitude":0,"nextAt":"2026-11-25T00:00:00Z","#
            + #""trouble":{"message":"x","failures":9223372036854775807,"since":"2026-11-25T00:00:00Z"}}"#,
        #"{"version":1,"provider":"openweather","latitude":1,"longitude":0,"nextAt":"2026-11-25T00:00:00Z","#
            + #""reading":{"weather":{"kelvin":21,"condition":"rain"},"measuredAt":"2026-11-25T00:00:00Z","#
            + #""askedAt":"2026-11-25T00:00:00Z"}}"#,
        String(repeating: " ", count: 70_000) + "{}",
    ]) func fileOfOthersIsNamed(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(text.utf8), to: "weather.json")

        let outlook = WeatherOutlook(WeatherFile(path), at: place, now: now)

        #expect(outlook.weather == nil)
        #expect(
            outlook.trouble == "run/weather.json is not a file of stickerd-weather; remove it")
    }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try TemporaryFolder()
        let report = report(ageHours: 1, trouble: "it rains")
        let path = try folder.write(try report.json(), to: "weather.json")

        #expect(WeatherFile(path) == .report(report))
        #expect(WeatherFile(try folder.makeFolder("folder")) != .absent)
    }
}
