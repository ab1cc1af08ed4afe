/// A placeholder of a template: `{{weekday}}`.
public enum Placeholder: String, CaseIterable, Sendable {
    /// `Thursday`.
    case weekday
    /// `Thu`.
    case weekdayShort = "weekday.short"
    /// The day of the month: `24`.
    case day
    /// `December`.
    case month
    /// `Dec`.
    case monthShort = "month.short"
    /// `12`.
    case monthNumber = "month.number"
    /// `2026`.
    case year
    /// `Dec 24, 2026`, in the order of the language.
    case date
    /// `December 24, 2026`.
    case dateLong = "date.long"
    /// `12/24/26`.
    case dateShort = "date.short"
    /// `8:05 AM` or `08:05`.
    case time
    /// The hour as the language counts it, with two digits where it writes two: `8` or `08`.
    case hour
    /// With two digits: `05`.
    case minute
    /// `AM`, or nothing with a 24-hour clock.
    case period
    /// The angle of the hour hand in degrees, clockwise from 12.
    case hourAngle = "hour.angle"
    /// The angle of the minute hand.
    case minuteAngle = "minute.angle"
    /// `21°`, in the unit of the settings.
    case temperature
    /// `C` or `F`.
    case temperatureUnit = "temperature.unit"
    /// How full a thermometer is: 0 at -20 °C and below, 100 at 40 °C and above.
    case temperatureLevel = "temperature.level"
    /// `clear`, `clouds`, `rain`, `drizzle`, `thunderstorm`, `snow` or `mist`.
    case condition

    /// The event that changes the value.
    public enum Cause: Sendable {
        case day, hour, minute
        /// As often as the template says.
        case interval
        case weather
    }

    /// The event that changes the value.
    public var cause: Cause {
        switch self {
        case .weekday, .weekdayShort, .day, .month, .monthShort, .monthNumber, .year, .date,
            .dateLong, .dateShort:
            .day
        case .hour, .period: .hour
        case .time, .minute: .minute
        case .hourAngle, .minuteAngle: .interval
        case .temperature, .temperatureUnit, .temperatureLevel, .condition: .weather
        }
    }
}
