import StickerValues
import Testing

@testable import StickerPacks

/// Files for TUIKit, and the findings of lint before.
struct TUIKitTests {
    private let tuikit = TUIKit()
    private let bundle = "CustomFaceResource.bundle"

    @Test func groupHasATabAndOneFileForEachName() throws {
        let files = tuikit.files(of: TUIKitLibrary.packs, as: "bundle")

        #expect(
            files.paths == [
                "\(bundle)/g1/menu@2x.png", "\(bundle)/g1/wag.gif",
                "\(bundle)/g1/toy_s_3ea07d7c@2x.png", "\(bundle)/g1/bow@2x.png",
                "\(bundle)/g2/menu@2x.png", "\(bundle)/g2/wave@2x.png",
                "\(bundle)/g2/menu_99e4dd3a@2x.png",
            ])
        for group in try tuikit.files(of: TUIKitLibrary.packs, as: "lists").list("ios.json") {
            let folder = try #require(group["groupPath"] as? String)
            let menu = try #require(group["menuPath"] as? String)
            #expect(files.picture("\(bundle)/\(menu)@2x.png")?.format == .png)
            for face in try #require(group["faces"] as? [[String: String]]) {
                let path = "\(bundle)/\(folder)/\(try #require(face["name"]))"
                let found = ["\(path)@2x.png", "\(path).gif"].compactMap { files.picture($0) }
                #expect(found.count == 1, "\(path)")
            }
        }
        for file in files {
            guard case .picture(let picture) = file.content else {
                Issue.record("\(file.path) is no picture")
                return
            }
            #expect(file.path.hasSuffix(picture.format == .gif ? ".gif" : "@2x.png"))
        }
    }

    @Test func listsSayTheSameToEveryClientInTheOrderOfTheManifest() throws {
        let files = tuikit.files(of: TUIKitLibrary.packs, as: "lists")
        let (ios, android) = (try files.list("ios.json"), try files.list("android.json"))
        let (web, flutter) = (try files.list("web.json"), try files.list("flutter.json"))

        #expect(ios.map { $0["groupIndex"] as? Int } == [1, 2])
        #expect(android.map { $0["groupID"] as? Int } == [1, 2])
        #expect(web.map { $0["emojiGroupID"] as? Int } == [1, 2])
        #expect(flutter.map { $0["groupIndex"] as? Int } == [1, 2])
        let names = [["wag", "toy_s_3ea07d7c", "bow"], ["wave", "menu_99e4dd3a"]]
        #expect(ios.map { texts($0["faces"], "name") } == names)
        #expect(android.map { texts($0["faces"], "faceKey") } == names)
        #expect(web.map { $0["list"] as? [String] } == names)
        #expect(flutter.map { texts($0["stickerList"], "data") } == names)
        #expect(Set(names.joined()).count == names.joined().count)
        #expect(ios[0]["rowCount"] as? Int == 2 && ios[0]["itemCountPerRow"] as? Int == 5)
        #expect(ios[0]["isNeedAddInInputBar"] as? Bool == false)
        #expect(web[0]["type"] as? String == "big")
        #expect(
            texts(flutter[0]["stickerList"], "name")
                == ["wag.gif", "toy_s_3ea07d7c@2x.png", "bow@2x.png"])
    }

    @Test func rowsColumnsAndOrderOfGroupsAreThoseOfTheSettings() throws {
        var packs = TUIKitLibrary.packs
        packs[0].faceGroup?.order = 1
        packs[1].faceGroup?.rows = 3
        packs[1].faceGroup?.columns = 4
        let files = tuikit.files(of: packs, as: "lists")
        let (ios, android) = (try files.list("ios.json"), try files.list("android.json"))

        #expect(ios.map { $0["groupIndex"] as? Int } == [2, 1])
        #expect(ios.map { $0["rowCount"] as? Int } == [3, 2])
        #expect(ios.map { $0["itemCountPerRow"] as? Int } == [4, 5])
        #expect(android.map { $0["groupID"] as? Int } == [2, 1])
        #expect(android.map { $0["pageRowCount"] as? Int } == [3, 2])
        #expect(android.map { $0["pageColumnCount"] as? Int } == [4, 5])
        #expect(try files.list("web.json").map { $0["emojiGroupID"] as? Int } == [2, 1])
        #expect(try files.list("flutter.json").map { $0["groupIndex"] as? Int } == [2, 1])
    }

    private func texts(_ list: Any?, _ key: String) -> [String] {
        (list as? [[String: Any]] ?? []).compactMap { $0[key] as? String }
    }

    @Test func webHasAPNGForEveryName() throws {
        let files = tuikit.files(of: TUIKitLibrary.packs, as: "web")
        for group in try tuikit.files(of: TUIKitLibrary.packs, as: "lists").list("web.json") {
            let url = try #require(group["url"] as? String)
            for name in try #require(group["list"] as? [String]) {
                #expect(files.picture("\(url)\(name)@2x.png")?.format == .png)
            }
        }
        // Animated stickers are stills there.
        #expect(files.picture("g1/wag@2x.png") == .of(11, .png))
        #expect(files.picture("g1/bow@2x.png") == .of(30, .png))
    }

    @Test func movingStickerWithoutAStillIsToldAndNotOnTheWeb() throws {
        var sticker = TUIKitLibrary.sticker(1, moves: true)
        sticker.thumbnailURL = nil
        let packs = TUIKitLibrary.packs([
            TUIKitLibrary.category("cats", [sticker, TUIKitLibrary.sticker(3)])
        ])
        #expect(tuikit.lint(packs[0], nil).map(\.rule) == ["no-still"])
        #expect(tuikit.lint(packs[0], nil)[0].severity == .warning)
        let web = try tuikit.files(of: packs, as: "lists").list("web.json")
        #expect(web[0]["list"] as? [String] == ["s3"])
        #expect(tuikit.files(of: packs, as: "web").paths == ["g1/s3@2x.png"])
    }

    @Test func tabIsTheIconOrASticker() throws {
        let tab = "\(bundle)/g1/menu@2x.png"
        let mixed = TUIKitLibrary.category(
            "cats", [TUIKitLibrary.sticker(1, moves: true), TUIKitLibrary.sticker(5)])
        let cases = [(mixed.withIcons(for: tuikit), 900), (mixed, 5)]
        for (source, number) in cases {
            let packs = TUIKitLibrary.packs([source])
            #expect(tuikit.files(of: packs, as: "bundle").picture(tab) == .of(number, .png))
            #expect(tuikit.lint(packs[0], Target.builtIn["tuikit"]).isEmpty)
        }
    }

    @Test func trayStandsForWhatMovesAndThatIsTold() throws {
        var source = TUIKitLibrary.category("cats", [TUIKitLibrary.sticker(1, moves: true)])
        let pack = TUIKitLibrary.packs([source])[0]
        let findings = tuikit.lint(pack, nil)
        #expect(
            tuikit.files(of: [pack], as: "bundle").picture("\(bundle)/g1/menu@2x.png")
                == .of(999, .png))
        #expect(findings.map(\.rule) == ["icon-size"] && findings[0].severity == .warning)
        #expect(findings[0].measured == "96x96" && findings[0].limit == "240x240")
        source.tray = nil
        #expect(tuikit.lint(TUIKitLibrary.packs([source])[0], nil).map(\.rule) == ["no-icon"])
    }

    @Test func groupsThatFlutterDoesNotNameAreToldOnce() {
        let packs = TUIKitLibrary.packs
        #expect(tuikit.lint(packs[0], nil).allSatisfy { $0.rule != "flutter-group" })
        let told = tuikit.lint(packs[1], nil).filter { $0.rule == "flutter-group" }
        #expect(told.map(\.severity) == [.warning] && told[0].measured == "group 2")
        #expect(told[0].remedy.contains("groupIndex and data of flutter.json"))
        // As `resolve` has it.
        for face in packs[1].stickers {
            let data = TUIKit.name(of: face.identifier)
            #expect(TUIKitResolver.flutterGroup(of: data) == 1)
        }
    }

    @Test func groupWithoutStickersIsNotWritten() {
        let packs = TUIKitLibrary.packs([
            TUIKitLibrary.category("dogs", []),
            TUIKitLibrary.category("cats", [TUIKitLibrary.sticker(1)]),
        ])
        #expect(
            tuikit.files(of: packs, as: "bundle").paths
                == ["\(bundle)/g2/menu@2x.png", "\(bundle)/g2/s1@2x.png"])
        #expect(tuikit.lint(packs[0], nil).first?.rule == "too-few")
    }

    /// Frozen: messages that were sent name stickers by these names.
    @Test(
        arguments: [
            ("wave", "wave"), ("a_gif", "a_gif"), ("toys", "toy_s_3ea07d7c"),
            ("gcs", "gc_s_59112c64"), ("yz00", "y_z00_ba938cda"), ("menu", "menu_99e4dd3a"),
            (
                String(repeating: "ys", count: 30),
                "y_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_sy_s_87b34045"
            ),
        ])
    func nameIsTheIDOrItsAlias(id: String, name: String) {
        #expect(TUIKit.name(of: StickerID(rawValue: id)) == name)
    }

    @Test func namesAreUniqueIDsWithoutTheNamesOfTheSample() {
        let parts = ["ys", "gcs", "yz", "y", "s", "g", "cs", "z", "_", "menu", "4350"]
        let ids = parts.flatMap { a in
            parts.flatMap { b in parts.map { c in "x" + a + b + c } }
        }
        let names = Set(ids).map { TUIKit.name(of: StickerID(rawValue: $0)) }
        #expect(Set(names).count == Set(ids).count)
        for name in names {
            #expect(name.wholeMatch(of: /[a-z0-9][a-z0-9_]{0,59}/) != nil)
            #expect(!["ys", "gcs", "yz"].contains { name.contains($0) })
        }
    }

    @Test func gifsLoopForEverAndHaveTheirTimes() throws {
        let moving = try #require(Target.builtIn["tuikit"]?.moving)
        #expect(moving.loopCount == 0 && moving.frameMillisecondsMin >= 10)
        #expect(moving.forms == [.gif] && moving.framesMax == 0 && moving.millisecondsMax == 0)
    }
}
