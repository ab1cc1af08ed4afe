import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// The text from which a recipe's ids are made: the ids of every library depend on it.
struct RecipeTests {
    /// The texts themselves instead of their hashes, as by the defaults that never changed.
    private func ids(_ json: String = "{}", folder: String? = nil) throws -> RecipeIDs {
        let configuration = try Configuration(json: Data(json.utf8)).before(ChangedDefault.all)
        let recipe = configuration.recipe(of: CategoryNames(folder: folder.map { Array($0.utf8) }))
        return RecipeIDs(recipe) { "<\($0)>" }
    }

    @Test func textOfTheDefaultsIsFrozen() throws {
        let ids = try ids()

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
        #expect(
            ids.still.whole.rawValue
                == "<whatsapp <still\nplace canvas=512x512>\n<still\nplace canvas=512x512\nbeside>>"
        )
    }

    @Test func textOfStagesOfTheArtIsFrozen() throws {
        let ids = try ids(
            ##"""
            {"sticker": {"trim": true, "tint": {"mode": "solid", "color": "#ff0000"},
            "outline": {"pixels": 8, "color": "#aabbcc"}}}
            """##)

        let art = "outline pixels=8 color=#AABBCC\nplace canvas=512x512"
        #expect(
            ids.still.renditions.map(\.recipe.rawValue)
                == ["<still\ntrim\ntint solid #FF0000\n\(art)>"])
        #expect(
            ids.moving.renditions.map(\.recipe.rawValue)
                == ["<moving\ntrim\n\(art)\nfit millisecondsMax=10000>"])
    }

    @Test func textOfMarksIsFrozen() throws {
        let ids = try ids(
            ##"""
            {"sticker": {"watermarks": [
             {"id": "band", "color": "#10203040", "width": 1, "height": 0.2, "anchor": [0, 1]},
             {"id": "dots", "raw": {"file": "a", "width": 2, "height": 3, "premultiplied": true,
              "flipVertically": true}, "offset": [-0.02, 0.5], "opacity": 0.5},
             {"id": "logo", "image": "logo.png", "width": 0.25}]}}
            """##)

        let marks = """
            mark color=16,32,48,64 width=1 height=0.2 anchor=0,1
            mark raw= 2x3 premultiplied flipped offset=-0.02,0.5 opacity=0.5
            mark image= width=0.25
            """
        #expect(
            ids.still.renditions.map(\.recipe.rawValue)
                == ["<still\nplace canvas=512x512\n\(marks)>"])
        #expect(
            ids.moving.renditions.map(\.recipe.rawValue)
                == ["<moving\nplace canvas=512x512\n\(marks)\nfit millisecondsMax=10000>"])
    }

    @Test func textOfMarksThatMoveIsFrozen() throws {
        let ids = try ids(
            ##"""
            {"sticker": {"targets": ["whatsapp", "discord"], "watermarks": [
             {"id": "sun", "color": "#FFFFFF", "width": 0.5, "height": 0.5, "animate": true,
              "on": ["sticker", "poster"], "keyframes": [
               {"milliseconds": 0, "width": 0.25, "anchor": [0, 0.5]},
               {"milliseconds": 900, "height": 1, "offset": [0.5, 0], "opacity": 0}]},
             {"id": "logo", "image": "logo.png", "style": "imgly", "size": 0.3, "inset": 0.1,
              "alignment": "bottom-left", "on": ["discord", "thumbnail"]}]}}
            """##)

        let sun =
            "mark color=255,255,255,255 width=0.5 height=0.5 keyframes=0/width:0.25/anchor:0,0.5;"
            + "900/height:1/offset:0.5,0/opacity:0 animate=true"
        let logo = "mark image= imgly=0.3,0.1 alignment=bottom-left"
        #expect(
            ids.still.renditions[0].recipe.rawValue
                == "<still\nplace canvas=512x512\n\(sun)\nmoving millisecondsMax=10000>")
        #expect(
            ids.moving.renditions[0].recipe.rawValue
                == "<moving\nplace canvas=512x512\n\(sun)\nfit millisecondsMax=10000>")
        #expect(ids.still.renditions[1].recipe.rawValue.contains("\n\(logo)\n"))
        #expect(!ids.still.renditions[1].recipe.rawValue.contains("color="))
        // A still whose sticker moves by its mark is drawn for discord by the rules of stills.
        #expect(ids.moving.renditions[1].recipe.rawValue.contains("\nstill forms="))
        #expect(
            ids.still.sideFiles.rawValue.contains(
                "\non companion\non thumbnail\n\(logo)\non tray\nbeside"))
    }

    @Test func textOfWordsIsFrozen() throws {
        let ids = try ids(
            ##"""
            {"sticker": {"watermarks": [
             {"id": "a", "text": {"text": "© Ada"}, "width": 0.5},
             {"id": "b", "text": {"text": "two\nlines", "font": "Inter Black", "size": 60.5,
              "color": "#11223344", "stroke": {"pixels": 3, "color": "#FFEEDD"}}}]}}
            """##)

        let marks = #"""
            mark text="© Ada" width=0.5
            mark text="two\nlines" font="Inter Black" size=60.5 color=17,34,51,68 stroke=3 strokeColor=255,238,221
            """#
        #expect(
            ids.still.renditions.map(\.recipe.rawValue)
                == ["<still\nplace canvas=512x512\n\(marks)>"])
    }

    /// The pixels of a text are made of its words, and an upgrade of a font is no reason to make all stickers again.
    @Test func wordsAreTheSameWithTheirPixels() {
        func ids(_ drawn: DrawnText?) -> RecipeIDs {
            var configuration = Configuration()
            configuration.sticker.watermarks = [
                Watermark(id: "a", .text(MarkText("a"), drawn))
            ]
            return RecipeIDs(configuration.recipe(of: CategoryNames(folder: nil))) { "<\($0)>" }
        }
        let pixels = DrawnText(
            size: PixelSize(width: 1, height: 1), rows: Data([1, 2, 3, 4]), scale: 2)

        #expect(ids(nil) == ids(pixels))
    }

    /// A still looks like the beginning.
    @Test func keyframesConcernStillsByTheFirstOfThem() throws {
        func ids(_ last: String, animate: Bool = false) throws -> RecipeIDs {
            try self.ids(
                ##"""
                {"sticker": {"watermarks": [{"id": "a", "color": "#000000", "width": 1, "height": 1,
                 "animate": \##(animate), "keyframes": [{"milliseconds": 0, "opacity": 0.5},
                 {"milliseconds": 100, "opacity": \##(last)}]}]}}
                """##)
        }

        #expect(try ids("1").still == ids("0").still)
        #expect(try ids("1").moving != ids("0").moving)
        #expect(try ids("1", animate: true).still != ids("0", animate: true).still)
        let standing = try self.ids(
            ##"""
            {"sticker": {"watermarks": [
            {"id": "a", "color": "#000000", "width": 1, "height": 1, "opacity": 0.5}]}}
            """##)
        #expect(try ids("1").still == standing.still)
    }

    /// Stickers without the mark are not made again.
    @Test func markConcernsWhatItIsOn() throws {
        func ids(_ on: String) throws -> RecipeIDs {
            try self.ids(
                ##"""
                {"sticker": {"targets": ["whatsapp", "discord"], "watermarks": [
                 {"id": "a", "color": "#000000", "width": 1, "height": 1, "on": [\##(on)]}]}}
                """##)
        }
        let plain = try self.ids(#"{"sticker": {"targets": ["whatsapp", "discord"]}}"#)

        let discord = try ids(#""discord""#)
        #expect(discord.still.renditions[0] == plain.still.renditions[0])
        #expect(discord.still.renditions[1] != plain.still.renditions[1])
        #expect(discord.still.sideFiles == plain.still.sideFiles)
        #expect(try ids(#""rendition""#).still == discord.still)
        let side = try ids(#""thumbnail""#)
        #expect(side.still.renditions == plain.still.renditions)
        #expect(side.still.sideFiles != plain.still.sideFiles)
    }

    @Test func markOnOneKindConcernsNoOther() throws {
        func ids(_ on: String, animate: Bool = false) throws -> RecipeIDs {
            try self.ids(
                ##"""
                {"sticker": {"watermarks": [{"id": "a", "color": "#000000", "width": 1, "height": 1,
                 "animate": \##(animate), "on": [\##(on)], "keyframes": [
                 {"milliseconds": 0, "opacity": 0}, {"milliseconds": 500}]}]}}
                """##)
        }
        let (plain, all) = (try self.ids(), try ids(""))
        let (still, moving) = (try ids(#""still""#), try ids(#""moving""#))

        #expect(still.still == all.still && still.moving == plain.moving)
        #expect(moving.moving == all.moving && moving.still == plain.still)
        #expect(try ids(#""still", "moving""#) == all)
        // A still that moves by it has the recipe of what moves.
        let (both, animated) = (try ids("", animate: true), try ids(#""still""#, animate: true))
        #expect(animated.still == both.still && animated.moving != both.moving)
        #expect(animated.moving != plain.moving)
    }

    /// Where a mark names a target, no other's file can stand for its.
    @Test func targetThatAMarkNamesHasFilesOfItsOwn() throws {
        func targets(_ on: String) throws -> [String] {
            let json = ##"""
                {"sticker": {"packs": ["matrix", "telegram"], "watermarks": [
                 {"id": "a", "color": "#000000", "width": 1, "height": 1, "on": [\##(on)]}]}}
                """##
            return try Configuration(json: Data(json.utf8))
                .recipe(of: CategoryNames(folder: nil)).targets.map(\.name)
        }

        #expect(try targets("") == ["whatsapp"])
        #expect(try targets(#""telegram""#) == ["whatsapp", "telegram"])
        #expect(try targets(#""whatsapp""#) == ["whatsapp", "matrix"])
    }

    /// Where a sticker of a still moves by a mark, platforms that take stills alone get one.
    @Test func targetOfStillsIsNotCoveredByWhatMoves() throws {
        func targets(animate: Bool) throws -> [String] {
            let json = ##"""
                {"sticker": {"packs": ["telegram"], "watermarks": [{"id": "a", "color": "#000000",
                 "width": 1, "height": 1, "animate": \##(animate), "keyframes": [
                 {"milliseconds": 0, "opacity": 0}, {"milliseconds": 500}]}]}}
                """##
            return try Configuration(json: Data(json.utf8))
                .recipe(of: CategoryNames(folder: nil)).targets.map(\.name)
        }

        #expect(try targets(animate: false) == ["whatsapp"])
        #expect(try targets(animate: true) == ["whatsapp", "telegram"])
    }

    /// Stills have no poster.
    @Test func markOnPostersConcernsNoStills() throws {
        func ids(_ marks: String) throws -> RecipeIDs {
            try self.ids(#"{"sticker": {"watermarks": [\#(marks)]}}"#)
        }
        let plain = try ids("")
        let marked = try ids(
            ##"{"id": "a", "color": "#000000", "width": 1, "height": 1, "on": ["poster"]}"##)

        #expect(marked.still == plain.still && marked.moving.sideFiles != plain.moving.sideFiles)
    }

    /// Its name and its path change no picture, its content does.
    @Test func markIsWhatIsInItsFile() {
        func ids(_ path: String, _ content: String, id: String = "a") -> RecipeIDs {
            var file = WatermarkFile(path: path)
            file.content = FileContent(bytes: [], hash: ContentHash(rawValue: content))
            var configuration = Configuration()
            configuration.sticker.watermarks = [Watermark(id: id, .image(file))]
            return RecipeIDs(configuration.recipe(of: CategoryNames(folder: nil))) { "<\($0)>" }
        }

        #expect(ids("a.png", "f00d") == ids("b.png", "f00d", id: "b"))
        #expect(ids("a.png", "f00d") != ids("a.png", "cafe"))
    }

    /// The effect of another value: on the sticker, on the files beside it; for stills, for animations.
    private struct Change: Equatable {
        var still = false
        var moving = false
        var besideStill = false
        var besideMoving = false

        init(_ ids: RecipeIDs, from before: RecipeIDs) {
            still = ids.still.renditions != before.still.renditions
            moving = ids.moving.renditions != before.moving.renditions
            besideStill = ids.still.sideFiles != before.still.sideFiles
            besideMoving = ids.moving.sideFiles != before.moving.sideFiles
        }

        init(_ letters: String) {
            still = letters.contains("s")
            moving = letters.contains("m")
            besideStill = letters.contains("S")
            besideMoving = letters.contains("M")
        }
    }

    /// Every key of `sticker` with another value, and what that concerns.
    private static let keys: [(key: String, value: String, concerns: String)] = [
        ("targets", #"["signal"]"#, "smSM"), ("stillBytesMax", "50000", "sSM"),
        ("animatedBytesMax", "50000", "mM"), ("trayBytesMax", "9000", "SM"),
        ("trim", "true", "smSM"), ("tint.mode", #""solid""#, "sS"),
        ("outline.pixels", "8", "smSM"),
        (
            "watermarks",
            ##"[{"id": "a", "color": "#FF0000", "width": 1, "height": 0.1}]"##, "smSM"
        ),
        // Of what there is none.
        ("tint.color", ##""#FF0000""##, ""), ("outline.color", ##""#FF0000""##, ""),
        ("marginPixels", "4", "smSM"), ("resample", #""nearest""#, "smSM"),
        ("qualityMin", "50", "smSM"), ("goal", #""smallest""#, "smSM"),
        ("scoreTarget", "70", "smSM"), ("scoreMin", "20", "smSM"),
        ("tooLong", #""trim""#, "mM"), ("thumbnails", "[]", "SM"), ("companions", "false", "SM"),
        ("matte", ##""#000000""##, "M"), ("review", "true", ""), ("emojis", #"["👋"]"#, ""),
        ("words", #"{"publisher": "Ada"}"#, ""), ("tuikit.rows", "3", ""),
        ("tuikit.columns", "4", ""), ("tuikit.order", "1", ""),
        // Another target: one file more, beside those that stay.
        ("packs", #"["slack"]"#, "sm"),
    ]

    @Test(arguments: keys)
    func keyOfStickerChangesTheFilesThatItConcernsAndNoOthers(
        key: String, value: String, concerns: String
    ) throws {
        let json = "sticker.\(key)".split(separator: ".").reversed().reduce(value) { inner, name in
            #"{"\#(name)": \#(inner)}"#
        }

        let changed = try ids(json)

        #expect(Change(changed, from: try ids()) == Change(concerns))
        let isOfTheWhole = (changed.still.whole, changed.moving.whole)
        let concerned = concerns.lowercased()
        #expect((isOfTheWhole.0 != (try ids()).still.whole) == concerned.contains("s"))
        #expect((isOfTheWhole.1 != (try ids()).moving.whole) == concerned.contains("m"))
    }

    @Test func everyKeyOfStickerIsAskedAbove() {
        let keys = Configuration().settings.keys.filter { $0.hasPrefix("sticker.") }

        #expect(Set(Self.keys.map { "sticker.\($0.key)" }) == Set(keys))
    }

    // MARK: Inks

    private func ids(profile: String) -> RecipeIDs {
        var configuration = Configuration().before(ChangedDefault.all)
        configuration.color.cmykProfile = .read(hash: profile)
        return RecipeIDs(configuration.recipe(of: CategoryNames(folder: nil))) { "<\($0)>" }
    }

    @Test func profileConcernsPicturesInCMYKAlone() throws {
        let (plain, newer) = (try ids(), ids(profile: "f00d"))

        #expect(newer.still == plain.still && newer.moving == plain.moving)
        #expect(newer.ofPicture(isCMYK: false) == plain)
        let cmyk = try #require(newer.cmyk)
        #expect(cmyk.renditions[0].recipe != plain.still.renditions[0].recipe)
        #expect(cmyk.sideFiles != plain.still.sideFiles && cmyk.whole != plain.still.whole)
        #expect(newer.ofPicture(isCMYK: true).still == cmyk)
        #expect(ids(profile: "cafe").cmyk != cmyk)
    }

    @Test func textOfPicturesInCMYKIsFrozen() throws {
        let cmyk = try #require(ids(profile: "f00d").cmyk)

        #expect(
            cmyk.renditions.map(\.recipe.rawValue) == [
                "<still\ncolour cmykProfile=f00d\nplace canvas=512x512>"
            ])
        #expect(
            cmyk.sideFiles.rawValue
                == "<still\ncolour cmykProfile=f00d\nplace canvas=512x512\nbeside>")
    }

    @Test func withoutAProfileInksAreNothingSpecial() throws {
        let ids = try ids()

        #expect(ids.cmyk == nil && ids.ofPicture(isCMYK: true) == ids)
    }

    // MARK: Targets

    /// Every rule of a target with another value, and what that concerns.
    private static let rules: [(rule: String, correction: String, concerns: String)] = [
        ("canvas.width", #""canvas": {"width": 300}"#, "smSM"),
        ("canvas.height", #""canvas": {"height": 300}"#, "smSM"),
        ("canvas.fit", #""canvas": {"fit": "touch"}"#, "smSM"),
        ("canvas.marginPixels", #""canvas": {"marginPixels": 3}"#, "smSM"),
        ("canvas.sideMultiple", #""canvas": {"sideMultiple": 2}"#, "smSM"),
        ("still.forms", #""still": {"forms": ["png"]}"#, "sSM"),
        ("still.bytesMax", #""still": {"bytesMax": 50000}"#, "sSM"),
        ("moving.forms", #""moving": {"forms": ["apng"]}"#, "mM"),
        ("moving.bytesMax", #""moving": {"bytesMax": 50000}"#, "mM"),
        ("moving.framesMax", #""moving": {"framesMax": 9}"#, "mM"),
        ("moving.frameMillisecondsMin", #""moving": {"frameMillisecondsMin": 20}"#, "mM"),
        ("moving.millisecondsMax", #""moving": {"millisecondsMax": 5000}"#, "mM"),
        ("moving.tooLong", #""moving": {"tooLong": "trim"}"#, "mM"),
        ("moving.loopCount", #""moving": {"loopCount": 2}"#, "mM"),
        ("goal", #""goal": "smallest""#, "smSM"), ("qualityMin", #""qualityMin": 50"#, "smSM"),
        ("scoreTarget", #""scoreTarget": 70"#, "smSM"), ("scoreMin", #""scoreMin": 20"#, "smSM"),
        ("source", #""source": "a letter""#, ""), ("date", #""date": "2026-01-01""#, ""),
        ("withoutMoving", #""withoutMoving": "it takes none""#, ""),
    ]

    @Test(arguments: rules)
    func ruleOfATargetChangesTheFilesThatItConcernsAndNoOthers(
        rule: String, correction: String, concerns: String
    ) throws {
        let changed = try ids(#"{"targets": {"whatsapp": {\#(correction)}}}"#)

        #expect(Change(changed, from: try ids()) == Change(concerns))
    }

    @Test func everyRuleOfATargetIsAskedAbove() throws {
        var configuration = Configuration()
        configuration.targets["signal"]?.date = "2026-01-01"
        configuration.targets["signal"]?.moving?.loopCount = 1
        let keys = configuration.settings.keys.filter { $0.hasPrefix("targets.signal.") }

        #expect(Set(Self.rules.map { "targets.signal.\($0.rule)" }) == Set(keys))
    }

    @Test func targetThatTakesNothingMovingIsToldFromOneThatDoes() throws {
        let ids = try ids(#"{"sticker": {"targets": ["whatsapp", "telegram"]}}"#)

        let telegram = try #require(ids.moving.recipe(for: "telegram"))
        #expect(telegram.rawValue.contains("fit none"))
    }

    @Test func furtherTargetsChangeTheWholeAndNoFileThatIsThere() throws {
        let (one, two) = (try ids(), try ids(#"{"sticker": {"targets": ["whatsapp", "discord"]}}"#))

        #expect(two.still.renditions.first == one.still.renditions.first)
        #expect(two.still.sideFiles == one.still.sideFiles)
        #expect(two.still.whole != one.still.whole && two.moving.whole != one.moving.whole)
    }

    @Test func anotherOrderOfTargetsIsAnotherWhole() throws {
        let one = try ids(#"{"sticker": {"targets": ["whatsapp", "discord"]}}"#)
        let other = try ids(#"{"sticker": {"targets": ["discord", "whatsapp"]}}"#)

        #expect(
            one.still.whole != other.still.whole && one.still.sideFiles != other.still.sideFiles)
        #expect(one.still.recipe(for: "discord") == other.still.recipe(for: "discord"))
    }

    @Test func targetsWithTheSameRulesHaveTheSameRecipe() throws {
        let ids = try ids(
            """
            {"targets": {"ours": {
                "canvas": {"width": 512, "height": 512}, "still": {}, "source": "we", "date": "2026-01-01",
                "moving": {"millisecondsMax": 10000}}},
            "sticker": {"targets": ["whatsapp", "ours"]}}
            """)

        #expect(Set(ids.still.renditions.map(\.recipe)).count == 1)
        #expect(Set(ids.moving.renditions.map(\.recipe)).count == 1)
    }

    @Test func categoryHasTargetsOfItsOwn() throws {
        let json = #"{"categories": {"memes": {"targets": ["signal", "whatsapp"]}}}"#

        #expect(
            try ids(json, folder: "memes").still.renditions.map(\.target) == ["signal", "whatsapp"])
        #expect(try ids(json, folder: "cats").still.renditions.map(\.target) == ["whatsapp"])
    }

    @Test(arguments: ["[]", #"["whatsapp", "whatsapp"]"#, #"["kakao"]"#, #""whatsapp""#])
    func listOfTargetsThatCannotBeIsAFault(list: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ids(#"{"categories": {"memes": {"targets": \#(list)}}}"#)
        }

        let fault = try #require(error?.faults.first)
        #expect(fault.path == "categories.memes.targets")
        #expect(fault.message.contains("discord, ") && fault.message.contains("whatsapp"))
    }

    @Test func ownTargetCanBeNamed() throws {
        let json = """
            {"targets": {"ours": {"canvas": {"width": 64, "height": 64}, "still": {},
                "source": "we", "date": "2026-01-01"}}, "sticker": {"targets": ["ours"]}}
            """

        #expect(try ids(json).still.renditions.map(\.target) == ["ours"])
    }
}
