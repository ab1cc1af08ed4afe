public import Foundation
public import StickerValues

/// Where smart stickers are read: a language and a time zone.
public struct SmartPlace: Sendable {
    /// The unit of temperatures.
    public enum Unit: String, Sendable, CaseIterable {
        case celsius, fahrenheit
    }

    /// The language, with a region: `de`, `en_GB`.
    public let locale: Locale
    /// The time zone.
    public let timeZone: TimeZone
    /// The unit of temperatures.
    public let unit: Unit

    /// Looks both up.
    ///
    /// - Parameters:
    ///   - locale: an identifier of CLDR, or one that `SmartLocale` can match.
    ///   - timeZone: a name of the time zone database, such as `Europe/Berlin`; `nil` for that of the system.
    ///   - unit: of temperatures; `nil` for that of the region.
    /// - Throws: `SmartPlaceFault`.
    public init(
        locale: String, timeZone: String? = nil, unit: Unit? = nil
    ) throws(SmartPlaceFault) {
        guard let found = SmartLocale(locale) else { throw .locale(locale) }
        self.locale = Locale(identifier: found.identifier)
        if let timeZone {
            guard let zone = TimeZone(identifier: timeZone) else { throw .timeZone(timeZone) }
            self.timeZone = zone
        } else {
            self.timeZone = .current
        }
        self.unit =
            unit ?? (found.region.map(Self.inFahrenheit.contains) == true ? .fahrenheit : .celsius)
    }

    /// Looks up the configured place.
    ///
    /// - Throws: `SmartPlaceFault`.
    public init(_ settings: StickerSettings.Smart) throws(SmartPlaceFault) {
        try self.init(
            locale: settings.locale,
            timeZone: settings.timeZone.isEmpty ? nil : settings.timeZone,
            unit: Unit(rawValue: settings.unit.rawValue))
    }

    /// Looks up the configured place; with the English of its region if its language is unknown.
    ///
    /// - Throws: `SmartPlaceFault` of another kind.
    public init(orInEnglish settings: StickerSettings.Smart) throws(SmartPlaceFault) {
        var settings = settings
        if SmartLocale(settings.locale) == nil {
            settings.locale = "en_" + (SmartLocale.region(of: settings.locale) ?? "001")
        }
        try self.init(settings)
    }

    /// The same language and unit in another zone.
    public func moved(to timeZone: TimeZone) -> SmartPlace {
        SmartPlace(locale: locale, timeZone: timeZone, unit: unit)
    }

    private init(locale: Locale, timeZone: TimeZone, unit: Unit) {
        (self.locale, self.timeZone, self.unit) = (locale, timeZone, unit)
    }

    /// Regions that use Fahrenheit: CLDR 44, units preferred for temperatures of weather.
    private static let inFahrenheit: Set<String> = [
        "US", "BS", "BZ", "KY", "PR", "PW", "VI", "GU", "AS", "MP", "FM", "MH", "LR", "UM",
    ]

    var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        calendar.timeZone = timeZone
        return calendar
    }
}

/// An unknown language or time zone.
public enum SmartPlaceFault: Error, Hashable, Sendable, CustomStringConvertible {
    case locale(String)
    case timeZone(String)
    case instant(String)

    /// The fault and the remedy.
    public var description: String {
        switch self {
        case .locale(let name):
            "there is no locale \"\(name)\"; write a language such as de, or one with a region, en_GB"
        case .instant(let text):
            "\"\(text)\" is not a time; write 2026-12-24T08:00, or with an offset "
                + "2026-12-24T08:00+01:00"
        case .timeZone(let name):
            "there is no time zone \"\(name)\"; write a name such as Europe/Berlin, or UTC"
        }
    }
}
