import StickerValues
import Testing

@testable import StickerPacks

/// Platforms that take stickers as custom emoji.
struct EmojiTests {
    private func sticker(
        _ id: String, _ number: Int = 1, for platform: some PackMaking, moves: Bool = false,
        words: StickerWords = StickerWords()
    ) -> ManifestSticker {
        var sticker = TestPack.sticker(number, for: platform, moves: moves, words: words)
        sticker.identifier = StickerID(rawValue: id)
        return sticker
    }

    private func lint(_ pack: Pack, for platform: some PackMaking) -> [Finding] {
        platform.lint(pack, platform.platform.target.flatMap { Target.builtIn[$0] })
    }

    // MARK: Mastodon

    @Test func archiveForMastodonIsFlatAndNamesAreShortcodes() throws {
        let platform = Mastodon()
        let pack = try TestPack.pack(
            [sticker("wave", 1, for: platform), sticker("run", 2, for: platform, moves: true)],
            for: platform)

        let files = platform.files(of: [pack], as: "tar")

        #expect(files.map(\.path) == ["cats.tar.gz"])
        #expect(files[0].files.map(\.path) == ["wave.png", "run.gif"])
        guard case .archive(.tarGzip, _) = files[0].content else {
            Issue.record("no tape archive")
            return
        }
    }

    @Test func idOfOneCharacterGetsALongerNameThatNoOtherHas() throws {
        let platform = Mastodon()
        let pack = try TestPack.pack(
            [sticker("a", 1, for: platform), sticker("ab", 2, for: platform)], for: platform)
        let names = platform.files(of: [pack], as: "tar")[0].files.map(\.path)
        #expect(names == ["_a.png", "ab.png"])
        let findings = lint(pack, for: platform)
        #expect(findings.map(\.rule) == ["name-changed"])
        #expect(findings[0].severity == .warning && findings[0].sticker?.rawValue == "a")
    }

    @Test func filesThatOldServersDropAreAWarning() throws {
        let platform = Mastodon()
        var pack = try TestPack.pack(
            (1...3).map { sticker("s\($0)", $0, for: platform) }, for: platform)
        pack.stickers[0].picture.bytes = 51_201
        pack.stickers[1].picture.bytes = 80_000
        let findings = lint(pack, for: platform)
        #expect(findings.map(\.rule) == ["old-servers"] && findings[0].severity == .warning)
        #expect(findings[0].measured == "up to 80,000 B" && findings[0].limit == "51,200 B")
        #expect(findings[0].detail.hasPrefix("2 files are too large"))
    }

    /// An operator may let the target have WebP, which Mastodon itself takes, but not its importer.
    @Test func formatThatIsNotReadIsAFaultWhateverTheTargetSays() throws {
        var target = try #require(Target.builtIn["mastodon"])
        target.still?.forms = [.webp]
        let platform = Mastodon()
        var pack = try TestPack.pack([sticker("wave", for: platform)], for: platform)
        pack.stickers[0].picture.format = .webp
        let findings = platform.lint(pack, target)
        #expect(findings.map(\.rule) == ["picture-format"])
        #expect(findings[0].limit == "GIF or PNG")
        #expect(findings[0].remedy == "leave webp out of targets.mastodon in config.json")
    }

    // MARK: Misskey

    @Test func archiveForMisskeyHasItsMetaFileLast() throws {
        let platform = Misskey()
        var words = StickerWords()
        words.keywords = ["hello", "hi", "hello", ""]
        words.licence = "CC0"
        let pack = try TestPack.pack([sticker("wave", for: platform, words: words)], for: platform)

        let file = try #require(platform.files(of: [pack], as: "zip").first)

        #expect(file.path == "cats.zip" && file.files.map(\.path) == ["wave.png", "meta.json"])
        let meta = try file.files[1].object()
        #expect(meta["metaVersion"] as? Int == 2)
        #expect(meta["host"] as? String == "localhost")
        #expect(meta["exportedAt"] as? String == "1980-01-01T00:00:00.000Z")
        let record = try #require((meta["emojis"] as? [[String: Any]])?.first)
        #expect(
            record["downloaded"] as? Bool == true && record["fileName"] as? String == "wave.png")
        let emoji = try #require(record["emoji"] as? [String: Any])
        #expect(emoji["name"] as? String == "wave" && emoji["category"] as? String == "Cats")
        #expect(emoji["aliases"] as? [String] == ["sticker 1", "hello", "hi"])
        #expect(emoji["license"] as? String == "Ada, CC0")
    }

    /// A name alone permits nothing.
    @Test(
        arguments: [
            (nil, nil, nil), (nil, "CC BY 4.0", "Ada, CC BY 4.0"), ("CC0", nil, "Ada, CC0"),
            ("CC0", "CC BY 4.0", "Ada, CC0"), (nil, " ", nil),
        ] as [(String?, String?, String?)])
    func licenceOfMisskeyIsThatOfTheStickerOrThePackOrAbsent(
        own: String?, pack: String?, expected: String?
    ) throws {
        let platform = Misskey()
        var words = StickerWords()
        words.licence = own
        let made = try TestPack.pack([sticker("wave", for: platform, words: words)], for: platform)
        {
            $0.words.licence = pack
        }
        let meta = try #require(platform.files(of: [made], as: "zip").first?.files.last).object()
        let record = try #require((meta["emojis"] as? [[String: Any]])?.first)
        let emoji = try #require(record["emoji"] as? [String: Any])
        #expect(emoji["license"] as? String == expected)
    }

    @Test func categoryOfMisskeyIsCutAtACharacter() throws {
        let platform = Misskey()
        let family = "👨‍👩‍👧"  // five code points
        let pack = try TestPack.pack([sticker("wave", for: platform)], for: platform) {
            $0.title = String(repeating: family, count: 60)
        }
        let meta = try #require(platform.files(of: [pack], as: "zip").first?.files.last).object()
        let record = try #require((meta["emojis"] as? [[String: Any]])?.first)
        let emoji = try #require(record["emoji"] as? [String: Any])
        #expect(emoji["category"] as? String == String(repeating: family, count: 25))
        let findings = lint(pack, for: platform)
        #expect(findings.map(\.rule) == ["title-cut"] && findings[0].measured == "300 code points")
    }

    // MARK: Slack and Zulip

    @Test(arguments: [PackPlatform.slack, .zulip])
    func folderHoldsPicturesAndTheListOfUploads(_ name: PackPlatform) throws {
        let platform = try #require(Platforms.all.first { $0.platform == name })
        var words = StickerWords()
        words.keywords = ["hello"]
        let pack = try TestPack.pack(
            [
                TestPack.sticker(1, for: platform, words: words),
                TestPack.sticker(2, for: platform, moves: true),
            ], for: platform)

        let files = platform.files(of: [pack], as: "folder")

        #expect(files.map(\.path) == ["s1.png", "s2.gif", "emoji.json"])
        let object = try files[2].object()
        #expect(object["platform"] as? String == name.rawValue)
        #expect(object["title"] as? String == "Cats")
        let list = try #require(object["emoji"] as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["s1", "s2"])
        #expect(list.map { $0["file"] as? String } == ["s1.png", "s2.gif"])
        #expect(list[0]["title"] as? String == "sticker 1")
        #expect(list[0]["keywords"] as? [String] == ["hello"])
        #expect(
            list[0]["url"] as? String
                == "https://stickers.example.org/\(pack.stickers[0].picture.published.path)")
    }

    @Test func listWithoutAPublicAddressHasNone() throws {
        let pack = try TestPack.pack([sticker("wave", for: Slack())], for: Slack()) {
            $0.baseURL = nil
        }
        let list = try #require(Slack().files(of: [pack], as: "folder").last).object()
        #expect((list["emoji"] as? [[String: Any]])?.first?["url"] == nil)
    }

    // MARK: Names

    @Test(
        arguments: [
            (.mastodon, "a-b"), (.misskey, "a-b"), (.misskey, ""), (.slack, "Wave"),
            (.slack, "a b"),
            (.zulip, "wave_"), (.zulip, "Wave"), (.zulip, ""),
        ] as [(PackPlatform, String)])
    func nameThatIsNotTakenIsAFault(_ name: PackPlatform, _ id: String) throws {
        let platform = try #require(Platforms.all.first { $0.platform == name })
        var odd = TestPack.sticker(1, for: platform)
        odd.identifier = StickerID(rawValue: id)
        let pack = try TestPack.pack([odd], for: platform)
        let findings = platform.lint(pack, Target.builtIn[name.rawValue])
        #expect(findings.map(\.rule) == ["name"] && findings[0].severity == .fault)
        #expect(findings[0].measured == id && findings[0].limit != nil)
        #expect(findings[0].remedy == "stickerctl new-id \(id)")
    }

    @Test(arguments: ["smile", "thumbsup", "a", "100", "melting_face", "goose"])
    func stickerWithTheNameOfAStandardEmojiGetsAnotherForSlack(id: String) throws {
        let pack = try TestPack.pack(
            [sticker(id, 1, for: Slack()), sticker("\(id)_2", 2, for: Slack())], for: Slack())

        let files = Slack().files(of: [pack], as: "folder")

        #expect(files.map(\.path) == ["_\(id).png", "\(id)_2.png", "emoji.json"])
        let list = try #require(try files[2].object()["emoji"] as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["_\(id)", "\(id)_2"])
        #expect(list[0]["file"] as? String == "_\(id).png")
        let findings = lint(pack, for: Slack())
        #expect(findings.map(\.rule) == ["name-changed"] && findings[0].severity == .warning)
        #expect(findings[0].measured == id && findings[0].remedy == "stickerctl new-id \(id)")
    }

    @Test(arguments: [PackPlatform.mastodon, .misskey, .slack, .zulip])
    func usualIDsAreNames(_ name: PackPlatform) throws {
        let platform = try #require(Platforms.all.first { $0.platform == name })
        var pack = try TestPack.pack(
            (1...2).map { TestPack.sticker($0, for: platform) }, for: platform)
        pack.stickers[0].identifier = StickerID(rawValue: "happy_cat_2")
        pack.stickers[1].identifier = StickerID(rawValue: String(repeating: "0", count: 60))
        #expect(platform.lint(pack, Target.builtIn[name.rawValue]) == [])
    }

    @Test func animationOfTooManyFramesIsAFaultForSlack() throws {
        var pack = try TestPack.pack(
            [sticker("run", for: Slack(), moves: true)], for: Slack())
        pack.stickers[0].picture.frames = 51
        pack.stickers[0].picture.bytes = 128_001
        let findings = lint(pack, for: Slack())
        #expect(findings.map(\.rule) == ["picture-bytes", "picture-frames"])
    }
}
