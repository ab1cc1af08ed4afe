import StickerValues
import Testing

@testable import StickerPacks

/// Warnings of lint that were measured in pixels.
struct AppearanceFindingTests {
    private static let good = Appearance(
        onDarkPercent: 20, onLightPercent: 20, marginPixels: 16, startsEmpty: false)

    /// A pack whose first stickers look like `looks`; the others are good.
    private func findings(
        _ looks: [Appearance?], of count: Int = 5, frames: Int? = nil
    ) -> [Finding] {
        let stickers = (1...count).map { number in
            var sticker = TestPack.sticker(number, frames: frames)
            sticker.appearance = number <= looks.count ? looks[number - 1] : Self.good
            return sticker
        }
        let plan = PackPlan(
            TestPack.source(stickers), for: WhatsApp(), remembering: []
        ) { "\($0)" }
        #expect(plan.readiness.ready)
        return plan.findings
    }

    private func changed(_ change: (inout Appearance) -> Void) -> Appearance {
        var looks = Self.good
        change(&looks)
        return looks
    }

    @Test func goodStickersAndThoseThatNobodyJudgedHaveNoFinding() {
        #expect(findings([Self.good, nil]) == [])
    }

    @Test func eachRuleFiresAloneOnWhatBreaksIt() {
        for (rule, looks) in [
            ("vanishes-on-dark", changed { $0.onDarkPercent = 19 }),
            ("vanishes-on-light", changed { $0.onLightPercent = 19 }),
            ("empty-first-frame", changed { $0.startsEmpty = true }),
            ("margin", changed { $0.marginPixels = 15 }),
        ] {
            let found = findings([looks], frames: 4)

            #expect(found.map(\.rule) == [rule])
            #expect(found.allSatisfy { $0.severity == .warning && $0.sticker?.rawValue == "s1" })
            #expect(found.allSatisfy { $0.measured != nil && $0.limit != nil })
            #expect(found.allSatisfy { !$0.remedy.isEmpty && $0.file == "s1.png" })
        }
    }

    @Test func emptyStillVanishesNowhere() {
        let empty = Appearance(
            onDarkPercent: 0, onLightPercent: 0, marginPixels: 256, startsEmpty: true)

        #expect(findings([empty]).map(\.rule) == ["empty-first-frame"])
    }

    @Test func manyStickersWithoutAMarginAreOneFindingThatNamesTheKey() throws {
        let tight = changed { $0.marginPixels = 3 }

        #expect(findings([tight, tight, tight]).map(\.sticker?.rawValue) == ["s1", "s2", "s3"])
        let found = findings([tight, tight, changed { $0.marginPixels = 0 }, tight])
        #expect(found.map(\.rule) == ["margin"])
        let finding = try #require(found.first)
        #expect(finding.sticker == nil && finding.pack == "cats")
        #expect(finding.detail.contains("4 of 5") && finding.measured == "0 pixels")
        #expect(finding.remedy.contains("sticker.marginPixels"))
    }

    /// Canvases of Telegram end where the art does.
    @Test func marginIsJudgedOnCanvasesThatHaveOne() {
        let stickers = (1...3).map { number in
            var sticker = TestPack.sticker(number, target: "telegram")
            sticker.appearance = changed { $0.marginPixels = 0 }
            return sticker
        }
        let plan = PackPlan(
            TestPack.source(stickers), for: WhatsApp(), remembering: []
        ) { "\($0)" }

        #expect(!plan.findings.contains { $0.rule == "margin" })
    }
}
