public import Foundation
public import StickerModel

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
    /// What temperatures are shown in.
    public let unit: Unit

    /// Looks both up.
    ///
    /// - Parameters:
    ///   - locale: an identifier of CLDR; `de-AT` is the same as `de_AT`.
    ///   - timeZone: a name of the time zone database, such as `Europe/Berlin`; `nil` for that of the system.
    ///   - unit: of temperatures; `nil` for that of the region.
    /// - Throws: `SmartPlaceFault`.
    public init(
        locale: String, timeZone: String? = nil, unit: Unit? = nil
    ) throws(SmartPlaceFault) {
        // As the environment has it, de_DE.UTF-8, it means the same.
        let name = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("-", with: "_")
        guard Self.known.contains(name) else { throw .locale(locale) }
        self.locale = Locale(identifier: name)
        if let timeZone {
            guard let zone = TimeZone(identifier: timeZone) else { throw .timeZone(timeZone) }
            self.timeZone = zone
        } else {
            self.timeZone = .current
        }
        let region = self.locale.region?.identifier ?? (name == "en" ? "US" : nil)
        self.unit =
            unit ?? (region.map(Self.inFahrenheit.contains) == true ? .fahrenheit : .celsius)
    }

    /// Looks up what a configuration says.
    ///
    /// - Throws: `SmartPlaceFault`.
    public init(_ settings: StickerSettings.Smart) throws(SmartPlaceFault) {
        try self.init(
            locale: settings.locale,
            timeZone: settings.timeZone.isEmpty ? nil : settings.timeZone,
            unit: Unit(rawValue: settings.unit.rawValue))
    }

    /// The same language and unit in another zone.
    public func moved(to timeZone: TimeZone) -> SmartPlace {
        SmartPlace(locale: locale, timeZone: timeZone, unit: unit)
    }

    private init(locale: Locale, timeZone: TimeZone, unit: Unit) {
        (self.locale, self.timeZone, self.unit) = (locale, timeZone, unit)
    }

    private static let known = Set(Locale.availableIdentifiers)
    /// CLDR 44, units preferred for temperatures of weather.
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

/// A place that nobody knows.
public enum SmartPlaceFault: Error, Hashable, Sendable, CustomStringConvertible {
    case locale(String)
    case timeZone(String)
    case instant(String)

    /// What is wrong, with what would be right.
    public var description: String {
        switch self {
        case .locale(let name):
            "there is no locale \"\(name)\"; write a language such as de, or one with a region, en_GB"
        case .instant(let text):
            "\"\(text)\" is no instant; write 2026-12-24T08:00, or with an offset, 2026-12-24T08:00+01:00"
        case .timeZone(let name):
            "there is no time zone \"\(name)\"; write a name such as Europe/Berlin, or UTC"
        }
    }
}
