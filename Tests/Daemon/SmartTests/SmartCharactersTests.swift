import Foundation
import StickerConfiguration
import StickerValues
import Testing

@testable import StickerSmart

/// Characters of languages, as `check` looks for fonts for them.
struct SmartCharactersTests {
    @Test(arguments: ["ja", "hi", "ar_EG"])
    func charactersOfAWholeYearAreThere(locale: String) throws {
        let place = try SmartPlace(locale: locale, timeZone: "UTC")
        let characters = Set(place.characters)

        for day in 0..<366 {
            let date = Date(timeIntervalSince1970: 1_798_761_600 + Double(day) * 90_000)
            let moment = SmartMoment(date, at: place)
            for placeholder in [Placeholder.weekday, .weekdayShort, .dateLong, .time] {
                let text = moment.value(of: placeholder, interval: 1) ?? ""
                #expect(characters.isSuperset(of: text), "\(text)")
            }
        }
    }

    @Test func everyLanguageIsTriedOnce() throws {
        var configuration = Configuration()
        configuration.sticker.smart.locale = "ja"
        configuration.categories["cats"] = configuration.sticker
        configuration.categories["dogs"] = configuration.sticker
        configuration.categories["dogs"]?.smart.locale = "th"

        let found = try configuration.smartCharacters()

        #expect(found.map(\.path) == ["smart.locale", "categories.dogs.smart.locale"])
        #expect(found[0].characters.contains("曜") && found[1].characters.contains("ม"))
    }
}
