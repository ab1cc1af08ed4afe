import ArgumentParser
import Foundation
import StickerConfiguration
import StickerSmart
import StickerValues

/// A template, with time and place.
struct SmartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw a smart sticker: the name of a template that comes with stickerd, clock for example, or a file.",
            valueName: "template"))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "The time to show, 2026-12-24T08:00 for example, with +01:00 or Z if it is not in "
                + "--time-zone; default now.", valueName: "instant"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The language, de or en_GB; default that of the configuration.",
            valueName: "locale"))
    var locale: String?

    @Option(
        help: ArgumentHelp(
            "The time zone, Europe/Berlin; default that of the configuration.",
            valueName: "zone"))
    var timeZone: String?

    @Option(help: "Draw this style alone.")
    var style: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The temperature outside, -7.6 for example.", valueName: "celsius"))
    var temperature: Double?

    @Option(
        help: ArgumentHelp(
            "The weather: \(Weather.Condition.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "weather"))
    var condition: String?

    func validate() throws {
        _ = try instant()
        _ = try weather()
    }

    /// Whether an option besides the template is given.
    var isGiven: Bool {
        [at, locale, timeZone, style, condition].contains { $0 != nil } || temperature != nil
    }

    /// The drawings, one for each style.
    ///
    /// - Parameters:
    ///   - path: the file of the template.
    ///   - settings: the default language, zone and unit.
    /// - Returns: the SVGs, by style.
    /// - Throws: `ExitCode`, after a complaint, if the template cannot be used.
    func drawings(
        of path: String, _ settings: StickerSettings.Smart
    ) throws -> [(style: String?, svg: [UInt8])] {
        let bytes = try CommandLine.bytes(of: path)
        let found: SmartTemplate
        do throws(TemplateFault) {
            found = try SmartTemplate(bytes)
        } catch {
            complain("\(FileName.escaped(path)): \(error)")
            throw ExitCode(3)
        }
        let (date, place) = try instant(settings)
        let moment = SmartMoment(date, at: place, weather: try weather())
        let drawings = TemplateFilling(found, at: moment).drawings
        guard let style else { return drawings }
        guard found.styles.contains(style) else {
            let names = found.styles.isEmpty ? "it has none" : found.styles.joined(separator: ", ")
            complain("\(FileName.escaped(path)) has no style \(FileName.escaped(style)): \(names)")
            throw ExitCode(2)
        }
        return drawings.filter { $0.style == style }
    }

    /// The file of the template that is given, or an empty path.
    ///
    /// - Throws: `ExitCode`, after a complaint, if there is none of this name.
    func file() throws -> String {
        guard let template else { return "" }
        if template.contains("/") || template.hasSuffix(".svg") { return template }
        let folder = ShippedTemplates.folder()
        let files = folder.map(ShippedTemplates.files(in:)) ?? []
        if let file = files.first(where: { $0.name == template.lowercased() }) { return file.path }
        complain(
            files.isEmpty
                ? "the templates of stickerd are not installed; name a file"
                : "no template is called \(FileName.escaped(template)): "
                    + files.map(\.name).joined(separator: ", "))
        throw ExitCode(2)
    }

    /// The instant, and the place: in the zone of `--time-zone`, else of `at`, else of the system.
    private func instant(
        _ settings: StickerSettings.Smart = StickerSettings.Smart()
    ) throws -> (Date, SmartPlace) {
        var settings = settings
        settings.locale = locale ?? settings.locale
        settings.timeZone = timeZone ?? settings.timeZone
        do throws(SmartPlaceFault) {
            let named = try SmartPlace(settings)
            guard let at else { return (Date(), named) }
            guard let (date, zone) = Self.parse(at, in: named.timeZone) else {
                throw .instant(at)
            }
            return (date, timeZone == nil ? named.moved(to: zone) : named)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Reads `2026-12-24T08:00`, optionally with seconds and an offset.
    private static func parse(_ text: String, in zone: TimeZone) -> (Date, TimeZone)? {
        let body = text.prefix { $0 != "Z" && $0 != "+" }
        var (time, offset) = (String(body), String(text.dropFirst(body.count)))
        // A minus after the date belongs to the offset.
        if let minus = time.dropFirst(11).lastIndex(of: "-") {
            offset = String(time[minus...])
            time = String(time[..<minus])
        }
        var found = zone
        if !offset.isEmpty {
            guard let seconds = seconds(of: offset), let fixed = TimeZone(secondsFromGMT: seconds)
            else { return nil }
            found = fixed
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = found
        formatter.isLenient = false
        for pattern in ["yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd"] {
            formatter.dateFormat = pattern
            if let date = formatter.date(from: time) { return (date, found) }
        }
        return nil
    }

    /// The seconds of `Z`, `+01:00` or `-0530`.
    private static func seconds(of offset: String) -> Int? {
        if offset == "Z" { return 0 }
        let digits = offset.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let value = Int(digits), value / 100 < 19, value % 100 < 60 else {
            return nil
        }
        let seconds = (value / 100 * 60 + value % 100) * 60
        return offset.hasPrefix("-") ? -seconds : seconds
    }

    private func weather() throws -> Weather {
        let name = condition ?? "clear"
        guard let kind = Weather.Condition(rawValue: name) else {
            throw ValidationError(
                "there is no weather \"\(FileName.escaped(name))\": "
                    + Weather.Condition.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let celsius = temperature ?? 21
        guard -100...100 ~= celsius else {
            throw ValidationError("a temperature is between -100 and 100, not \(celsius)")
        }
        return Weather(kelvin: celsius + 273.15, condition: kind)
    }
}
