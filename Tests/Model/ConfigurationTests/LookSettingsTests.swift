import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// How the look of a category changes its settings.
struct LookSettingsTests {
    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.sticker.outline.pixels = 2
        configuration.sticker.tint.color = "#ABCDEF"
        configuration.categories["cats"] = configuration.sticker
        configuration.categories["cats"]?.outline.pixels = 5
        configuration.categories["cats"]?.outline.color = "#101010"
        configuration.marks = MarkFolder(path: "/marks")
        configuration.marks?.pictures["logo.png"] = FileContent(
            bytes: [1], hash: ContentHash(rawValue: "logo"))
        return configuration
    }

    private func cats(_ change: (inout CategoryLook) -> Void) -> CategoryNames {
        var look = CategoryLook()
        change(&look)
        return CategoryNames(folder: Array("cats".utf8), look: look)
    }

    private let plain = CategoryNames(folder: Array("cats".utf8))

    private func mark(_ name: String) -> Watermark {
        Watermark(id: "l", .image(WatermarkFile(path: name)))
    }

    @Test func lookCountsBeforeTheConfiguration() {
        let settings = configuration.settings(of: cats { $0.outlinePixels = 9 })

        #expect(settings.outline.pixels == 9 && settings.outline.color == "#101010")
        #expect(settings.tint.color == "#ABCDEF")
        #expect(configuration.settings(of: plain).outline.pixels == 5)
    }

    @Test func lookThatChangesNothingKeepsTheRecipe() {
        let same = cats {
            $0.outlinePixels = 5
            $0.trim = false
        }

        #expect(configuration.recipe(of: same) == configuration.recipe(of: plain))
        #expect(
            configuration.recipe(of: cats { $0.trim = true }) != configuration.recipe(of: plain))
    }

    @Test func folderOfMarksAloneChangesNoRecipe() {
        var without = configuration
        without.marks = nil

        #expect(without.recipe(of: plain) == configuration.recipe(of: plain))
    }

    @Test func marksHaveThePicturesOfTheFolder() {
        let names = cats { $0.watermarks = [mark("logo.png")] }
        var other = configuration
        other.marks?.pictures["logo.png"] = FileContent(
            bytes: [2], hash: ContentHash(rawValue: "other"))

        let recipe = configuration.recipe(of: names)

        #expect(recipe.settings.watermarks[0].file?.content?.bytes == [1])
        #expect(configuration.missingMarks(of: names).isEmpty)
        #expect(other.recipe(of: names) != recipe)
    }

    @Test func missingPictureIsKnown() {
        let names = cats { $0.watermarks = [mark("gone.png"), mark("logo.png")] }

        #expect(configuration.missingMarks(of: names) == ["gone.png"])
        #expect(configuration.missingMarks(of: plain).isEmpty)
    }

    @Test func newContentOfAMarkIsAChangedSetting() {
        var other = configuration
        other.marks?.pictures["logo.png"] = FileContent(
            bytes: [2], hash: ContentHash(rawValue: "other"))

        #expect(configuration.changes(to: other).map(\.key) == ["marks"])
    }
}
