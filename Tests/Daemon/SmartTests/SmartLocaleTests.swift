import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerSmart

/// Languages as people and systems write them.
struct SmartLocaleTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT", "de_AT"), ("de_DE.UTF-8", "de_DE"), ("DE_at", "de_AT"),
        ("zh_CN", "zh_Hans_CN"), ("zh_TW", "zh_Hant_TW"), ("zh_HK", "zh_Hant_HK"),
        ("sr_RS", "sr_Cyrl_RS"), ("sr_ME", "sr_Latn_ME"), ("sr_RS@latin", "sr_Latn_RS"),
        ("uz_UZ@cyrillic", "uz_Cyrl_UZ"), ("be_BY@latin", "be_BY"), ("de_DE@euro", "de_DE"),
        ("pa_IN", "pa_Guru_IN"), ("pa_PK", "pa_Aran_PK"), ("uz_UZ", "uz_Latn_UZ"),
        // Codes that were replaced.
        ("tl", "fil_PH"), ("tl_PH", "fil_PH"), ("in", "id_ID"), ("iw_IL", "he_IL"),
        ("sh", "sr_Latn_RS"),
        // The region has no texts of its own.
        ("de_US", "de"), ("zh_US", "zh_Hans"), ("ca_ES_VALENCIA", "ca_ES"),
    ])
    func languageIsFound(written: String, found: String) {
        #expect(SmartLocale(written)?.identifier == found)
    }

    @Test(arguments: ["xx", "xx_DE", "", "Klingon", "mn_Mong", "../de"])
    func otherwiseNobodyKnowsIt(written: String) {
        #expect(SmartLocale(written) == nil)
    }

    @Test func unitIsThatOfTheRegionThatIsNamed() throws {
        let names = ["de_US", "de", "en", "en_GB", "es_US"]
        let units = try names.map { try SmartPlace(locale: $0).unit }

        #expect(units == [.fahrenheit, .celsius, .fahrenheit, .celsius, .fahrenheit])
    }

    @Test func unknownLanguageIsEnglishAndToldOnce() throws {
        var configuration = Configuration()
        configuration.sticker.smart.locale = "xx"
        configuration.sticker.smart.timeZone = "UTC"
        configuration.categories["cats"] = configuration.sticker

        #expect(configuration.unknownLanguages.map(\.path) == ["smart.locale"])
        #expect(throws: ConfigurationError.self) { try configuration.checkSmart() }
        try configuration.checkSmartButLanguages()
        let place = try SmartPlace(orInEnglish: configuration.sticker.smart)
        #expect(place.locale.identifier == "en_001" && place.unit == .celsius)
        configuration.sticker.smart.locale = "xx_US"
        #expect(try SmartPlace(orInEnglish: configuration.sticker.smart).unit == .fahrenheit)

        configuration.sticker.smart.timeZone = "Mars"
        #expect(throws: ConfigurationError.self) { try configuration.checkSmartButLanguages() }
    }
}
