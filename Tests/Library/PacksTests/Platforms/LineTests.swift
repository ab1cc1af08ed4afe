import StickerValues
import Testing

@testable import StickerPacks

/// Sets for LINE, which have 8, 16, 24, 32 or 40 stickers.
struct LineTests {
    private let line = Line()

    private func stickers(_ numbers: some Sequence<Int>, bytes: Int = 20_000) -> [ManifestSticker] {
        numbers.map {
            TestPack.sticker($0, target: "line", format: .png, side: 320, bytes: bytes)
        }
    }

    private func packs(_ stickers: [ManifestSticker]) -> [Pack] {
        TestPack.packs(of: TestPack.source(stickers).withIcons(for: line), for: line)
    }

    @Test func archiveHoldsNumberedPicturesAndTheTextsAreBesideIt() throws {
        var source = TestPack.source(stickers(1...8)).withIcons(for: line)
        (source.words.description, source.words.licence) = ("cats that wave", "CC BY 4.0")
        let files = line.files(of: TestPack.packs(of: source, for: line), as: "zip")

        #expect(files.paths == ["cats.zip", "cats.json"])
        guard case .archive(.zip, let entries) = files[0].content else {
            Issue.record("no archive")
            return
        }
        #expect(entries.paths == ["main.png", "tab.png"] + (1...8).map { "0\($0).png" })
        #expect(entries.picture("main.png") == .of(900, .png))
        #expect(entries.picture("tab.png") == .of(901, .png))
        #expect(
            try files.object("cats.json") as? [String: String] == [
                "title": "Cats", "description": "cats that wave", "creator": "Ada",
                "copyright": "CC BY 4.0",
            ])
    }

    @Test(
        arguments: [
            (7, []), (8, [8]), (13, [8]), (16, [16]), (40, [40]), (47, [40]), (48, [24, 24]),
            (90, [24, 32, 32]),
        ] as [(Int, [Int])])
    func setsHaveAMultipleOfEight(count: Int, sizes: [Int]) {
        let packs = packs(stickers(1...count))
        #expect(packs.map(\.stickers.count) == sizes)
        #expect(packs.allSatisfy { line.lint($0, Target.builtIn["line"]).isEmpty })
    }

    @Test func stickersThatAreOverWaitAndThatIsTold() {
        let plan = PackPlan(
            TestPack.source(stickers(1...13)).withIcons(for: line), for: line, remembering: []
        ) { "\($0)" }
        #expect(plan.readiness.ready && plan.packs.map(\.stickers.count) == [8])
        #expect(plan.findings.map(\.rule) == ["too-few"])
        #expect(plan.findings[0].measured == "5")
        #expect(plan.findings[0].remedy == "add 3 pictures to the category cats")
    }

    @Test func setThatLostAStickerStaysAsItWas() {
        let source = TestPack.source(stickers(1...8)).withIcons(for: line)
        let first = PackPlan(source, for: line, remembering: []) { "\($0)" }
        var less = source
        less.stickers.removeFirst()
        let second = PackPlan(less, for: line, remembering: first.remembered) { "\($0)" }
        #expect(second.packs == first.packs)
        #expect(second.findings.map(\.rule) == ["too-few", "kept"])
    }

    @Test func setOfAnotherSizeIsAFaultWithBothWaysOut() throws {
        let eleven = stickers(1...11)
        let part = Part(kind: .all, number: 1, stickers: eleven.map(\.identifier))
        let pack = Pack(part, of: TestPack.source(eleven).withIcons(for: line), for: line)
        let finding = try #require(line.lint(pack, nil).first)
        #expect(finding.rule == "set-size" && finding.severity == .fault)
        #expect(finding.remedy == "add 5 pictures to the category cats, or take 3 out of it")
    }

    @Test func picturesOfTheSetAreNeeded() throws {
        let pack = try #require(
            TestPack.packs(of: TestPack.source(stickers(1...8)), for: line).first)
        #expect(line.lint(pack, nil).map(\.rule) == ["no-icon", "no-icon"])
        #expect(line.lint(pack, nil).map(\.limit) == ["240x240", "96x74"])
    }

    @Test func archiveAboveTwentyMegabytesIsAFaultWithTheLimitThatHelps() throws {
        let pack = try #require(packs(stickers(1...40, bytes: 492_501)).first)
        let finding = try #require(line.lint(pack, nil).first)
        #expect(finding.rule == "archive-bytes" && finding.severity == .fault)
        #expect(finding.remedy == "set targets.line.still.bytesMax to 492500 in config.json")
        let other = try #require(packs(stickers(1...40, bytes: 492_500)).first)
        #expect(line.lint(other, nil).isEmpty)
    }

    @Test func textsAreCutAndThatIsTold() throws {
        var source = TestPack.source(stickers(1...8)).withIcons(for: line)
        let long = String(repeating: "é", count: 200)
        source.title = long
        (source.words.description, source.words.licence) = (long, long)
        source.words.publisher = long
        let packs = TestPack.packs(of: source, for: line)
        let texts = try line.files(of: packs, as: "zip").object("cats.json") as? [String: String]
        #expect(
            texts?.mapValues(\.count)
                == ["title": 40, "description": 160, "creator": 50, "copyright": 50])
        #expect(
            line.lint(packs[0], nil).map(\.rule)
                == ["title-cut", "description-cut", "publisher-cut", "licence-cut"])
    }
}
