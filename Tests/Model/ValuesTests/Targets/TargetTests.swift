import FoundationEssentials
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

struct TargetTests {
    private func configuration(_ json: String) throws(ConfigurationError) -> Configuration {
        try Configuration(json: Data(json.utf8))
    }

    private func faults(_ json: String) -> [String] {
        do {
            _ = try configuration(json)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    // MARK: What stickerd knows

    @Test(.needsSchemaValidator) func shippedTargetsKeepToTheirSchema() throws {
        let file = Repository.path("Sources/Model/Values/Targets/targets.json")

        #expect(try JSONSchema.targets.complaints(about: [file]) == "")
    }

    @Test(arguments: Target.builtIn.keys.sorted())
    func shippedTargetIsWhole(name: String) throws {
        let target = try #require(Target.builtIn[name])

        #expect(target.name == name && target.still != nil)
        #expect((target.moving == nil) == (target.withoutMoving != nil))
    }

    @Test func readmeNamesEveryShippedTarget() throws {
        let text = String(decoding: try Repository.data("README.md"), as: UTF8.self)

        for name in Target.builtIn.keys { #expect(text.contains("`\(name)`"), "\(name)") }
    }

    // MARK: What a configuration adds

    @Test func configurationCorrectsATargetKeyByKey() throws {
        let json = #"{"targets": {"mastodon": {"still": {"bytesMax": 50000}}}}"#

        let target = try #require(try configuration(json).targets["mastodon"])

        #expect(target.still?.bytesMax == 50_000)
        #expect(target.still?.forms == Target.builtIn["mastodon"]?.still?.forms)
        #expect(target.moving == Target.builtIn["mastodon"]?.moving)
    }

    @Test func configurationAddsATarget() throws {
        let json = """
            {"targets": {"ours": {"canvas": {"width": 64, "height": 32, "fit": "within"},
                "still": {"forms": ["png"], "bytesMax": 9000}, "source": "us", "date": "2026-11-22"}}}
            """

        let target = try #require(try configuration(json).targets["ours"])

        #expect(target.canvas == TargetCanvas(width: 64, height: 32, fit: .within))
        #expect(target.still?.forms == [.png] && target.moving == nil)
    }

    @Test(arguments: [
        (#"{"targets": {"ours": {"still": {"bytesMax": 5000}}}}"#, "targets.ours: is not complete"),
        (#"{"targets": {"Ours": {}}}"#, "targets.Ours: the key is not a name"),
        (#"{"targets": {"slack": {"still": {"forms": ["jpeg"]}}}}"#, "targets.slack.still.forms:"),
        (#"{"targets": {"slack": {"still": {"forms": []}}}}"#, "targets.slack.still.forms:"),
        (#"{"targets": {"slack": {"canvas": {"marginPixels": 64}}}}"#, "leaves no room"),
        (#"{"targets": {"slack": {"canvas": {"sideMultiple": 3}}}}"#, "not multiples"),
        (#"{"targets": {"slack": {"date": "soon"}}}"#, "targets.slack.date:"),
        (#"{"targets": {"slack": {"date": "2026-13-01"}}}"#, "targets.slack.date:"),
        (#"{"targets": {"slack": {"still": {"forms": ["pgn"]}}}}"#, #"is ["pgn"], allowed is"#),
        (#"{"targets": {"slack": {"canvas": {"widht": 9}}}}"#, #"did you mean "width"?"#),
        (#"{"targets": {"slack": {"moving": {"size": 1}}}}"#, "unknown key"),
    ])
    func faultyTargetIsNamed(json: String, expected: String) {
        let faults = faults(json)

        #expect(faults.contains { $0.contains(expected) }, "\(faults)")
    }

    @Test func correctedTargetsAreSettingsThatChange() throws {
        let changed = try configuration(#"{"targets": {"slack": {"still": {"bytesMax": 64000}}}}"#)

        let changes = Configuration().changes(to: changed)

        #expect(changes.contains { $0.key == "targets.slack.still.bytesMax" && $0.new == "64000" })
        #expect(changes.map(\.key) == ["targets.slack.still.bytesMax"])
        #expect(changes.map(\.old) == ["128000"])
    }

    @Test func changesAreSpelledLikeTheFile() throws {
        let changed = try configuration(
            #"{"sticker": {"tooLong": "faster-or-trim"}, "targets": {"slack": {"still": {"forms": ["palette-png"]}}}}"#
        )

        let changes = Configuration().changes(to: changed)

        #expect(changes.contains { $0.key == "sticker.tooLong" && $0.new == "faster-or-trim" })
        #expect(
            changes.contains { $0.key == "targets.slack.still.forms" && $0.new == "[palette-png]" })
        #expect(
            Configuration.changes(
                from: ["sticker.tooLong": "hold"], to: ["sticker.tooLong": "refuse"]
            )
            .isEmpty)
    }

    @Test(arguments: [
        (
            #"{"sticker": {"targets": ["whatsapp", "discrod"]}}"#,
            #"sticker.targets: there is no "discrod"; did you mean "discord"?"#
        ),
        (
            #"{"categories": {"cats": {"targets": ["fax"]}}}"#,
            #"categories.cats.targets: there is no "fax"; known here: discord, "#
        ),
        (#"{"targets": {"discrod": {}}}"#, #"for a new target; did you mean "discord"?"#),
        (#"{"sticker": {"targets": []}}"#, "a list of distinct names out of discord, "),
        (#"{"sticker": {"targets": ["slack", "slack"]}}"#, "a list of distinct names out of"),
        (#"{"sticker": {"targets": [1]}}"#, "a list of distinct names out of"),
    ])
    func misspeltTargetIsNamed(json: String, expected: String) {
        let faults = faults(json)

        #expect(faults.contains { $0.contains(expected) }, "\(faults)")
    }

    // MARK: What WhatsApp's keys mean

    @Test func keysOfStickerSpeakOfWhatsAppAlone() throws {
        let settings = try configuration(
            #"{"sticker": {"stillBytesMax": 50000, "marginPixels": 9, "tooLong": "hold"}}"#
        ).sticker
        let slack = try #require(Target.builtIn["slack"])
        let whatsApp = try #require(Target.builtIn[Target.whatsApp])

        let targets = Recipe(settings: settings, targets: [whatsApp, slack]).targets

        #expect(targets[0].still?.bytesMax == 50_000 && targets[0].canvas.marginPixels == 9)
        #expect(targets[0].moving?.tooLong == .refuse)
        #expect(targets[0].moving?.bytesMax == whatsApp.moving?.bytesMax)
        #expect(targets[1] == slack)
    }

    @Test func correctedWhatsAppHoldsWhereStickerSaysNothing() throws {
        let json = #"{"targets": {"whatsapp": {"still": {"bytesMax": 90000}}}}"#

        let target = try #require(try configuration(json).targets[Target.whatsApp])
        let recipe = Recipe(settings: StickerSettings(), targets: [target])

        #expect(recipe.targets.map(\.still?.bytesMax) == [90_000])
    }
}

struct TargetCanvasTests {
    private let wide = PixelSize(width: 800, height: 200)
    private let small = PixelSize(width: 40, height: 20)

    @Test func exactCanvasIsTheBoxWhateverThePicture() {
        let canvas = TargetCanvas(width: 512, height: 512, marginPixels: 6)

        #expect(canvas.size(for: wide) == PixelSize(width: 512, height: 512))
        #expect(canvas.drawn(wide) == PixelSize(width: 500, height: 125))
        #expect(canvas.drawn(small) == PixelSize(width: 500, height: 250))
    }

    @Test func touchingCanvasHasOneSideOfTheBox() {
        let canvas = TargetCanvas(width: 512, height: 512, fit: .touch)

        #expect(canvas.size(for: wide) == PixelSize(width: 512, height: 128))
        #expect(canvas.size(for: small) == PixelSize(width: 512, height: 256))
        #expect(canvas.size(for: wide.transposed) == PixelSize(width: 128, height: 512))
    }

    @Test func canvasWithinTheBoxIsNotEnlarged() {
        let canvas = TargetCanvas(
            width: 370, height: 320, fit: .within, marginPixels: 10, sideMultiple: 2)

        #expect(canvas.size(for: wide) == PixelSize(width: 370, height: 108))
        #expect(canvas.size(for: small) == PixelSize(width: 60, height: 40))
        #expect(
            canvas.size(for: PixelSize(width: 41, height: 21)) == PixelSize(width: 62, height: 42))
    }
}
