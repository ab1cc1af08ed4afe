import StickerValues
import Testing

@testable import StickerWorkers

/// Allowed contents of a reply for the targets of its order, and claims that no worker is believed.
struct RoleAuditTests {
    private static let names = [Target.whatsApp, "discord", "telegram"]

    private let order = WorkOrder(
        recipe: Recipe(
            settings: StickerSettings(), targets: names.compactMap { Target.builtIn[$0] }),
        limits: DecodeLimits(), isStickerAlone: false)

    /// An animation for WhatsApp and Discord; Telegram takes none.
    private let made: MadeSticker = {
        func file(
            _ role: StickerFile.Role, _ format: ImageFormat, _ side: Int, for target: String? = nil,
            moves: Bool = false
        ) -> MadeFile {
            MadeFile(
                role: role, target: target, format: format,
                size: PixelSize(width: side, height: side), bytes: [0],
                frames: moves ? 4 : nil, durationMilliseconds: moves ? 400 : nil,
                encoding: target.map { _ in Encoding(mode: .lossless) })
        }
        let refusal = Refusal(.unsupportedFormat, "no form", remedy: "none")
        return MadeSticker(
            animated: true,
            files: [
                file(.sticker, .webp, 512, for: Target.whatsApp, moves: true),
                file(.companion, .gif, 512, moves: true), file(.poster, .webp, 512),
                file(.thumbnail, .png, 144), file(.tray, .png, 96),
                file(.rendition, .png, 320, for: "discord", moves: true),
            ], shortfalls: [Shortfall(target: "telegram", refusal)])
    }()

    private func isRefused(_ lie: (inout MadeSticker) -> Void) -> Bool {
        var told = made
        lie(&told)
        do {
            try RoleAudit(order: order, made: told).check()
            return false
        } catch {
            return true
        }
    }

    @Test func honestReplyPasses() throws {
        try RoleAudit(order: order, made: made).check()

        let audit = RoleAudit(order: order, made: made)
        #expect(audit.bytesMax(of: made.files[0]) == 500_000)
        #expect(audit.bytesMax(of: made.files[5]) == 512_000)
        #expect(audit.bytesMax(of: made.files[1]) == nil)
    }

    @Test func impossibleAppearanceIsRefused() {
        let looks = Appearance(
            onDarkPercent: 100, onLightPercent: 0, marginPixels: 512, startsEmpty: false)

        #expect(!isRefused { $0.appearance = looks })
        for lie in [\Appearance.onDarkPercent, \.onLightPercent, \.marginPixels] {
            for value in [-1, 513] {
                #expect(
                    isRefused {
                        $0.appearance = looks
                        $0.appearance?[keyPath: lie] = value
                    })
            }
        }
    }

    @Test func everyTargetOfTheOrderIsAnsweredOnce() {
        #expect(isRefused { $0.shortfalls = [] })
        #expect(isRefused { $0.shortfalls.append($0.shortfalls[0]) })
        #expect(isRefused { $0.files.removeLast() })
        #expect(isRefused { $0.files.append($0.files[5]) })
        #expect(isRefused { $0.files[5].target = "slack" })
        #expect(isRefused { $0.files[5].target = nil })
        #expect(isRefused { $0.files[0].target = "discord" })
        #expect(isRefused { $0.shortfalls[0].target = "line" })
    }

    @Test func renditionKeepsToTheRulesOfItsTarget() {
        #expect(isRefused { $0.files[5].format = .webp })
        #expect(isRefused { $0.files[5].size = .sticker })
        #expect(isRefused { $0.files[5].durationMilliseconds = 5001 })
        #expect(isRefused { $0.files[5].frames = 1_000_000 })
        #expect(isRefused { $0.files[5].durationMilliseconds = nil })
        #expect(isRefused { $0.files[0].durationMilliseconds = 10_001 })
        #expect(isRefused { $0.files[0].frames = nil })
    }
}
