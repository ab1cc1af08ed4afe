import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerSmart

/// A year in four languages and three zones with daylight saving, as other programs tell it.
struct SmartYearTests {
    private struct Entry: Decodable {
        var zone: String
        var instant: Int
        var texts: [String: [String: Text]]
        var day: Int?
        var hour: Int?
        var interval: Int?
    }

    /// A string, or a number.
    private enum Text: Decodable, Equatable {
        case text(String)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    private static let hasBabel =
        (try? run("/usr/bin/python3", ["-c", "import babel"])) != nil

    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return data
    }

    /// Spaces that do not break are spaces.
    private func plain(_ text: String) -> String {
        text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }

    @Test(
        .enabled(if: hasBabel, "install python3-babel to run this test"),
        arguments: ["Europe/Berlin", "America/New_York", "Africa/Cairo"])
    func yearIsToldAsOthersTellIt(zone: String) throws {
        let script = Repository.path("Tests/Daemon/SmartTests/calendar.py")
        let lines = try Self.run("/usr/bin/python3", [script, "2026", zone])
            .split(separator: UInt8(ascii: "\n"))
        #expect(lines.count > 730)
        let whole = try SmartTemplate(
            Array(Placeholder.allCases.map { "{{\($0.rawValue)}}" }.joined().utf8))
        let day = try SmartTemplate(Array("{{weekday}}".utf8))
        let hour = try SmartTemplate(Array("{{hour}}".utf8))
        let hands = try SmartTemplate(Array("{{minute.angle}}".utf8))
        for (number, line) in lines.enumerated() {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(line))
            let date = Date(timeIntervalSince1970: Double(entry.instant))
            // One language at each instant, in turns that meet noon and midnight.
            let locales = entry.texts.keys.sorted()
            let locale = locales[(number + number / 2) % locales.count]
            let moment = SmartMoment(date, at: try SmartPlace(locale: locale, timeZone: zone))
            let values = moment.values(of: whole)
            for (name, expected) in try #require(entry.texts[locale]) {
                let found = Placeholder(rawValue: name).flatMap { values[$0] } ?? "nothing"
                switch expected {
                case .number(let number): #expect(Double(found) == number, "\(name) at \(date)")
                case .text(let text):
                    #expect(plain(found) == plain(text), "\(locale) \(name) at \(date)")
                }
            }
            try expect(moment.nextChange(of: day), is: entry.day, of: "day", moment, day)
            try expect(moment.nextChange(of: hour), is: entry.hour, of: "hour", moment, hour)
            try expect(moment.nextChange(of: hands), is: entry.interval, of: "hands", moment, hands)
        }
    }

    /// The change is not missed, and whatever comes before it changes nothing.
    private func expect(
        _ found: Date?, is expected: Int?, of what: String, _ moment: SmartMoment,
        _ template: SmartTemplate
    ) throws {
        guard let expected else { return }
        let found = try #require(found)
        let seconds = Int(found.timeIntervalSince1970)
        #expect(seconds <= expected && seconds > expected - 86_400, "\(what): \(found)")
        guard seconds < expected else { return }
        // Clocks are changed, and hands stand where they stood.
        let next = moment.at(found).nextChange(of: template)
        #expect(next.map { Int($0.timeIntervalSince1970) } == expected, "\(what) after \(found)")
    }

    @Test func whatDoesNotChangeHasNoNextInstant() throws {
        let template = try SmartTemplate(Array("{{condition}}".utf8))
        let place = try SmartPlace(locale: "en")

        #expect(SmartMoment(Date(), at: place).nextChange(of: template) == nil)
    }

    @Test func temperaturesAreWholeDegrees() throws {
        let template = try SmartTemplate(
            Array("{{temperature}}{{temperature.unit}}{{temperature.level}}".utf8))
        func shown(_ kelvin: Double, _ locale: String, _ unit: SmartPlace.Unit? = nil) throws
            -> String
        {
            let place = try SmartPlace(locale: locale, timeZone: "UTC", unit: unit)
            let weather = Weather(kelvin: kelvin, condition: .snow)
            let values = SmartMoment(Date(), at: place, weather: weather).values(of: template)
            return template.placeholders.compactMap { values[$0] }.joined()
        }

        #expect(try shown(294.15, "de") == "21°C68" && shown(294.15, "en_US") == "70°F69")
        #expect(try shown(272.75, "en_GB") == "0°C33" && shown(253.15, "fr") == "-20°C0")
        #expect(try shown(200, "de") == "-73°C0" && shown(400, "de", .fahrenheit) == "260°F100")
    }

    @Test func localeOfTheEnvironmentMeansTheSame() throws {
        #expect(try SmartPlace(locale: "de_DE.UTF-8").locale.identifier == "de_DE")
        #expect(try SmartPlace(locale: "de_DE@euro").locale.identifier == "de_DE")
    }

    @Test func unknownPlacesAreNamed() {
        #expect(throws: SmartPlaceFault.locale("xx_YY")) { try SmartPlace(locale: "xx_YY") }
        #expect(throws: SmartPlaceFault.timeZone("Mars")) {
            try SmartPlace(locale: "de", timeZone: "Mars")
        }
    }
}
