import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// The meaning of a configuration before a release changed a default: here as if `nearest` were the newer one.
struct ChangedDefaultTests {
    private let change = ChangedDefault(
        "sticker.resample", revision: 9, \.resample, from: .lanczos3, to: .nearest)

    private func ids(_ configuration: Configuration, _ folder: String = "cats") -> RecipeIDs {
        let names = CategoryNames(folder: Array(folder.utf8))
        return RecipeIDs(configuration.recipe(of: names)) { "<\($0)>" }
    }

    private func configuration(_ resample: StickerSettings.Resample) -> Configuration {
        var configuration = Configuration()
        configuration.sticker.resample = resample
        return configuration
    }

    @Test func newerDefaultIsTakenBackAndOtherValuesStay() {
        var own = configuration(.nearest)
        own.categories["dogs"] = own.sticker
        own.categories["cats"] = configuration(.lanczos3).sticker

        let before = own.before([change])

        #expect(before.sticker.resample == .lanczos3)
        #expect(before.categories["dogs"]?.resample == .lanczos3)
        #expect(before.categories["cats"]?.resample == .lanczos3)
        #expect(change.isInForce(in: own.sticker))
        #expect(!change.isInForce(in: configuration(.lanczos3).sticker))
    }

    @Test func chainOfChangesIsTakenBackFromTheLatestOn() {
        let later = ChangedDefault(
            "sticker.trayBytesMax", revision: 10, \.trayBytesMax, from: 50_000, to: 60_000)
        let last = ChangedDefault(
            "sticker.trayBytesMax", revision: 11, \.trayBytesMax, from: 60_000, to: 70_000)
        var settings = StickerSettings()
        settings.trayBytesMax = 70_000

        #expect(settings.before([later, last]).trayBytesMax == 50_000)
        #expect(settings.before([last]).trayBytesMax == 60_000)
    }

    /// The text of a recipe depends on its values alone: the ids before the change are those of the older release.
    @Test func everyPartOfARecipeIsRenamed() throws {
        let (old, new) = (ids(configuration(.lanczos3)), ids(configuration(.nearest)))

        let renames = new.renames(of: ids(configuration(.nearest).before([change])))

        #expect(renames[old.still.whole] == new.still.whole)
        #expect(renames[old.moving.sideFiles] == new.moving.sideFiles)
        #expect(
            renames[old.still.renditions[0].recipe] == new.still.renditions[0].recipe)
        #expect(new.renames(of: new).isEmpty)
    }

    @Test func productTakesTheNewNames() {
        var product = StickerProduct(
            recipe: "old", sideRecipe: "old side", revision: 4, animated: false,
            encoding: Encoding(mode: .lossless), files: [])

        product.rename(["old": "new", "old side": "new side"])

        #expect(product.recipe == "new" && product.sideRecipe == "new side")
        #expect(product.revision == 4)
    }

    @Test func everyChangeIsOfADefaultThatIsInForce() {
        #expect(ChangedDefault.all.allSatisfy { $0.isInForce(in: StickerSettings()) })
        #expect(ChangedDefault.all.allSatisfy { $0.revision <= Recipe.currentRevision })
    }
}
