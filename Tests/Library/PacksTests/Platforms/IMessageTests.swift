import StickerValues
import Testing

@testable import StickerPacks

/// The catalog for Xcode.
struct IMessageTests {
    private let imessage = IMessage()
    private let folder = "cats/Stickers.xcstickers/Sticker Pack.stickerpack"

    private func sticker(
        _ number: Int, text: String? = nil, format: ImageFormat = .png
    ) -> ManifestSticker {
        var words = StickerWords()
        words.accessibilityText = text
        return TestPack.sticker(
            number, frames: format == .gif ? 3 : nil, target: "imessage_medium", format: format,
            side: 408, emojis: [], words: words)
    }

    @Test func everyFolderHasItsContents() throws {
        let source = TestPack.source([sticker(2, format: .gif), sticker(1, text: "a cat")])
        let files = imessage.files(of: TestPack.packs(of: source, for: imessage), as: "xcode")

        #expect(
            files.paths == [
                "cats/Stickers.xcstickers/Contents.json", "\(folder)/Contents.json",
                "\(folder)/s2.sticker/Contents.json", "\(folder)/s2.sticker/s2.gif",
                "\(folder)/s1.sticker/Contents.json", "\(folder)/s1.sticker/s1.png",
            ])
        let list = try files.object("\(folder)/Contents.json")
        #expect(list["properties"] as? [String: String] == ["grid-size": "regular"])
        #expect(
            list["stickers"] as? [[String: String]]
                == [["filename": "s2.sticker"], ["filename": "s1.sticker"]])
        let one = try files.object("\(folder)/s1.sticker/Contents.json")
        #expect(
            one["properties"] as? [String: String]
                == ["accessibility-label": "a cat", "filename": "s1.png"])
        for path in files.paths where path.hasSuffix("Contents.json") {
            let info = try #require(try files.object(path)["info"] as? [String: Any])
            #expect(info["author"] as? String == "xcode" && info["version"] as? Int == 1)
        }
    }

    @Test func labelIsCutAndThatIsTold() throws {
        let source = TestPack.source([sticker(1, text: String(repeating: "👨‍👩‍👧 ", count: 20))])
        let pack = try #require(TestPack.packs(of: source, for: imessage).first)

        let files = imessage.files(of: [pack], as: "xcode")

        let one = try files.object("\(folder)/s1.sticker/Contents.json")
        let label = (one["properties"] as? [String: String])?["accessibility-label"]
        #expect(label == Array(repeating: "👨‍👩‍👧", count: 16).joined(separator: " "))
        #expect(imessage.lint(pack, nil).map(\.rule) == ["text-cut"])
    }

    @Test func packIsDividedAtAHundred() {
        let source = TestPack.source((1...101).map { sticker($0) })
        let packs = TestPack.packs(of: source, for: imessage)
        #expect(packs.map(\.identifier) == ["cats", "cats-2"])
        #expect(packs.map(\.stickers.count) == [50, 51])
    }
}
