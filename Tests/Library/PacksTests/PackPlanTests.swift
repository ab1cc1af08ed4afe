import StickerValues
import Testing

@testable import StickerPacks

/// Packs change with what is in them, and with nothing else.
struct PackPlanTests {
    private func plan(
        _ stickers: [ManifestSticker], after remembered: [RememberedPart] = [],
        publisher: String? = "Ada"
    ) -> PackPlan {
        PackPlan(
            TestPack.source(stickers, publisher: publisher), for: WhatsApp(),
            remembering: remembered
        ) { pack in "\(pack)" }
    }

    private func stickers(_ numbers: some Sequence<Int>) -> [ManifestSticker] {
        numbers.map { TestPack.sticker($0) }
    }

    @Test func versionRisesWithContentAlone() {
        let first = plan(stickers(1...3))
        let same = plan(stickers(1...3), after: first.remembered)
        let more = plan(stickers(1...4), after: same.remembered)
        let back = plan(stickers(1...3), after: more.remembered)
        #expect([first, same, more, back].map { $0.packs.map(\.version) } == [[1], [1], [2], [3]])
        #expect(first.readiness.ready && same.packs == first.packs)
    }

    @Test func onlyThePackThatHoldsAStickerChanges() {
        let first = plan(stickers(1...40))
        var changed = stickers(1...40)
        changed[25].title = "another"
        let second = plan(changed, after: first.remembered)
        #expect(second.packs.map(\.version) == [1, 2])
        #expect(second.packs[0] == first.packs[0])
    }

    @Test func packThatBecameFaultyStaysAsItWas() {
        let first = plan(stickers(1...3))
        let few = plan(stickers(1...2), after: first.remembered)
        let silent = plan(
            [TestPack.sticker(1, emojis: [])] + stickers(2...3), after: first.remembered)
        #expect(few.packs == first.packs && !few.readiness.ready)
        #expect(few.findings.map(\.rule) == ["V09", "kept"])
        #expect(few.findings[1].detail == "the pack stays as it was, version 1, and still shows s3")
        #expect(silent.packs == first.packs)
        #expect(silent.findings.map(\.rule) == ["V10", "V09", "kept"])
        let mended = plan(stickers(1...3), after: few.remembered)
        #expect(mended.packs == first.packs && mended.readiness.ready)
        let other = plan(stickers([1, 2, 7]), after: few.remembered)
        #expect(other.packs.map(\.version) == [2])
    }

    @Test func faultOfOnePackBlocksNoOther() {
        let moving = (50...52).map {
            TestPack.sticker($0, frames: 3, emojis: $0 == 50 ? [] : ["😀"])
        }
        let plan = plan(stickers(1...3) + moving)
        #expect(plan.packs.map(\.identifier) == ["cats"])
        #expect(plan.findings.map(\.rule) == ["V10", "V09"] && !plan.readiness.ready)
        #expect(plan.findings.allSatisfy { $0.pack == "cats-animated" })
    }

    @Test func stickerWithAFaultIsLeftOutAndComesBackToItsPlace() {
        let first = plan(stickers(1...4))
        let silent = [TestPack.sticker(1), TestPack.sticker(2, emojis: [])] + stickers(3...4)

        let rest = plan(silent, after: first.remembered)
        let same = plan(silent, after: rest.remembered)
        let mended = plan(stickers(1...4), after: same.remembered)

        #expect(rest.packs.map { $0.stickers.map(\.identifier.rawValue) } == [["s1", "s3", "s4"]])
        #expect(
            [first, rest, same, mended].map { $0.packs.map(\.version) } == [[1], [2], [2], [3]])
        #expect(rest.remembered[0].part == first.remembered[0].part)
        #expect(mended.packs[0].stickers == first.packs[0].stickers)
        let finding = rest.findings[0]
        #expect(rest.readiness.ready && rest.findings.count == 1)
        #expect(finding.rule == "V10" && finding.severity == .warning)
        #expect(finding.sticker?.rawValue == "s2")
        #expect(finding.detail == "the sticker has no emoji, so it is left out")
    }

    @Test func faultOfThePackIsToldWithThoseOfItsStickers() {
        let plan = plan([TestPack.sticker(1, emojis: [])] + stickers(2...4), publisher: nil)
        #expect(plan.packs.isEmpty && plan.findings.allSatisfy { $0.severity == .fault })
        #expect(Set(plan.findings.map(\.rule)) == ["V03", "V10"] && plan.findings.count == 2)
    }

    /// A set of another size is not taken.
    @Test func stickerIsNotLeftOutIfSetsOfThatSizeAreNotTaken() {
        let stickers = (1...16).map {
            TestPack.sticker($0, target: "line", format: $0 == 1 ? .gif : .png, side: 200)
        }
        let plan = PackPlan(TestPack.source(stickers), for: Line(), remembering: []) { "\($0)" }
        #expect(plan.packs.isEmpty && !plan.readiness.ready)
        #expect(Set(plan.findings.map(\.rule)).isSuperset(of: ["picture-format", "set-size"]))
    }

    @Test func lastStickerIsNotLeftOut() {
        let sticker = TestPack.sticker(1, target: "mastodon", format: .webp, side: 128)
        let plan = PackPlan(TestPack.source([sticker]), for: Mastodon(), remembering: []) {
            "\($0)"
        }
        #expect(plan.packs.isEmpty && plan.findings.map(\.rule) == ["picture-format"])
        #expect(plan.findings[0].severity == .fault)
    }

    @Test func categoryOfSmartStickersLacksNothing() throws {
        var manifest = Manifest(
            generation: 1, identifier: CategoryID(rawValue: "smart"), title: "Smart",
            stickers: [TestPack.sticker(1)])
        manifest.stickers[0].source.name = "clock.smart.svg"
        let source = try #require(PackSource(pages: [manifest]))
        let plan = PackPlan(source, for: WhatsApp(), remembering: []) { "\($0)" }
        #expect(plan.packs.isEmpty && plan.findings.isEmpty)
        #expect(plan.readiness.ready && plan.readiness.lack == nil)
    }

    @Test func categoryOfTwoMakesNoPackAndThatIsAFault() {
        let plan = plan(stickers(1...2))
        #expect(plan.packs.isEmpty && plan.remembered.isEmpty)
        #expect(plan.findings.map(\.rule) == ["too-few"])
        #expect(plan.findings[0].severity == .fault && plan.findings[0].measured == "2")
        #expect(plan.findings[0].remedy == "add 1 still picture to the category cats")
    }

    @Test func kindOfWhichThereAreTooFewIsNamed() {
        let plan = plan(stickers(1...3) + [TestPack.sticker(50, frames: 4)])
        #expect(plan.readiness.ready && plan.packs.count == 1)
        #expect(
            plan.findings.map(\.detail) == ["1 moving one waits until there are enough for a pack"])
        #expect(plan.findings[0].remedy == "add 2 moving pictures to the category cats")
    }

    @Test func categoryWithoutStickersNeedsAPackOfOneKind() {
        #expect(
            plan([]).findings.map(\.remedy) == [
                "add 3 pictures to the category cats, all still or all moving"
            ])
    }

    @Test func stickersWithoutAFileAreToldWithTheRemedy() {
        let plan = plan(stickers(1...3) + (8...9).map { TestPack.sticker($0, target: "discord") })
        #expect(plan.packs.map(\.stickers.count) == [3] && plan.readiness.ready)
        #expect(plan.findings.map(\.rule) == ["not-made"])
        #expect(plan.findings[0].detail == "2 pictures are not made yet")
        #expect(plan.findings[0].remedy.hasPrefix("add whatsapp to sticker.packs"))
    }

    @Test func stickerThatDoesNotFitIsTakenToItsExplanation() {
        var sticker = TestPack.sticker(9, target: "discord")
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "")
        sticker.shortfalls = [Shortfall(target: "whatsapp", refusal).published]
        let plan = plan(stickers(1...3) + [sticker])
        #expect(plan.findings.map(\.detail) == ["no encoding fits"])
        #expect(plan.findings.map(\.remedy) == ["stickerctl explain s9"])
    }

    /// The attempts are for `explain`.
    @Test func whatIsLeftOutIsToldInOneClause() {
        var sticker = TestPack.sticker(9, target: "discord")
        let detail = "no encoding fits; nearest: png palette of 64 colours 4,540 B"
        sticker.shortfalls = [
            Shortfall(
                target: "whatsapp",
                Refusal(.willNotFit, detail, measured: "4,540 B", remedy: "")
            ).published
        ]
        #expect(plan(stickers(1...3) + [sticker]).findings.map(\.detail) == ["no encoding fits"])
    }

    @Test func partThatIsGoneIsRememberedForItsNumber() {
        let first = plan(stickers(1...40))
        let half = plan(stickers(1...20), after: first.remembered)
        let grown = plan(stickers(1...20) + stickers(50...79), after: half.remembered)
        #expect(half.packs.map(\.identifier) == ["cats"])
        #expect(grown.packs.map(\.identifier) == ["cats", "cats-3"])
    }
}
