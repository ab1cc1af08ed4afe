import Foundation
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// The ids of every library depend on what absent words mean, whatever the present defaults are.
struct RecipeBaselineTests {
    /// Every key of `sticker` as releases up to 0.5 had it by default.
    private static let released: [(key: String, value: String)] = [
        ("targets", #"["whatsapp"]"#), ("packs", "[]"), ("stillBytesMax", "100000"),
        ("animatedBytesMax", "500000"), ("trayBytesMax", "50000"), ("marginPixels", "0"),
        ("trim", "false"), ("resample", #""lanczos3""#), ("tint", #"{"mode": "none"}"#),
        ("outline", #"{"pixels": 0}"#), ("watermarks", "[]"), ("qualityMin", "20"),
        ("goal", #""best""#), ("scoreTarget", "90"), ("scoreMin", "0"), ("tooLong", #""faster""#),
        (
            "thumbnails",
            #"[{"pixels": 144, "format": "png"}, {"pixels": 96, "format": "webp"}]"#
        ),
        ("companions", "true"), ("matte", ##""#FFFFFF""##), ("review", "false"),
        ("emojis", "[]"),
        ("words", "{}"), ("tuikit", "{}"),
    ]

    private func ids(_ pairs: [(key: String, value: String)]) throws -> RecipeIDs {
        let body = pairs.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ")
        let json = #"{"sticker": {\#(body)}}"#
        let configuration = try Configuration(json: Data(json.utf8))
        return RecipeIDs(configuration.recipe(of: CategoryNames(folder: nil))) { "<\($0)>" }
    }

    @Test func textOfEveryReleasedDefaultIsWhatReleasedTreesHave() throws {
        let ids = try ids(Self.released)

        #expect(
            ids.still.renditions.map(\.recipe.rawValue) == ["<still\nplace canvas=512x512>"])
        #expect(
            ids.moving.renditions.map(\.recipe.rawValue) == [
                "<moving\nplace canvas=512x512\nfit millisecondsMax=10000>"
            ])
        #expect(ids.still.sideFiles.rawValue == "<still\nplace canvas=512x512\nbeside>")
        #expect(
            ids.moving.sideFiles.rawValue
                == "<moving\nplace canvas=512x512\nfit millisecondsMax=10000\nbeside>")
    }

    @Test func everyKeyIsSpelledOutAbove() {
        let keys = Configuration().settings.keys.filter { $0.hasPrefix("sticker.") }
        let parts = keys.map { $0.split(separator: ".")[1] }

        #expect(Set(Self.released.map(\.key)) == Set(parts.map(String.init)))
    }

    /// A key that is absent has the present default. Unless that changed, it is what it was.
    @Test(arguments: released.map(\.key))
    func absentKeyMeansTheReleasedDefaultUntilThatChanges(key: String) throws {
        let absent = Self.released.filter { $0.key != key }
        guard !ChangedDefault.all.contains(where: { $0.key == "sticker.\(key)" }) else { return }

        #expect(try ids(absent) == ids(Self.released))
    }

    /// The table is written down a second time, as nothing in it may ever change.
    @Test func baselineIsFrozen() {
        let lines = RecipeBaseline.words.map { "\($0.key)=\($0.value)" }.sorted()

        #expect(
            lines == [
                "beside.companions=true", "beside.matte=#FFFFFF",
                "beside.thumbnails=144png,96webp", "beside.trayBytesMax=50000",
                "moving.bytesMax=500000", #"moving.forms=["webp"]"#,
                "moving.frameMillisecondsMin=8", "moving.framesMax=0", "moving.loopCount=-1",
                "moving.matte=#FFFFFF", "moving.millisecondsMax=0", "moving.tooLong=faster",
                "place.fit=exact", "place.marginPixels=0", "place.sideMultiple=1",
                "scale.resample=lanczos3", "search.goal=best", "search.qualityMin=20",
                "search.scoreMin=0.0", "search.scoreTarget=90.0", "still.bytesMax=100000",
                #"still.forms=["webp"]"#,
            ])
    }
}
