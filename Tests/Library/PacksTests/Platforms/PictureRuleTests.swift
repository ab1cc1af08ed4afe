import StickerValues
import Testing

@testable import StickerPacks

/// Files that were made by rules which have changed since.
struct PictureRuleTests {
    private static let cases: [(any PackMaking, rule: String, ManifestSticker)] = [
        (Signal(), "picture-bytes", sticker("signal", .webp, 512, bytes: 300_001)),
        (Signal(), "picture-format", sticker("signal", .gif, 512, frames: 9)),
        (Signal(), "picture-time", sticker("signal", .png, 512, frames: 9, milliseconds: 3001)),
        (Telegram(), "picture-format", sticker("telegram", .png, 512)),
        (Telegram(), "picture-size", sticker("telegram", .webp, 511)),
        (Discord(), "picture-bytes", sticker("discord", .png, 320, bytes: 512_001)),
        (Discord(), "picture-time", sticker("discord", .gif, 320, frames: 9, milliseconds: 5001)),
        (IMessage(), "picture-size", sticker("imessage_medium", .png, 300)),
        (IMessage(), "picture-bytes", sticker("imessage_medium", .png, 408, bytes: 500_001)),
        (Line(), "picture-size", sticker("line", .png, 319)),
        (Line(), "picture-bytes", sticker("line", .png, 320, bytes: 1_000_001)),
        (TUIKit(), "picture-size", sticker("tuikit", .png, 239)),
        (TUIKit(), "picture-format", sticker("tuikit", .webp, 240)),
        (TUIKit(), "picture-bytes", sticker("tuikit", .gif, 240, frames: 9, bytes: 1_000_001)),
    ]

    private static func sticker(
        _ target: String, _ format: ImageFormat, _ side: Int, frames: Int? = nil,
        bytes: Int = 20_000, milliseconds: Int = 1000
    ) -> ManifestSticker {
        TestPack.sticker(
            1, frames: frames, target: target, format: format, side: side, bytes: bytes,
            milliseconds: milliseconds)
    }

    @Test(arguments: cases.indices)
    func brokenRuleIsAFaultWithTheValueAndTheLimit(index: Int) throws {
        let (platform, rule, sticker) = Self.cases[index]
        let source = TestPack.source([sticker]).withIcons(for: platform)
        let part = Part(kind: .all, number: 1, stickers: [sticker.identifier])
        let pack = Pack(part, of: source, for: platform)

        let target = try #require(platform.platform.target.flatMap { Target.builtIn[$0] })
        let findings = platform.lint(pack, target).filter { $0.rule.hasPrefix("picture-") }

        #expect(findings.map(\.rule) == [rule])
        let finding = try #require(findings.first)
        #expect(finding.severity == .fault && finding.sticker == sticker.identifier)
        #expect(finding.measured != nil && finding.limit != nil && !finding.remedy.isEmpty)
    }

    @Test(arguments: Platforms.all.map(\.platform))
    func equalPacksGiveEqualFiles(name: PackPlatform) throws {
        let platform = try #require(Platforms.all.first { $0.platform == name })
        let target = name.target ?? "whatsapp"
        let source = TestPack.source(
            (1...8).map { TestPack.sticker($0, target: target, format: .png, emojis: ["😀", "🎉"]) }
        ).withIcons(for: platform)
        let (one, two) = (
            TestPack.packs(of: source, for: platform), TestPack.packs(of: source, for: platform)
        )
        #expect(!one.isEmpty && !platform.forms.isEmpty)
        for form in platform.forms {
            let files = platform.files(of: one, as: form)
            #expect(files == platform.files(of: two, as: form))
            #expect(Set(files.paths).count == files.count)
        }
    }
}
