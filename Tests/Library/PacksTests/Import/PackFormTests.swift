import StickerPacks
import StickerTestSupport
import StickerValues
import Testing

/// Each form in which packs are handed over.
struct PackFormTests {
    private let contents = """
        {"android_play_store_link": "https://play.google.com/store/apps/details?id=x",
         "sticker_packs": [{"identifier": "7", "name": "Fluffy cats", "publisher": "Ada",
          "tray_image_file": "tray.png", "publisher_website": "https://example.org/",
          "publisher_email": "ada@example.org", "license_agreement_website": "no address",
          "stickers": [
           {"image_file": "b.webp", "emojis": ["❤", "😀"], "accessibility_text": "A cat waves."},
           {"image_file": "a.webp", "emojis": "👋", "accessibility_text": "Hello there!"}]}]}
        """

    @Test func appForAndroidKeepsOrderNamesAndWords() throws {
        let tree = MemoryTree(
            ["app/assets/contents.json": contents],
            pictures: ["app/assets/7/a.webp", "app/assets/7/b.webp", "app/assets/7/tray.png"])

        let (folders, faults) = try tree.imported()

        let folder = try #require(folders.first)
        #expect(folder.name == "Fluffy cats")
        // The bytes say that it is a PNG.
        #expect(try folder.order() == ["b.png", "a.png"])
        #expect(try folder.words("b.png")?.emojis == ["❤️", "😀"])
        #expect(try folder.words("b.png")?.accessibilityText == "A cat waves.")
        #expect(try folder.words("a.png")?.title == "Hello there!")
        #expect(try folder.words("a.png")?.emojis == ["👋"])
        let words = try folder.category().category
        #expect(words.title == "Fluffy cats" && words.publisher == "Ada")
        #expect(words.links?.website == "https://example.org/")
        #expect(words.links?.email == "ada@example.org")
        #expect(words.links?.playStore == "https://play.google.com/store/apps/details?id=x")
        #expect(folder.paths.contains("cover.png"))
        #expect(faults.map(\.rule) == [.badLink])
    }

    @Test func appForIOSHasEverythingBesideTheManifest() throws {
        let tree = MemoryTree(
            ["sticker_packs.wasticker": contents], pictures: ["a.webp", "b.webp", "tray.png"])

        let folder = try #require(try tree.imported().folders.first)

        #expect(try folder.order() == ["b.png", "a.png"])
        #expect(folder.hasCover)
    }

    @Test func packOfBothAppsIsTakenOnce() throws {
        let tree = MemoryTree(
            ["Android/contents.json": contents, "iOS/sticker_packs.wasticker": contents],
            pictures: ["Android/7/a.webp", "Android/7/b.webp", "iOS/a.webp", "iOS/b.webp"])

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.form) == ["WhatsApp, Android"])
        #expect(faults.contains { $0.rule == .samePack && $0.file == "iOS" })
    }

    /// A pack for Matrix and others for Discord, Slack and Signal's creator.
    private func forms(
        matrix: [String], title: String, _ other: [String], titles: [String?]
    ) -> MemoryTree {
        var tree = MemoryTree(
            pictures: matrix.map { "m/\($0).png" } + other.map { "discord/d/\($0).png" }
                + other.map { "slack/\($0).png" }
                + other.enumerated().map { "signal/00\($0 + 1)_\($1).png" })
        let images = matrix.map { #""\#($0)": {"file": "m/\#($0).png"}"# }.joined(separator: ",")
        tree.files["m.json"] = Array(
            #"{"images": {\#(images)}, "pack": {"display_name": "\#(title)"}}"#.utf8)
        let files = other.map { #"{"file": "\#($0).png"}"# }.joined(separator: ",")
        tree.files["discord/d/stickers.json"] = Array("[\(files)]".utf8)
        tree.files["slack/emoji.json"] = Array(#"{"platform": "slack", "emoji": [\#(files)]}"#.utf8)
        tree.files["signal/author.txt"] = Array("Ada".utf8)
        for (folder, title) in zip(["discord/d", "slack", "signal"], titles) {
            if let title { tree.files["\(folder)/title.txt"] = Array(title.utf8) }
        }
        return tree
    }

    @Test func packOfTheSameNamesIsTakenOnceWhateverItsTitle() throws {
        let tree = forms(
            matrix: ["wave", "nap", "run"], title: "Cats", ["nap", "wave"],
            titles: [nil, "Our cats", "Cats for Signal"])

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.form) == ["Matrix"])
        #expect(faults.map(\.rule) == [.samePack, .samePack, .samePack])
        #expect(faults.map(\.limit) == ["Matrix", "Matrix", "Matrix"])
    }

    @Test func partsOfOnePackThatIsDividedDifferentlyAreTakenOnce() throws {
        let tree = forms(
            matrix: (1...9).map { "cat_\($0)" }, title: "Cats", (5...8).map { "cat_\($0)" },
            titles: ["Cats 3", "Cats animated", "Cats animated 2"])
        #expect(try tree.imported().folders.map(\.form) == ["Matrix"])
    }

    /// Numbers tell no pack from another, and further stickers must not be lost.
    @Test func packsThatMayBeDifferentAreBothTaken() throws {
        let numbered = forms(
            matrix: ["1", "2", "3"], title: "Cats", ["1", "2"], titles: ["Dogs", "Dogs", "Dogs"])
        #expect(try numbered.imported().folders.map(\.form) == ["Matrix", "Discord"])

        let further = forms(
            matrix: ["wave", "nap"], title: "Cats", ["wave", "nap", "run"],
            titles: ["Dogs", "Dogs", "Dogs"])
        #expect(try further.imported().folders.map(\.form) == ["Matrix", "Discord"])
    }

    /// The title of the category that a pack of an app becomes.
    private func title(
        _ name: String, identifier: String, moves: Bool = true
    ) throws -> (folder: String, title: String?) {
        let contents = """
            {"sticker_packs": [{"identifier": "\(identifier)", "name": "\(name)",
             "animated_sticker_pack": \(moves), "stickers": [{"image_file": "a.webp"}]}]}
            """
        let tree = MemoryTree(["contents.json": contents], pictures: ["a.webp"])
        let folder = try #require(try tree.imported().folders.first)
        return (folder.name, try folder.category().category.title)
    }

    @Test func packOfWhatMovesGetsTheTitleOfItsCategory() throws {
        let first = try title("Cats animated", identifier: "cats-animated")
        #expect(first.folder == "Cats animated" && first.title == "Cats")
        #expect(try title("Cats animated 3", identifier: "cats-animated-3").title == "Cats 3")
        let twice = try title("Cats animated animated", identifier: "cats_animated-animated")
        #expect(twice.title == "Cats animated")
    }

    @Test(arguments: [
        ("Cats animated", "cats", true), ("Cats animated", "cats_animated", true),
        ("Cats animated", "cats-animated", false), ("Cats animated", "Cats-animated", true),
        ("Cats animated", "my-cats-animated", true), ("Cats animated", "cats-animated-2", true),
        ("Cats animated 2", "cats-animated-3", true), ("Cats 2", "cats-2", false),
        ("animated", "cats-animated", true), ("Animated cats", "cats-animated", true),
        ("Really animated cats", "cats-animated", true),
        ("Cats, animated", "cats-animated-films", true),
    ])
    func titleThatOnlyLooksLikeOursStaysWhole(
        name: String, identifier: String, moves: Bool
    ) throws {
        #expect(try title(name, identifier: identifier, moves: moves).title == name)
    }

    /// Its name is the id, and its pictures have the names that ours have.
    @Test func archiveOfWhatMovesGetsTheTitleOfItsCategory() throws {
        var tree = MemoryTree(
            ["title.txt": "Cats animated\n", "author.txt": "Ada\n"],
            pictures: ["01.webp", "02.webp", "cover.png"])
        tree.name = "cats-animated"
        #expect(try tree.imported().folders.first?.category().category.title == "Cats")

        tree.files["wave.webp"] = MemoryTree.picture
        #expect(try tree.imported().folders.first?.category().category.title == "Cats animated")
        tree.files["wave.webp"] = nil
        tree.name = "animated cats"
        #expect(try tree.imported().folders.first?.category().category.title == "Cats animated")
    }

    @Test func folderWithTextsIsAPack() throws {
        let tree = MemoryTree(
            [
                "title.txt": "Cats\n", "author.txt": "Ada\n",
                "emoji.txt": #"{"1": "😀", "2": ["👋", "x"]}"#,
            ], pictures: ["1.png", "2.png", "3.png", "cover.png"])

        let folder = try #require(try tree.imported().folders.first)

        #expect(folder.name == "Cats" && folder.stickers == 3 && folder.hasCover)
        #expect(try folder.category().category.publisher == "Ada")
        #expect(try folder.words("1.png")?.emojis == ["😀"])
        #expect(try folder.words("2.png")?.emojis == ["👋"])
        #expect(try folder.words("3.png") == nil)
        #expect(try folder.order() == [])
    }

    @Test func picturesAloneAreAPackIfTheyLieInOneFolder() throws {
        let one = try MemoryTree(pictures: ["cats/1.png", "cats/2.png"]).imported()
        #expect(one.folders.map(\.name) == ["cats"])

        #expect(throws: ImportFault.self) {
            try MemoryTree(pictures: ["cats/1.png", "dogs/2.png"]).imported()
        }
    }

    private func picture(_ width: Int, _ height: Int) -> [UInt8] {
        TestPNG.file([TestPNG.header(width, height)])
    }

    @Test func iconsThatPlatformsPrescribeAreNoStickers() throws {
        var line = MemoryTree(pictures: ["01.png", "02.png"])
        line.files["main.png"] = picture(240, 240)
        line.files["tab.png"] = picture(96, 74)
        #expect(try line.imported().folders.first?.paths == ["01.png", "02.png", "cover.png"])

        var app = MemoryTree(pictures: ["a.webp"])
        app.files["tray.png"] = picture(96, 96)
        #expect(try app.imported().folders.first?.paths == ["a.png", "cover.png"])
        app.files["cover.png"] = picture(512, 512)
        #expect(try app.imported().folders.first?.stickers == 1)
    }

    @Test func artistsPictureWithTheNameOfAnIconIsASticker() throws {
        let large = MemoryTree(pictures: ["main.png", "tab.png", "tray.png", "wave.png"])
        #expect(try large.imported().folders.first?.stickers == 4)
        let alone = MemoryTree(pictures: ["main.png"])
        #expect(try alone.imported().folders.first?.stickers == 1)

        var small = MemoryTree()
        for name in ["tray.png", "wave.png", "nap.png"] { small.files[name] = picture(96, 96) }
        #expect(try small.imported().folders.first?.stickers == 3)
        small.files["a large one.png"] = picture(300, 500)
        small.files["cover.png"] = picture(240, 240)
        #expect(try small.imported().folders.first?.stickers == 4)
    }

    @Test func listOfUploadsSaysWhatIsASticker() throws {
        let list = """
            {"title": "Cats", "stickers": [
             {"sticker": "b.png", "emoji_list": ["😀", "👋"], "keywords": ["hello", "", "hello"]},
             {"sticker": "a.png", "emoji_list": []}, {"sticker": "gone.png"}, {"emoji_list": []},
             {"sticker": "../x.png"}]}
            """
        let tree = MemoryTree(
            ["cats/sticker_set.json": list],
            pictures: ["cats/a.png", "cats/b.png", "cats/thumbnail.png", "cats/sketch.png"])

        let (folders, faults) = try tree.imported()

        let folder = try #require(folders.first)
        #expect(folder.name == "Cats" && folder.form == "Telegram" && folder.hasCover)
        #expect(try folder.order() == ["b.png", "a.png"])
        #expect(try folder.words("b.png")?.emojis == ["😀", "👋"])
        #expect(try folder.words("b.png")?.keywords == ["hello"])
        #expect(faults.map(\.rule) == [.missingFile, .badDescription, .badPath, .notListed])
        #expect(faults.map(\.measured).dropFirst(1).first == "entry 4")
        #expect(faults.last?.measured == "1 picture: sketch.png")
    }

    @Test func picturesThatAListDoesNotNameAreTold() throws {
        let tree = MemoryTree(
            ["stickers.json": #"[{"file": "1.png"}, {"file": "more/2.png"}]"#],
            pictures: (1...7).map { "\($0).png" } + ["more/2.png", "more/3.png"])

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.stickers) == [2])
        #expect(faults.map(\.rule) == [.notListed])
        #expect(faults.first?.measured == "6 pictures: 2.png, 3.png, 4.png, …")
    }

    @Test func listOfWhichNothingIsThereLeavesTheFolderToOthers() throws {
        let stray = ["stickers.json": #"[{"file": "gone.png"}]"#]
        for texts in [["title.txt": "Cats"], [:]] {
            let tree = MemoryTree(
                stray.merging(texts) { $1 }, pictures: ["a.png", "b.png"])

            let (folders, faults) = try tree.imported()

            #expect(folders.map(\.form) == ["folder"] && folders.first?.stickers == 2)
            #expect(folders.first?.title == texts["title.txt"])
            #expect(faults.map(\.rule) == [.missingFile])
        }
        let fault = #expect(throws: ImportFault.self) { try MemoryTree(stray).imported() }
        #expect(fault?.rule == .missingFile)
    }

    @Test(arguments: [
        (#""Cats""#, #""Cats""#, "Cats"), (#""Cats""#, #""Dogs""#, nil), (#""Cats""#, "null", nil),
        ("null", "null", nil),
    ])
    func categoryOfMisskeyIsTheTitleIfAllEmojiHaveIt(
        first: String, second: String, title: String?
    ) throws {
        let list = """
            {"emojis": [{"fileName": "a.png", "emoji": {"category": \(first)}},
             {"fileName": "b.png", "emoji": {"category": \(second)}}]}
            """
        var tree = MemoryTree(["meta.json": list], pictures: ["a.png", "b.png"])
        tree.name = "instance"

        let folder = try #require(try tree.imported().folders.first)

        #expect(folder.title == title && folder.name == title ?? "instance")
    }

    @Test func titleBesideAListIsThatOfThePack() throws {
        let tree = MemoryTree(
            ["stickers.json": #"[{"file": "a.png"}]"#, "title.txt": "Cats\n"], pictures: ["a.png"])
        let folder = try #require(try tree.imported().folders.first)
        #expect(folder.form == "Discord" && folder.name == "Cats" && folder.title == "Cats")
    }

    @Test(arguments: ["folder", "android", "ios", "Web"])
    func folderNamedLikeAFormHasTheNameOfItsParent(name: String) throws {
        var tree = MemoryTree(
            ["cats/\(name)/emoji.json": #"{"emoji": [{"file": "a.png"}]}"#],
            pictures: ["cats/\(name)/a.png"])
        #expect(try tree.imported().folders.map(\.name) == ["cats"])

        tree = MemoryTree(pictures: ["\(name)/a.png"])
        #expect(try tree.imported().folders.map(\.name) == ["pack"])

        tree = MemoryTree(pictures: ["a.png"])
        tree.name = name
        #expect(try tree.imported().folders.map(\.name) == [name])
    }

    @Test func filesThatAreCalledLikeListsAreNone() throws {
        let tree = MemoryTree(
            ["stickers.json": "[1, {}]", "emoji.json": "{}", "meta.json": #"{"emojis": {}}"#],
            pictures: ["a.png"])
        let (folders, faults) = try tree.imported()
        #expect(folders.map(\.form) == ["folder"] && folders.first?.stickers == 1)
        #expect(faults == [])
    }

    @Test func picturesInSeveralFoldersAreNamedByThem() throws {
        do throws(ImportFault) {
            _ = try PackFinder.packs(in: MemoryTree(pictures: ["cats/1.png", "dogs/2.png"]))
            Issue.record("it was taken")
        } catch {
            #expect(error.rule == .noPack && error.remedy.hasSuffix("cats, dogs"), "\(error)")
        }
    }

    /// It has megabytes, and holds the pictures of a pack that is there in other forms.
    @Test func jsonForThePasteboardIsPassedOverAndTold() throws {
        let pictures = String(repeating: "A", count: 2 << 20)
        let handover = """
            {"identifier":"7","stickers":[{"emojis":["😀"],"image_data":"\(pictures)"}]}
            """
        let tree = MemoryTree(
            ["handover/7.json": handover, "android/contents.json": contents],
            pictures: ["android/7/a.webp", "android/7/b.webp", "android/7/tray.png"])

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.stickers) == [2])
        #expect(faults.map(\.rule) == [.badLink, .noPack])
        #expect(faults.last?.file == "handover/7.json")
    }

    @Test(arguments: [
        #"[{"file": "a.png", "name": "image_data"}, {"file": "b.png", "name": "tray_image"}]"#,
        #"[{"file": "a.png", "name": "\"image_data\":"}, {"file": "b.png", "image_data": "😀"}]"#,
        #"[{"file": "a.png", "image_data": {"file": "x"}}, {"file": "b.png", "tray_image": "tray"}]"#,
    ])
    func stickersMayBeCalledLikeThePicturesOnThePasteboard(list: String) throws {
        let tree = MemoryTree(["stickers.json": list], pictures: ["a.png", "b.png"])

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.form) == ["Discord"] && folders.first?.stickers == 2)
        #expect(faults == [])
    }

    /// The first picture may begin just before the end of what is looked at.
    @Test(arguments: [0, 1, 40])
    func jsonForThePasteboardIsKnownWhereverItsFirstPictureBegins(shown: Int) throws {
        let start = #"{"stickers": [{"accessibility_text": "#
        let key = #"", "image_data" : ""#
        let filling = (16 << 10) - start.utf8.count - 1 - key.utf8.count - shown
        let text =
            start + "\"" + String(repeating: ".", count: filling) + key
            + String(repeating: "A", count: 1000) + #""}]}"#
        let tree = MemoryTree(["7.json": text], pictures: ["a.png"])
        #expect(try tree.imported().faults.map(\.rule) == [.noPack])
    }

    @Test func matrixPackIsReadAsEventAndAsContent() throws {
        let content = """
            {"images": {"wave": {"body": "Hello 👋", "file": "cats/wave.webp"},
                        "gone": {"url": "mxc://example.org/x"}},
             "pack": {"display_name": "Cats", "attribution": "Ada", "avatar_file": "cats.png"}}
            """
        for text in [content, #"{"type": "m.room.image_pack", "content": \#(content)}"#] {
            let tree = MemoryTree(["cats.json": text], pictures: ["cats/wave.webp", "cats.png"])

            let (folders, faults) = try tree.imported()

            let folder = try #require(folders.first)
            #expect(folder.name == "Cats" && folder.hasCover)
            #expect(try folder.words("wave.png")?.title == "Hello")
            #expect(try folder.words("wave.png")?.emojis == ["👋"])
            #expect(try folder.category().category.publisher == "Ada")
            #expect(faults.map(\.rule) == [.missingFile])
        }
    }

    @Test func mauniumPackFindsPicturesByFileIdOrUpload() throws {
        let pack = """
            {"title": "Cats", "id": "cats", "stickers": [
             {"id": "z", "url": "mxc://example.org/up", "body": "😀", "msgtype": "m.sticker"},
             {"id": "y", "body": "Nap", "msgtype": "m.sticker",
              "net.maunium.telegram.sticker": {"emoticons": ["😴"]}},
             {"id": "x", "file": "cats/x.webp", "msgtype": "m.sticker"},
             {"id": "w", "url": "mxc://example.org/none", "msgtype": "m.sticker"}]}
            """
        let tree = MemoryTree(
            ["packs/cats.json": pack, "packs/index.json": #"{"packs": ["cats.json"]}"#],
            pictures: ["packs/up", "packs/y.png", "packs/cats/x.webp"])

        let (folders, faults) = try tree.imported()

        let folder = try #require(folders.first)
        #expect(try folder.order() == ["up.png", "y.png", "x.png"])
        #expect(try folder.words("up.png")?.emojis == ["😀"])
        #expect(try folder.words("y.png")?.title == "Nap")
        #expect(try folder.words("y.png")?.emojis == ["😴"])
        #expect(faults.map(\.rule) == [.missingFile])
    }

    @Test func faceBundleHasACategoryForEachGroup() throws {
        var tree = MemoryTree(pictures: [
            "CustomFaceResource.bundle/4350/menu@2x.png",
            "CustomFaceResource.bundle/4350/yz00@2x.png",
            "CustomFaceResource.bundle/4350/yz00@3x.png",
            "CustomFaceResource.bundle/4351/menu@2x.png",
        ])
        tree.files["CustomFaceResource.bundle/4351/ys00.gif"] = Array("GIF89a".utf8)

        let (folders, faults) = try tree.imported()

        #expect(folders.map(\.name) == ["4350", "4351"])
        #expect(folders.first?.paths == ["yz00.png", "cover.png", "category.json"])
        #expect(folders.last?.paths == ["ys00.gif", "cover.png", "category.json"])
        #expect(faults.isEmpty)
    }

    @Test func listOfFacesHasTitlesAndTheOrder() throws {
        let list = """
            [{"groupPath": "g1", "groupName": "Cats", "groupIndex": 1, "faces": [
             {"name": "b", "localizableName": "Hello!"}, {"name": "a", "localizableName": "Bye"},
             {"name": "c"}]}]
            """
        let bundle = "bundle/CustomFaceResource.bundle/g1"
        let tree = MemoryTree(
            ["lists/ios.json": list],
            pictures: ["menu", "a", "b", "c"].map { "\(bundle)/\($0)@2x.png" })

        let folder = try #require(try tree.imported().folders.first)

        #expect(folder.name == "Cats")
        #expect(try folder.order() == ["b.png", "a.png", "c.png"])
        #expect(try folder.words("b.png")?.title == "Hello!")
    }

    @Test func severalPacksOfOneNameAreNumbered() throws {
        let pack = #"{"name": "Cats", "stickers": [{"image_file": "a.webp"}]}"#
        let twin = #"{"name": "CATS", "stickers": [{"image_file": "b.webp"}]}"#
        let tree = MemoryTree(
            ["contents.json": #"{"sticker_packs": [\#(pack), \#(twin)]}"#],
            pictures: ["a.webp", "b.webp"])

        #expect(try tree.imported().folders.map(\.name) == ["Cats", "CATS 2"])
    }
}
