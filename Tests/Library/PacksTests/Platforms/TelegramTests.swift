import StickerValues
import Testing

@testable import StickerPacks

/// The files that a bot needs to create a sticker set.
struct TelegramTests {
    private let telegram = Telegram()

    private func sticker(
        _ number: Int, emojis: [String] = ["😀"], keywords: [String]? = nil
    ) -> ManifestSticker {
        var words = StickerWords()
        words.keywords = keywords
        return TestPack.sticker(number, target: "telegram", emojis: emojis, words: words)
    }

    private func set(_ source: PackSource) throws -> [String: Any] {
        let packs = TestPack.packs(of: source, for: telegram)
        return try telegram.files(of: packs, as: "folder").object(
            "\(source.category)/sticker_set.json")
    }

    @Test func folderHoldsTheDescriptionAndThePictures() throws {
        let source = TestPack.source([
            sticker(2, emojis: ["🐱", "🎉"], keywords: ["cat", "hi"]), sticker(1),
        ]).withIcons(for: telegram)
        let files = telegram.files(of: TestPack.packs(of: source, for: telegram), as: "folder")

        #expect(
            files.paths == [
                "cats/sticker_set.json", "cats/thumbnail.png", "cats/s2.webp", "cats/s1.webp",
            ])
        let set = try files.object("cats/sticker_set.json")
        #expect(set["name"] as? String == "cats" && set["title"] as? String == "Cats")
        let stickers = try #require(set["stickers"] as? [[String: Any]])
        #expect(stickers.map { $0["sticker"] as? String } == ["s2.webp", "s1.webp"])
        #expect(stickers.allSatisfy { $0["format"] as? String == "static" })
        #expect(stickers[0]["emoji_list"] as? [String] == ["🐱", "🎉"])
        #expect(stickers[0]["keywords"] as? [String] == ["cat", "hi"])
    }

    @Test(
        arguments: [
            ("cats", "cats"), ("2024", "s_2024"), ("a__b_", "a_b"),
            (String(repeating: "ab_", count: 20), "ab_ab_ab_ab_ab_ab_a_a0b85045"),
        ])
    func shortNameBeginsWithALetterAndHasSingleUnderscores(id: String, name: String) throws {
        var source = TestPack.source([sticker(1)])
        source.category = CategoryID(rawValue: id)
        #expect(try set(source)["name"] as? String == name)
    }

    @Test func furtherSetsHaveTheirNumberInTheShortName() throws {
        let source = TestPack.source((1...121).map { sticker($0) })
        let packs = TestPack.packs(of: source, for: telegram)
        let files = telegram.files(of: packs, as: "folder")
        #expect(packs.map(\.stickers.count) == [60, 61])
        #expect(try files.object("cats-2/sticker_set.json")["name"] as? String == "cats_2")
    }

    @Test func textsAreCutAndThatIsTold() throws {
        let words = (1...21).map { "w\($0)" }
        let long = String(repeating: "x", count: 63)
        var source = TestPack.source([
            sticker(1, keywords: words), sticker(2, keywords: ["a", long + "y", long, "b"]),
            sticker(
                3, emojis: (0..<21).compactMap { Unicode.Scalar(0x1F600 + $0).map { "\($0)" } }),
        ])
        source.title = String(repeating: "👨‍👩‍👧", count: 20)

        let set = try set(source)

        let title = try #require(set["title"] as? String)
        #expect(title == String(repeating: "👨‍👩‍👧", count: 8) && title.utf16.count == 64)
        let stickers = try #require(set["stickers"] as? [[String: Any]])
        #expect(stickers[0]["keywords"] as? [String] == Array(words.prefix(20)))
        #expect(stickers[1]["keywords"] as? [String] == ["a", long])
        #expect((stickers[2]["emoji_list"] as? [String])?.count == 20)
        let pack = try #require(TestPack.packs(of: source, for: telegram).first)
        let findings = telegram.lint(pack, nil)
        #expect(
            findings.map(\.rule) == ["title-cut", "emoji-cut", "keywords-cut", "keywords-cut"])
        #expect(findings.allSatisfy { $0.severity == .warning && $0.measured != nil })
    }

    @Test func missingEmojiIsAFault() throws {
        let pack = try #require(
            TestPack.packs(of: TestPack.source([sticker(1, emojis: [])]), for: telegram).first)
        #expect(telegram.lint(pack, nil).map(\.rule) == ["no-emoji"])
        #expect(telegram.lint(pack, nil)[0].severity == .fault)
    }
}
