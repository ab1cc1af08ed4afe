import StickerValues
import Testing

@testable import StickerPacks

/// Uploads to a server of Discord.
struct DiscordTests {
    private let discord = Discord()

    private func sticker(
        _ number: Int, title: String? = nil, text: String? = nil, emojis: [String] = ["😀"],
        format: ImageFormat = .png
    ) -> ManifestSticker {
        var words = StickerWords()
        words.accessibilityText = text
        var sticker = TestPack.sticker(
            number, frames: format == .gif ? 3 : nil, target: "discord", format: format, side: 320,
            emojis: emojis, words: words)
        sticker.title = title ?? sticker.title
        return sticker
    }

    private func pack(_ stickers: [ManifestSticker]) throws -> Pack {
        try #require(TestPack.packs(of: TestPack.source(stickers), for: discord).first)
    }

    @Test func folderHoldsTheListAndThePictures() throws {
        let pack = try pack([
            sticker(2, title: "wave", text: "a cat waves", emojis: ["👋", "🐱"]),
            sticker(1, format: .gif),
        ])
        let files = discord.files(of: [pack], as: "folder")

        #expect(
            files.paths == ["cats/stickers.json", "cats/title.txt", "cats/s2.png", "cats/s1.gif"])
        let list = try files.list("cats/stickers.json")
        #expect(
            list[0] as? [String: String]
                == ["file": "s2.png", "name": "wave", "description": "a cat waves", "tags": "👋"])
        #expect(
            list[1] as? [String: String] == ["file": "s1.gif", "name": "sticker 1", "tags": "😀"])
    }

    @Test func textsAreCutLeftOutOrTold() throws {
        let pack = try pack([
            sticker(1, title: String(repeating: "é", count: 31)),
            sticker(2, text: String(repeating: "👋🏽", count: 26)), sticker(3, text: "!"),
        ])
        let list = try discord.files(of: [pack], as: "folder").list("cats/stickers.json")

        #expect((list[0]["name"] as? String)?.count == 30)
        #expect((list[1]["description"] as? String) == String(repeating: "👋🏽", count: 25))
        #expect(list[2]["description"] == nil)
        let findings = discord.lint(pack, nil)
        #expect(findings.map(\.rule) == ["title-cut", "text-cut"])
        #expect(findings.allSatisfy { $0.severity == .warning && $0.measured != nil })
    }

    /// Blanks that are left over at the end do not count, so that nothing else may be left.
    @Test(arguments: [
        ("x" + String(repeating: " ", count: 40) + "y", "_x"), ("x", "_x"), ("", "__"),
    ])
    func titleThatIsTooShortGetsALongerName(title: String, name: String) throws {
        let pack = try pack([sticker(1, title: title)])

        let findings = discord.lint(pack, nil)

        let list = try discord.files(of: [pack], as: "folder").list("cats/stickers.json")
        #expect(list[0]["name"] as? String == name)
        #expect(findings.map(\.rule) == ["title-short"] && findings[0].severity == .warning)
        #expect(findings[0].detail == "the title is too short, the name is \(name)")
        #expect(findings[0].measured == (title.isEmpty ? "0 characters" : "1 character"))
    }

    @Test func emojiThatIsKeptIsNamedAndHowToKeepAnother() throws {
        let emoji = "👩" + String(repeating: "\u{200D}👩", count: 70)
        let pack = try pack([sticker(1, emojis: ["🎉", "😀"]), sticker(2, emojis: [emoji])])
        let findings = discord.lint(pack, nil)
        #expect(findings.map(\.rule) == ["emoji-cut", "emoji-long"])
        #expect(findings[0].detail == "only 🎉 is kept" && findings[0].measured == "2 emoji")
        #expect(
            findings.map(\.remedy)
                == [1, 2].map {
                    "to keep another, name it first: stickerctl set s\($0) --emoji EMOJI"
                })
    }

    @Test(
        arguments: [
            ("no-emoji", "wave", []),
            ("emoji-long", "wave", ["👩" + String(repeating: "\u{200D}👩", count: 70)]),
        ])
    func whatDiscordRefusesIsAFault(rule: String, title: String, emojis: [String]) throws {
        let findings = discord.lint(try pack([sticker(1, title: title, emojis: emojis)]), nil)
        #expect(findings.map(\.rule) == [rule] && findings[0].severity == .fault)
        #expect(findings[0].measured != nil && findings[0].limit != nil)
    }

    @Test(arguments: [(5, nil), (6, 1), (15, 1), (16, 2), (30, 2), (60, 3)] as [(Int, Int?)])
    func boostsThatAPackNeedsAreNamed(count: Int, level: Int?) throws {
        let findings = discord.lint(try pack((1...count).map { sticker($0) }), nil)
        #expect(findings.map(\.rule) == (level == nil ? [] : ["slots"]))
        if let level { #expect(findings[0].remedy.contains("level \(level)")) }
    }

    @Test func packIsDividedAtSixty() {
        let source = TestPack.source((1...61).map { sticker($0) })
        #expect(TestPack.packs(of: source, for: discord).map(\.stickers.count) == [30, 31])
    }
}
