public import Foundation
public import StickerValues

/// The values of placeholders at one instant, in one place.
///
/// The calendar is always the Gregorian one. Names, orders and digits are those of Unicode's CLDR for the language.
public struct SmartMoment: Sendable {
    private let instant: Date
    private let place: SmartPlace
    private let weather: Weather?

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - instant: any.
    ///   - place: language and time zone.
    ///   - weather: the weather, if known.
    public init(_ instant: Date, at place: SmartPlace, weather: Weather? = nil) {
        self.instant = instant
        self.place = place
        self.weather = weather
    }

    /// Another instant in the same place.
    func at(_ instant: Date) -> SmartMoment { SmartMoment(instant, at: place, weather: weather) }

    /// The language in BCP 47; `nil` for English, whose letters fonts draw by default.
    var language: String? {
        place.locale.language.languageCode == .english
            ? nil : place.locale.identifier(.bcp47)
    }

    /// The texts for the placeholders of `template`; without those of weather if that is unknown.
    public func values(of template: SmartTemplate) -> [Placeholder: String] {
        var values: [Placeholder: String] = [:]
        for placeholder in template.placeholders {
            values[placeholder] = value(of: placeholder, interval: template.intervalMinutes)
        }
        return values
    }

    /// The text for one placeholder; `nil` if it shows unknown weather.
    ///
    /// - Parameters:
    ///   - placeholder: the placeholder.
    ///   - interval: the minutes between two positions of the hands.
    /// - Returns: plain text.
    func value(of placeholder: Placeholder, interval: Int) -> String? {
        switch placeholder {
        case .weekday: text("EEEE")
        case .weekdayShort: text("E")
        case .day: text("d")
        case .month: text("LLLL")
        case .monthShort: text("LLL")
        case .monthNumber: text("M")
        case .year: text("y")
        case .date: formatter(.medium, .none).string(from: instant)
        case .dateLong: formatter(.long, .none).string(from: instant)
        case .dateShort: formatter(.short, .none).string(from: instant)
        case .time: formatter(.none, .short).string(from: instant)
        case .hour: text(hourPattern)
        case .minute: text("mm")
        case .period: hourPattern.contains("h") || hourPattern.contains("K") ? text("a") : ""
        case .hourAngle: degrees(of: minuteOfDay(interval), perMinute: 0.5)
        case .minuteAngle: degrees(of: minuteOfDay(interval), perMinute: 6)
        case .temperature: weather.map { number($0.degrees(place.unit)) + "°" }
        case .temperatureUnit: weather.map { _ in place.unit == .celsius ? "C" : "F" }
        case .temperatureLevel: weather.map { "\($0.level(place.unit))" }
        case .condition: weather.map(\.condition.rawValue)
        }
    }

    private func formatter(
        _ date: DateFormatter.Style, _ time: DateFormatter.Style
    ) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = place.locale
        formatter.calendar = place.calendar
        formatter.timeZone = place.timeZone
        formatter.dateStyle = date
        formatter.timeStyle = time
        return formatter
    }

    /// The text for a pattern of Unicode Technical Standard 35.
    private func text(_ pattern: String) -> String {
        let formatter = formatter(.none, .none)
        formatter.dateFormat = pattern
        return formatter.string(from: instant)
    }

    /// `HH` or `h`, as the language writes hours.
    private var hourPattern: String {
        String(formatter(.none, .short).dateFormat.filter { "HhKk".contains($0) })
    }

    private func number(_ value: Int) -> String {
        // With the digits of the language, as in dates.
        value.formatted(.number.locale(place.locale))
    }

    private func minuteOfDay(_ interval: Int) -> Int {
        let local = place.calendar.dateComponents([.hour, .minute], from: instant)
        let minute = (local.hour ?? 0) * 60 + (local.minute ?? 0)
        return minute - minute % interval
    }

    private func degrees(of minute: Int, perMinute: Double) -> String {
        let angle = (Double(minute) * perMinute).truncatingRemainder(dividingBy: 360)
        return angle == angle.rounded() ? "\(Int(angle))" : "\(angle)"
    }

    // MARK: The next change

    /// The earliest instant, weather aside, at which `template` may show something else; `nil` if time changes nothing.
    public func nextChange(of template: SmartTemplate) -> Date? {
        let causes = Set(template.placeholders.map(\.cause))
        var instants: [Date] = []
        let calendar = place.calendar
        if causes.contains(.day), let day = calendar.dateInterval(of: .day, for: instant) {
            instants.append(day.end)
        }
        let local = calendar.dateComponents([.hour, .minute, .second], from: instant)
        let minute = (local.hour ?? 0) * 60 + (local.minute ?? 0)
        func after(_ minutes: Int) {
            let start = floor(instant.timeIntervalSinceReferenceDate / 60) * 60
            instants.append(Date(timeIntervalSinceReferenceDate: start + Double(minutes) * 60))
        }
        if causes.contains(.minute) { after(1) }
        if causes.contains(.hour) { after(60 - minute % 60) }
        if causes.contains(.interval) {
            let interval = template.intervalMinutes
            // The last interval of a day may be shorter.
            after(min(interval - minute % interval, 24 * 60 - minute))
        }
        // The time zone's offset may change before that.
        if !causes.isDisjoint(with: [.hour, .interval]),
            let change = place.timeZone.nextDaylightSavingTimeTransition(after: instant)
        {
            instants.append(change)
        }
        return instants.min()
    }
}
