import StickerValues
import Testing

@testable import StickerPacks

/// Image packs of rooms, and the sticker picker.
struct MatrixTests {
    private let platform = Matrix()
    private let target = Target.builtIn["matrix"]

    private func sticker(_ number: Int, moves: Bool = false, spoken: String? = nil)
        -> ManifestSticker
    {
        var words = StickerWords()
        words.accessibilityText = spoken
        return TestPack.sticker(number, for: platform, moves: moves, words: words)
    }

    private func object(_ files: [PackFile], _ path: String) throws -> [String: Any] {
        try #require(files.first { $0.path == path }).object()
    }

    @Test func eventIsWhatTheSpecificationSaysButForAddresses() throws {
        let pack = try TestPack.pack([sticker(1), sticker(2, moves: true)], for: platform) {
            $0.words.licence = "CC BY 4.0"
        }

        let files = platform.files(of: [pack], as: "json")

        #expect(files.map(\.path) == ["cats/s1.webp", "cats/s2.webp", "cats.png", "cats.json"])
        let event = try object(files, "cats.json")
        #expect(Set(event.keys) == ["images", "pack"])
        let about = try #require(event["pack"] as? [String: Any])
        #expect(about["display_name"] as? String == "Cats")
        #expect(about["avatar_file"] as? String == "cats.png")
        #expect(about["usage"] as? [String] == ["sticker"])
        #expect(about["attribution"] as? String == "Ada, CC BY 4.0")
        let images = try #require(event["images"] as? [String: [String: Any]])
        #expect(Set(images.keys) == ["s1", "s2"])
        let image = try #require(images["s1"])
        #expect(Set(image.keys) == ["body", "file", "info"])
        #expect(image["body"] as? String == "sticker 1")
        #expect(image["file"] as? String == "cats/s1.webp")
        let info = try #require(image["info"] as? [String: Any])
        #expect(info["mimetype"] as? String == "image/webp")
        #expect(["w", "h", "size"].map { info[$0] as? Int } == [512, 512, 20_000])
    }

    @Test func pickerHasItsIndexAndAFileForEachPack() throws {
        let packs = TestPack.packs(
            of: TestPack.source((1...150).map { sticker($0) }), for: platform)

        let files = platform.files(of: packs, as: "maunium")

        #expect(packs.map(\.stickers.count) == [75, 75])
        let index = try object(files, "packs/index.json")
        #expect(index["packs"] as? [String] == ["cats.json", "cats-2.json"])
        #expect(files.last?.path == "packs/index.json")
        let pack = try object(files, "packs/cats-2.json")
        #expect(pack["id"] as? String == "cats-2" && pack["title"] as? String == "Cats 2")
        let stickers = try #require(pack["stickers"] as? [[String: Any]])
        #expect(stickers.count == 75)
        #expect(Set(stickers[0].keys) == ["body", "file", "id", "info", "msgtype"])
        #expect(stickers[0]["msgtype"] as? String == "m.sticker")
        let path = try #require(stickers[0]["file"] as? String)
        #expect(files.contains { $0.path == "packs/\(path)" })
        let info = try #require(stickers[0]["info"] as? [String: Any])
        #expect(Set(info.keys) == ["mimetype", "w", "h", "size", "thumbnail_info"])
        #expect((info["thumbnail_info"] as? [String: Any])?["w"] as? Int == 512)
    }

    /// A hundred fit into an event with the longest ids that there are and the longest texts of Latin letters.
    @Test func hundredStickersFitIntoAnEvent() throws {
        let spoken = String(repeating: "x", count: 255)
        let stickers = (100...199).map { number in
            var sticker = sticker(number, spoken: spoken)
            sticker.identifier = StickerID(
                rawValue: "\(number)" + String(repeating: "x", count: 57))
            return sticker
        }
        let pack = try TestPack.pack(stickers, for: platform)
        #expect(pack.stickers.count == 100)
        #expect(platform.lint(pack, target) == [])
    }

    @Test func packThatFitsIntoNoEventIsAFault() throws {
        let spoken = String(repeating: "猫", count: 255)
        let pack = try TestPack.pack((1...100).map { sticker($0, spoken: spoken) }, for: platform)
        let findings = platform.lint(pack, target)
        #expect(findings.map(\.rule) == ["event-bytes"] && findings[0].severity == .fault)
        #expect(findings[0].limit == "65,536 B" && findings[0].measured != nil)
    }

    @Test func packWithoutPictureAndAttributionSaysNothingOfThem() throws {
        let pack = try TestPack.pack([sticker(1)], for: platform) {
            $0.tray = nil
            $0.words.publisher = nil
        }
        let files = platform.files(of: [pack], as: "json")
        let about = try #require(try object(files, "cats.json")["pack"] as? [String: Any])
        #expect(Set(about.keys) == ["display_name", "usage"])
        #expect(files.map(\.path) == ["cats/s1.webp", "cats.json"])
    }

    @Test func nameThatIsNoShortcodeIsAFault() throws {
        var odd = sticker(1)
        odd.identifier = StickerID(rawValue: "a:b")
        let pack = try TestPack.pack([odd], for: platform)
        #expect(platform.lint(pack, target).map(\.rule) == ["name"])
    }
}
