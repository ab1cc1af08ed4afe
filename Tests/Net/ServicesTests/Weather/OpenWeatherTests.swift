import StickerValues
import Testing

@testable import StickerServices

/// Answers of openweathermap.org as they are documented, and as they should not be.
struct OpenWeatherTests {
    private let provider = OpenWeather()

    private func body(
        temp: String = "281.4", weather: String = #"[{"id":500,"main":"Rain"}]"#, more: String = ""
    ) -> [UInt8] {
        Array(
            #"{"coord":{"lon":13.4,"lat":52.52},"main":{"temp":\#(temp)},"weather":\#(weather)\#(more)}"#
                .utf8)
    }

    private func message(_ body: [UInt8]) -> String? {
        do throws(WeatherFault) {
            _ = try provider.reading(in: body)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func temperatureConditionAndTimeAreRead() throws {
        let reading = try provider.reading(in: body(more: #","dt":1795570000,"cod":200"#))

        #expect(reading.weather == Weather(kelvin: 281.4, condition: .rain))
        #expect(reading.measuredAt?.asDate == "2026-11-25T01:26:40Z")
        #expect(try provider.reading(in: body(temp: "273")).measuredAt == nil)
        #expect(try provider.reading(in: body(temp: "273")).weather.kelvin == 273)
    }

    @Test(arguments: [
        (200, Weather.Condition.thunderstorm), (310, .drizzle), (511, .rain), (602, .snow),
        (741, .mist), (781, .mist), (800, .clear), (801, .clouds), (804, .clouds),
    ]) func conditionIsThatOfItsNumber(_ number: Int, _ condition: Weather.Condition) throws {
        let weather = #"[{"id":\#(number),"main":"Whatever"}]"#

        #expect(try provider.reading(in: body(weather: weather)).weather.condition == condition)
    }

    @Test func groupCountsWhereTheNumberIsMissing() throws {
        func condition(_ group: String) throws -> Weather.Condition {
            try provider.reading(in: body(weather: #"[{"main":"\#(group)"}]"#)).weather.condition
        }

        #expect(try condition("Snow") == .snow && condition("Clear") == .clear)
        #expect(try condition("Haze") == .mist && condition("Tornado") == .mist)
    }

    @Test func answersOfNoUseSayWhatTheyLack() {
        let faults: [([UInt8], String)] = [
            ([], "not a JSON object"), (Array("[]".utf8), "not a JSON object"),
            (Array("<html>".utf8), "not a JSON object"),
            (Array(#"{"main":{"temp":"#.utf8), "not a JSON object"),
            (body(temp: #""281""#), "main.temp"), (body(temp: "null"), "main.temp"),
            (body(temp: "{}"), "main.temp"), (body(temp: "21.5"), "21.5 K"),
            (body(temp: "1e999"), "not a JSON object"), (body(weather: "[]"), "weather[0]"),
            (body(weather: "{}"), "weather[0]"), (body(weather: "[7]"), "weather[0]"),
            (body(weather: #"[{"main":7}]"#), "weather[0]"),
        ]
        for (body, part) in faults {
            let found = message(body)
            #expect(
                found?.contains(part) == true,
                "\(String(decoding: body, as: UTF8.self)): \(found ?? "-")")
        }
    }

    /// The code is a number in some refusals, and a text in others.
    @Test func refusalInTheBodyCounts() {
        #expect(message(Array(#"{"cod":401,"message":"no"}"#.utf8))?.contains("(401)") == true)
        #expect(message(Array(#"{"cod":"404","message":"no"}"#.utf8))?.contains("(404)") == true)
        #expect(message(body(more: #","cod":"200""#)) == nil)
    }

    @Test func addressHasNoExponents() {
        let place = WeatherPlace(latitude: 0.00001, longitude: -0.054)

        #expect(
            OpenWeather(base: "http://localhost:1/x").address(of: place, key: "k")
                == "http://localhost:1/x?lat=0.00&lon=-0.05&appid=k")
        #expect(
            provider.address(of: WeatherPlace(latitude: -33.8688, longitude: 151.2093), key: "k")
                == "https://api.openweathermap.org/data/2.5/weather?lat=-33.87&lon=151.21&appid=k")
    }
}
