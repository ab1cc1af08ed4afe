import StickerConfiguration
import StickerValues
import Testing

/// Files that packs need are made besides the targets, and only if no other file will do.
struct PackTargetsTests {
    private func targets(_ packs: [PackPlatform], also targets: [String] = ["whatsapp"]) -> [String]
    {
        var configuration = Configuration()
        configuration.sticker.packs = packs
        configuration.sticker.targets = targets
        return configuration.recipe(
            of: CategoryNames(identifier: CategoryID(rawValue: "cats"), folder: nil)
        )
        .targets.map(\.name)
    }

    @Test func platformBringsItsTarget() {
        #expect(targets([]) == ["whatsapp"])
        #expect(targets([.whatsapp]) == ["whatsapp"])
        #expect(targets([.discord, .slack]) == ["whatsapp", "discord", "slack"])
        #expect(targets([.imessage]) == ["whatsapp", "imessage_medium"])
        #expect(targets([.whatsapp], also: ["discord"]) == ["discord", "whatsapp"])
    }

    @Test func targetWithStricterRulesWillDo() {
        #expect(targets([.matrix, .telegram]) == ["whatsapp"])
        // Its animations are APNG.
        #expect(targets([.signal]) == ["whatsapp", "signal"])
        #expect(targets([.mastodon, .misskey, .zulip]) == ["whatsapp", "mastodon"])
    }

    @Test func targetThatAllowsMoreWillNotDo() {
        var configuration = Configuration()
        configuration.sticker.packs = [.matrix]
        configuration.sticker.stillBytesMax = 600_000
        let recipe = configuration.recipe(
            of: CategoryNames(identifier: CategoryID(rawValue: "cats"), folder: nil))
        #expect(recipe.targets.map(\.name) == ["whatsapp", "matrix"])
    }

    @Test func companionsAreMadeWhereTheyAreThePack() {
        var configuration = Configuration()
        configuration.sticker.companions = false
        let names = CategoryNames(identifier: CategoryID(rawValue: "cats"), folder: nil)
        #expect(!configuration.recipe(of: names).settings.companions)
        configuration.sticker.packs = [.imgly]
        #expect(configuration.recipe(of: names).settings.companions)
    }

    @Test func everyPlatformHasAKnownTarget() {
        for platform in PackPlatform.allCases where platform != .imgly {
            #expect(platform.target.flatMap { Target.builtIn[$0] } != nil, "\(platform)")
        }
    }
}
