import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Every shipped target, made of pictures that try it.
struct TargetMakingTests {
    private static let names = Target.builtIn.keys.sorted()

    private func targets(_ names: [String]) throws -> [Target] {
        try names.map { try #require(Target.builtIn[$0]) }
    }

    private func make(
        _ source: SourceBytes, for names: [String], isStickerAlone: Bool = false,
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) throws -> MadeSticker {
        var settings = StickerSettings()
        change(&settings)
        let recipe = Recipe(settings: settings, targets: try targets(names))
        return try StickerPipeline(isStickerAlone: isStickerAlone).make(
            source, recipe: recipe, limits: DecodeLimits()
        ).result.get()
    }

    private func still(_ size: PixelSize) throws -> SourceBytes {
        SourceBytes(try PNGEncoder.encode(.photo(size)))
    }

    /// Discs that grow, on transparent ground.
    private func animation(frames: Int, milliseconds: Int) throws -> SourceBytes {
        let encoder = try GIFEncoder(
            size: PixelSize(width: 200, height: 120), matte: SIMD3(repeating: 255))
        for number in 1...frames {
            let side = 20 + 100 * number / frames
            let disc = PixelBuffer.disc(PixelSize(width: side, height: side))
            try encoder.add(
                frame: disc.centered(on: PixelSize(width: 200, height: 120)),
                durationMilliseconds: milliseconds)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    /// Its sticker was published as a still, which it stays.
    @Test func renditionOfAnAnimatedPNGStandsStillIfItsStickerDoes() throws {
        let frames = [TestAPNG.red, TestAPNG.green].map { TestAPNG.Frame.filled($0, 9, 9) }
        let source = SourceBytes(TestAPNG(width: 9, height: 9, frames: frames).bytes)
        var recipe = Recipe(
            settings: StickerSettings(), targets: try targets(["whatsapp", "discord", "telegram"]))
        recipe.makesSticker = false
        recipe.drawsStill = true

        let made = try StickerPipeline().make(
            source, recipe: recipe, limits: DecodeLimits()
        ).result.get()

        #expect(made.files.map(\.target) == ["discord", "telegram"])
        #expect(made.files.allSatisfy { $0.frames == nil && $0.role == .rendition })
        #expect(made.shortfalls.isEmpty)
    }

    /// Telegram's canvas is another one, and is not drawn in vain.
    @Test func nothingIsDrawnForATargetThatTakesNoMovingStickers() throws {
        let recipe = Recipe(
            settings: StickerSettings(), targets: try targets(["whatsapp", "telegram"]))

        let report = StickerPipeline().make(
            try animation(frames: 4, milliseconds: 100), recipe: recipe, limits: DecodeLimits())

        #expect(try report.result.get().shortfalls.map(\.reason) == [.notTaken])
        let steps = report.log.entries.map(\.step)
        #expect(steps.count { $0 == "decode" } == 1 && steps.contains("shortfall"))
    }

    @Test func shortfallHasTheFiguresAndTheKeysOfItsTarget() throws {
        var discord = try targets(["discord"])[0]
        discord.moving?.tooLong = .refuse
        discord.moving?.millisecondsMax = 300
        let recipe = Recipe(
            settings: StickerSettings(), targets: try targets(["whatsapp"]) + [discord])

        let made = try StickerPipeline().make(
            try animation(frames: 4, milliseconds: 100), recipe: recipe, limits: DecodeLimits()
        ).result.get()

        let shortfall = try #require(made.shortfalls.first)
        #expect(shortfall.detail == "the animation plays too long for a sticker: 0.4 s")
        #expect(shortfall.limit == "0.3 s (targets.discord.moving.tooLong is refuse)")
        #expect(shortfall.remedy == "shorten it, or set targets.discord.moving.tooLong to trim")
        #expect(shortfall.published.limit == nil && shortfall.published.remedy == nil)
    }

    /// Its size is not known, since encoding ends as soon as it is too large.
    @Test func whatIsTooLargeIsToldByTheLimit() throws {
        var signal = try targets(["signal"])[0]
        signal.moving?.bytesMax = 2000
        let recipe = Recipe(
            settings: StickerSettings(), targets: try targets(["whatsapp"]) + [signal])

        let made = try StickerPipeline().make(
            try animation(frames: 12, milliseconds: 100), recipe: recipe, limits: DecodeLimits()
        ).result.get()

        let shortfall = try #require(made.shortfalls.first)
        #expect(shortfall.reason == .willNotFit)
        #expect(shortfall.detail.hasSuffix(": more than 1,980 B"), "\(shortfall.detail)")
        #expect(shortfall.remedy?.contains("raise targets.signal.moving.bytesMax") == true)
    }

    @Test func renditionsAreMadeWithoutTheSticker() throws {
        var recipe = Recipe(
            settings: StickerSettings(), targets: try targets(["whatsapp", "discord", "slack"]))
        let source = try animation(frames: 4, milliseconds: 100)
        let whole = try StickerPipeline().make(
            source, recipe: recipe, limits: DecodeLimits()
        ).result.get()
        recipe.makesSticker = false

        let part = try StickerPipeline().make(
            source, recipe: recipe, limits: DecodeLimits()
        ).result.get()

        #expect(part.files == whole.files.filter { $0.role == .rendition })
        #expect(part.files.map(\.target) == ["discord", "slack"])
    }

    /// Faults of a file by the rules of its target.
    private func faults(_ file: MadeFile, _ target: Target) -> [String] {
        let bytesMax = file.frames == nil ? target.still?.bytesMax : target.moving?.bytesMax
        var faults: [String] = []
        if file.bytes.count > bytesMax ?? 0 { faults.append("\(file.bytes.count) B") }
        let box = PixelSize(width: target.canvas.width, height: target.canvas.height)
        let isRight =
            switch target.canvas.fit {
            case .exact: file.size == box
            case .within: file.size.width <= box.width && file.size.height <= box.height
            case .touch: file.size.width == box.width || file.size.height == box.height
            }
        if !isRight { faults.append("\(file.size)") }
        guard let frames = file.frames, let rules = target.moving else { return faults }
        if rules.framesMax > 0, frames > rules.framesMax { faults.append("\(frames) frames") }
        let time = file.durationMilliseconds ?? 0
        if rules.millisecondsMax > 0, time > rules.millisecondsMax { faults.append("\(time) ms") }
        return faults
    }

    @Test(
        arguments: names, [PixelSize(width: 700, height: 300), PixelSize(width: 90, height: 200)])
    func stillKeepsToTheRulesOfItsTarget(name: String, size: PixelSize) throws {
        let target = try targets([name])[0]

        let made = try make(still(size), for: [name], isStickerAlone: true)

        #expect(made.files.map(\.role) == [.sticker] && made.files[0].target == name)
        #expect(faults(made.files[0], target) == [])
        #expect(made.files[0].encoding?.score ?? 0 > 50)
    }

    @Test(arguments: names)
    func animationKeepsToTheRulesOfItsTargetOrFallsShort(name: String) throws {
        let source = try animation(frames: 20, milliseconds: 300)

        let made = try make(source, for: [Target.whatsApp, name].uniqued)

        let target = try targets([name])[0]
        for file in made.files where file.target == name { #expect(faults(file, target) == []) }
        let isThere = made.files.contains { $0.target == name }
        #expect(isThere != made.shortfalls.contains { $0.target == name })
        #expect(isThere || target.moving == nil, "\(made.shortfalls)")
    }

    @Test func renditionIsTheSameAloneAndBesideOthers() throws {
        let source = try still(PixelSize(width: 700, height: 300))

        let together = try make(source, for: [Target.whatsApp, "telegram", "line", "discord"])

        for name in ["telegram", "line", "discord"] {
            let alone = try make(source, for: [name], isStickerAlone: true).files[0]
            let rendition = try #require(together.files.first { $0.target == name })
            #expect(rendition.role == .rendition && rendition.bytes == alone.bytes)
        }
        #expect(together.files.filter { $0.role == .tray }.count == 1)
    }

    @Test func targetsWithTheSameRulesShareAFile() throws {
        var twin = try targets(["discord"])[0]
        twin.name = "twin"
        let recipe = Recipe(
            settings: StickerSettings(),
            targets: try targets([Target.whatsApp, "discord"]) + [twin])

        let report = try StickerPipeline().make(
            still(PixelSize(width: 300, height: 300)), recipe: recipe, limits: DecodeLimits())

        let renditions = try report.result.get().files.filter { $0.role == .rendition }
        #expect(renditions.map(\.target) == ["discord", "twin"])
        #expect(renditions[0].bytes == renditions[1].bytes)
        #expect(report.log.entries.filter { $0.step == "fit" }.count == 2)
    }

    @Test func shortfallHoldsNobodyBack() throws {
        let source = try animation(frames: 4, milliseconds: 100)

        let made = try make(source, for: [Target.whatsApp, "telegram", "slack"])

        #expect(made.shortfalls.map(\.target) == ["telegram"])
        #expect(made.shortfalls[0].reason == .notTaken)
        #expect(made.files.contains { $0.target == "slack" && $0.frames == 4 })
    }

    @Test func firstTargetDecidesWhetherThereIsASticker() throws {
        let source = try animation(frames: 4, milliseconds: 100)

        #expect(throws: MakeFailure.self) { try make(source, for: ["telegram", "slack"]) }
    }

    @Test func stickerThatIsNoWebPNeedsNoCompanion() throws {
        let made = try make(still(PixelSize(width: 300, height: 300)), for: ["slack"])

        #expect(made.files[0].format == .png)
        #expect(!made.files.contains { $0.role == .companion })
        #expect(made.files.contains { $0.role == .tray })
    }

    @Test func longAnimationIsPlayedFasterThenCutByItsTarget() throws {
        let fast = try make(animation(frames: 30, milliseconds: 200), for: ["discord"])
        let cut = try make(animation(frames: 50, milliseconds: 200), for: ["discord"])

        #expect(fast.files[0].durationMilliseconds == 5000)
        #expect(cut.files[0].durationMilliseconds == 5000)
        #expect(fast.files[0].frames == 30 && (cut.files[0].frames ?? 0) < 40)
    }
}

extension [String] {
    fileprivate var uniqued: [String] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
