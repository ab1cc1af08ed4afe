import StickerValues
import Testing

/// Characters without a font, in words for people.
struct UnknownCharactersTests {
    private func unknown(_ text: String) throws -> UnknownCharacters {
        try #require(UnknownCharacters(text.unicodeScalars))
    }

    @Test(arguments: [
        ("月曜日あカー、", "fonts-noto-cjk"), ("星期一 週一", "fonts-noto-cjk"),
        ("월요일 오전", "fonts-noto-cjk"), ("सोमवार", "fonts-noto-core"),
        ("วันจันทร์", "fonts-noto-core"), ("الاثنين", "fonts-noto-core"),
        ("יום שני", "fonts-noto-core"), ("\u{1FAE0}", "a newer fonts-noto-color-emoji"),
    ])
    func packageIsNamed(text: String, package: String) throws {
        let unknown = try unknown(text)

        #expect(unknown.packages == [package])
        #expect(unknown.remedy == "install \(package) and add its fonts (stickerd(8), Fonts)")
    }

    @Test func everyPackageIsNamedOnce() throws {
        #expect(try unknown("一ก二ข").packages == ["fonts-noto-core", "fonts-noto-cjk"])
    }

    @Test func charactersAreNamedAndTheRestCounted() throws {
        let few = try unknown("世界世\u{378}").detail
        #expect(few == "no font has U+0378, 世 (U+4E16), 界 (U+754C)")
        #expect(try unknown("一二三四五六七八九十").detail.hasSuffix("六 (U+516D) and 2 more"))
    }

    @Test func noPackageIsInvented() throws {
        #expect(try unknown("\u{10FFFD}\u{10FFFC}").packages == [])
        #expect(
            try unknown("\u{10FFFD}\u{10FFFC}").remedy
                == "no package is known for U+10FFFC and 1 more, write without them or add a font "
                + "(stickerd(8), Fonts)")
        #expect(
            try unknown("世\u{378}").remedy
                == "install fonts-noto-cjk and add its fonts; no package is known for U+0378, "
                + "write without it or add a font (stickerd(8), Fonts)")
    }

    @Test func whatShowsNothingNeedsNoFont() {
        let nothing =
            " \n\u{A0}\u{202F}\u{200B}\u{200D}\u{200F}\u{FE0F}\u{AD}\u{2028}\u{E0067}\u{7}"
        #expect(UnknownCharacters(nothing.unicodeScalars) == nil)
    }

    @Test func warningSaysWhere() throws {
        let warning = try unknown("世").warning(of: "the watermark words")

        #expect(warning.code == "unknown-characters")
        #expect(warning.detail.hasPrefix("the watermark words: no font has 世 (U+4E16); install"))
    }

    @Test func countIsBounded() throws {
        let all = (0x4E00..<0x5E00).compactMap { Unicode.Scalar($0) }
        #expect(try #require(UnknownCharacters(all)).text.unicodeScalars.count == 1000)
    }
}
