import Foundation
import StickerValues
import Testing

@testable import StickerPacks

/// Files for WhatsApp, and the findings of lint before.
struct WhatsAppTests {
    private let whatsApp = WhatsApp()

    private func packs(_ stickers: [ManifestSticker], publisher: String? = "Ada") -> [Pack] {
        TestPack.packs(of: TestPack.source(stickers, publisher: publisher), for: whatsApp)
    }

    private func json(_ file: PackFile?) throws -> [String: Any] {
        guard case .bytes(let bytes) = try #require(file).content else { return [:] }
        return try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test func mixedCategoryGivesPacksOfItsOwnForEachKind() throws {
        let stickers =
            (1...34).map { TestPack.sticker($0) }
            + (50...53).map { TestPack.sticker($0, frames: 4) }

        let packs = packs(stickers)
        let contents = try json(whatsApp.files(of: packs, as: "android").first)

        let entries = try #require(contents["sticker_packs"] as? [[String: Any]])
        #expect(entries.map { $0["name"] as? String } == ["Cats", "Cats 2", "Cats animated"])
        #expect(entries.map { $0["identifier"] as? String } == ["cats", "cats-2", "cats-animated"])
        #expect(entries.map { $0["animated_sticker_pack"] as? Bool } == [nil, nil, true])
        #expect(entries.map { ($0["stickers"] as? [Any])?.count } == [17, 17, 4])
        #expect(packs.allSatisfy { whatsApp.lint($0, nil).isEmpty })
    }

    @Test func androidHasAFolderForEachPackAndIOSOneForAll() {
        let packs = packs((1...3).map { TestPack.sticker($0) })
        #expect(
            whatsApp.files(of: packs, as: "android").map(\.path) == [
                "contents.json", "cats/tray.png", "cats/s1.webp", "cats/s2.webp", "cats/s3.webp",
            ])
        #expect(
            whatsApp.files(of: packs, as: "ios").map(\.path) == [
                "sticker_packs.wasticker", "cats-tray.png", "s1.webp", "s2.webp", "s3.webp",
            ])
    }

    @Test func archiveHoldsTextsAndNumberedPictures() throws {
        let packs = packs((1...12).map { TestPack.sticker($0) })
        let file = try #require(whatsApp.files(of: packs, as: "wastickers").first)
        guard case .archive(.zip, let entries) = file.content else {
            Issue.record("no archive")
            return
        }
        #expect(file.path == "cats.wastickers")
        #expect(
            entries.prefix(4).map(\.path) == ["title.txt", "author.txt", "cover.png", "01.webp"])
        #expect(entries.last?.path == "12.webp")
        #expect(entries[0].content == .bytes(Array("Cats\n".utf8)))
    }

    @Test func handoverIsJSONWithPicturesInBase64() throws {
        let packs = packs(
            (1...3).map { TestPack.sticker($0, frames: 2, emojis: ["❤️", "👍🏽", "⌚️"]) })
        guard case .joined(let pieces) = whatsApp.files(of: packs, as: "handover")[0].content
        else {
            Issue.record("no pieces")
            return
        }
        let text = pieces.map { piece in
            switch piece {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .base64(let picture): "base64 of \(picture.path)"
            }
        }.joined()
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let stickers = try #require(object["stickers"] as? [[String: Any]])

        #expect(object["animated_sticker_pack"] as? Bool == true)
        #expect((object["tray_image"] as? String)?.hasSuffix(".png") == true)
        #expect(stickers.count == 3)
        #expect(stickers[0]["image_data"] as? String == "base64 of \(path(1))")
        // The variation selector goes, skin tones stay, and a watch is in no list.
        #expect(stickers[0]["emojis"] as? [String] == ["\u{2764}", "👍🏽", "⌚️"])
    }

    private func path(_ number: Int) -> String {
        PublishedPicture(sha256: TestPack.hash(number), format: .webp).path
    }

    @Test func linksAreThoseThatWhatsAppTakes() throws {
        var source = TestPack.source((1...3).map { TestPack.sticker($0) })
        var links = Links()
        links.appStore = "https://apps.apple.com/app/id1"
        links.playStore = "https://example.org/app"
        links.website = "ftp://example.org"
        links.email = "ada@example.org"
        source.words.links = links
        let packs = TestPack.packs(of: source, for: whatsApp)

        let contents = try json(whatsApp.files(of: packs, as: "android").first)

        #expect(contents["ios_app_store_link"] as? String == "https://itunes.apple.com/app/id1")
        #expect(contents["android_play_store_link"] == nil)
        let pack = try #require((contents["sticker_packs"] as? [[String: Any]])?.first)
        #expect(pack["publisher_email"] as? String == "ada@example.org")
        #expect(pack["publisher_website"] == nil)
        let findings = whatsApp.lint(packs[0], nil)
        #expect(findings.map(\.severity) == [.warning, .warning])
        #expect(findings.map(\.measured) == ["https://example.org/app", "ftp://example.org"])
    }

    @Test func textsAreCutAtCharactersAndThatIsTold() throws {
        var words = StickerWords()
        words.accessibilityText = String(repeating: "👨‍👩‍👧 ", count: 20)
        var source = TestPack.source(
            (1...3).map {
                TestPack.sticker($0, emojis: ["😀", "😀\u{FE0F}", "🎉", "👋", "🙈"], words: words)
            })
        source.title = String(repeating: "é", count: 200)
        let packs = TestPack.packs(of: source, for: whatsApp)

        let contents = try json(whatsApp.files(of: packs, as: "android").first)

        let pack = try #require((contents["sticker_packs"] as? [[String: Any]])?.first)
        let sticker = try #require((pack["stickers"] as? [[String: Any]])?.first)
        let text = try #require(sticker["accessibility_text"] as? String)
        #expect((pack["name"] as? String)?.utf16.count == 128)
        #expect(text.utf16.count <= 125 && words.accessibilityText?.hasPrefix(text) == true)
        #expect(sticker["emojis"] as? [String] == ["😀", "🎉", "👋"])
        #expect(
            Set(whatsApp.lint(packs[0], nil).map(\.rule)) == ["title-cut", "text-cut", "emoji-cut"])
    }

    @Test(arguments: [
        ("V10", [TestPack.sticker(1, emojis: []), TestPack.sticker(2), TestPack.sticker(3)]),
        ("V12", [TestPack.sticker(1, bytes: 102_401), TestPack.sticker(2), TestPack.sticker(3)]),
        ("V13", [TestPack.sticker(1, side: 500), TestPack.sticker(2), TestPack.sticker(3)]),
        (
            "V14",
            (1...3).map { TestPack.sticker($0, frames: 3, milliseconds: $0 == 1 ? 10_001 : 9000) }
        ),
    ])
    func ruleIsNamedWithItsStickerAndRemedy(rule: String, stickers: [ManifestSticker]) throws {
        let pack = try #require(packs(stickers).first)
        let findings = whatsApp.lint(pack, nil)
        #expect(findings.map(\.rule) == [rule])
        #expect(findings.first?.sticker?.rawValue == "s1" && findings.first?.severity == .fault)
        #expect(findings.first?.measured != nil && findings.first?.limit != nil)
    }

    @Test func emojiThatAreKeptAreNamedAndOneForAllIsTold() throws {
        let pack = try #require(
            packs([
                TestPack.sticker(1, emojis: ["😀", "🎉", "👋", "🙈"]),
                TestPack.sticker(2, emojis: []), TestPack.sticker(3),
            ]).first)
        let findings = whatsApp.lint(pack, nil)
        #expect(findings.map(\.rule) == ["emoji-cut", "V10"])
        #expect(findings[0].detail == "only 😀 🎉 👋 are kept" && findings[0].limit == "1 to 3")
        #expect(
            findings[1].remedy
                == "stickerctl set s2 --emoji EMOJI; one for all: defaults.emojis in category.json")
    }

    @Test func packWithoutPublisherOrWithTooFewIsFaulty() throws {
        let stickers = (1...3).map { TestPack.sticker($0) }
        let nameless = try #require(packs(stickers, publisher: nil).first)
        #expect(whatsApp.lint(nameless, nil).map(\.rule) == ["V03"])
        #expect(whatsApp.lint(nameless, nil)[0].remedy.contains("set cats --category --publisher"))
        let part = Part(kind: .still, number: 1, stickers: stickers.prefix(2).map(\.identifier))
        let few = Pack(part, of: TestPack.source(stickers), for: whatsApp)
        #expect(whatsApp.lint(few, nil).map(\.rule) == ["V09"])
        #expect(whatsApp.lint(few, nil)[0].remedy == "add 1 still picture to the category cats")
    }

    @Test func stickerWithoutAFileForTheTargetIsInNoPack() {
        let source = TestPack.source([TestPack.sticker(1, target: "discord"), TestPack.sticker(2)])
        #expect(whatsApp.candidates(of: source).map(\.sticker.rawValue) == ["s2"])
    }
}
