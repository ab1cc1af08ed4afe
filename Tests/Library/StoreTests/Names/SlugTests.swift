import StickerStore
import StickerValues
import Testing

struct SlugTests {
    @Test(arguments: [
        ("happy cat", "happy_cat"), ("Happy  CAT!!", "happy_cat"), ("__a--b__", "a_b"),
        ("café", "cafe"), ("cafe\u{301}", "cafe"), ("Straße", "strasse"), ("Ærø", "aero"),
        ("Привет, мир!", "privet_mir"), ("你好", "ni_hao"), ("İI", "ii"), ("07", "07"),
        ("$(touch x)", "touch_x"), ("../../etc", "etc"), ("a\u{0}b", "a_b"), ("100%25", "100_25"),
        ("𝓯𝓪𝓷𝓬𝔂 ｗｉｄｅ", "fancy_wide"), ("½ ™", "1_2_tm"),
        ("new\nline", "new_line"), ("\u{202E}gnp.exe", "gnp_exe"),
    ])
    func slugIsPlainLatin(text: String, slug: String) {
        #expect(Slug.make(from: text) == slug)
    }

    @Test(arguments: ["", " ", "___", "🙂", "…", "\u{200B}", "\u{301}"])
    func nothingUsableGivesNothing(text: String) {
        #expect(Slug.make(from: text) == nil)
    }

    @Test(arguments: [
        "שלום", "ไทย", "한국어", "日本語 テスト", "½ € ™", "𝓯𝓪𝓷𝓬𝔂", "مرحبا",
        String(repeating: "é", count: 300),
        String(repeating: "a ", count: 200), String(repeating: "漢", count: 85),
    ])
    func everySlugHasTheShapeOfAnID(text: String) throws {
        let slug = try #require(Slug.make(from: text))

        #expect(slug.wholeMatch(of: /[a-z0-9][a-z0-9_]{0,59}/) != nil, "\(slug)")
        #expect(slug.last != "_")
    }

    @Test func laterTakersAreNumbered() {
        #expect(Slug.numbered("cat", 1) == "cat")
        #expect(Slug.numbered("cat", 2) == "cat_2")
        #expect(Slug.numbered("cat", 1_000_000) == "cat_1000000")
    }

    @Test func numbersFitIntoTheLength() {
        let longest = String(repeating: "a", count: 57) + "_bb"

        let second = Slug.numbered(longest, 2)

        #expect(longest.count == Slug.lengthMax)
        #expect(second == String(repeating: "a", count: 57) + "_2")
        #expect(Slug.numbered(longest, 123_456_789).count <= Slug.lengthMax)
    }
}
