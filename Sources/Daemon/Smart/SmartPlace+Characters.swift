import Foundation
public import StickerConfiguration
import StickerValues

extension SmartPlace {
    /// The characters with which the language writes the values of placeholders, each once.
    var characters: [Character] {
        var found: [Character] = []
        var known: Set<Character> = []
        for sample in 0..<Self.samples {
            let moment = SmartMoment(
                Date(timeIntervalSince1970: Double(sample) * Self.samplePause), at: self,
                weather: Weather(kelvin: 258.15 + 2 * Double(sample), condition: .clear))
            for placeholder in Placeholder.allCases {
                let text = moment.value(of: placeholder, interval: 1) ?? ""
                for character in text where known.insert(character).inserted {
                    found.append(character)
                }
            }
        }
        return found
    }

    /// More than a year: all months and all weekdays, by day and by night, in frost and in heat.
    private static let samples = 28
    private static let samplePause = 13.0 * 86_400 + 7 * 3600
}

extension Configuration {
    /// The languages of smart stickers, each once.
    ///
    /// - Returns: the key that sets each, its identifier, and the characters that it uses.
    /// - Throws: `SmartPlaceFault` if a time zone is unknown.
    public func smartCharacters() throws -> [(
        path: String, locale: String, characters: [Character]
    )] {
        var known: Set<String> = []
        return try smartSettings.compactMap { path, settings in
            guard known.insert(settings.locale).inserted else { return nil }
            let place = try SmartPlace(orInEnglish: settings)
            return ("\(path).locale", settings.locale, place.characters)
        }
    }
}
