import StickerValues
import Testing

@testable import StickerPacks

/// The folder for Signal's creator.
struct SignalTests {
    private let signal = Signal()

    private func sticker(
        _ number: Int, frames: Int? = nil, emojis: [String] = ["😀"]
    ) -> ManifestSticker {
        TestPack.sticker(
            number, frames: frames, target: "signal", format: frames == nil ? .webp : .png,
            emojis: emojis)
    }

    @Test func folderHoldsTextsCoverAndPicturesInOrder() throws {
        let source = TestPack.source([sticker(7, emojis: ["🐱", "🎉"]), sticker(2, frames: 3)])

        let files = signal.files(of: TestPack.packs(of: source, for: signal), as: "folder")

        #expect(
            files.paths == [
                "cats/title.txt", "cats/author.txt", "cats/emoji.txt", "cats/cover.png",
                "cats/001_s7.webp", "cats/002_s2.png",
            ])
        #expect(try files.text("cats/title.txt") == "Cats\n")
        #expect(try files.text("cats/author.txt") == "Ada\n")
        let emojis = try files.object("cats/emoji.txt") as? [String: String]
        #expect(emojis == ["001_s7": "🐱", "002_s2": "😀"])
    }

    @Test func coverIsTheTrayUntilThereIsAPictureForIt() throws {
        let source = TestPack.source([sticker(1)])
        let early = TestPack.packs(of: source, for: signal)
        let late = TestPack.packs(of: source.withIcons(for: signal), for: signal)
        #expect(
            signal.files(of: early, as: "folder").picture("cats/cover.png") == .of(999, .png))
        #expect(signal.files(of: late, as: "folder").picture("cats/cover.png") == .of(900, .png))
    }

    @Test func packIsDividedAtTwoHundred() {
        let source = TestPack.source((1...201).map { sticker($0) })
        let packs = TestPack.packs(of: source, for: signal)
        #expect(packs.map(\.stickers.count) == [100, 101])
        #expect(packs.allSatisfy { signal.lint($0, Target.builtIn["signal"]).isEmpty })
    }

    @Test func whatIsMissingIsAFault() throws {
        var source = TestPack.source([sticker(1, emojis: [])], publisher: nil)
        source.title = " "
        let pack = try #require(TestPack.packs(of: source, for: signal).first)
        let findings = signal.lint(pack, nil)
        #expect(Set(findings.map(\.rule)) == ["no-title", "no-publisher", "no-emoji"])
        #expect(findings.allSatisfy { $0.severity == .fault })
    }

    @Test func onlyOneEmojiIsTakenAndThatIsTold() throws {
        let source = TestPack.source([sticker(1, emojis: ["😀", "🎉"])])
        let pack = try #require(TestPack.packs(of: source, for: signal).first)
        #expect(signal.lint(pack, nil).map(\.rule) == ["emoji-cut"])
    }

    @Test func packThatIsLargerThanTheRulesOfTodayIsAFault() {
        let stickers = (1...201).map { sticker($0) }
        let part = Part(kind: .all, number: 1, stickers: stickers.map(\.identifier))
        let pack = Pack(part, of: TestPack.source(stickers), for: signal)
        let findings = signal.lint(pack, nil)
        #expect(findings.map(\.rule) == ["too-many"])
        #expect(findings.map(\.remedy) == ["take 1 out of the category cats"])
    }
}
