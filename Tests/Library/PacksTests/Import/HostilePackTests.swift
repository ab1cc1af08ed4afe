import Foundation
import StickerPacks
import StickerTestSupport
import StickerValues
import Testing

/// Hostile packs.
struct HostilePackTests {
    private func contents(_ stickers: String, name: String = "Cats") -> String {
        #"{"sticker_packs": [{"identifier": "x", "name": "\#(name)", "stickers": [\#(stickers)]}]}"#
    }

    private func sticker(_ file: String) -> String { #"{"image_file": "\#(file)"}"# }

    @Test(arguments: [
        "../secret.png", "/etc/secret.png", "a/../../secret.png", "a\\\\secret.png", "a//b.png",
    ])
    func pathThatLeadsElsewhereIsLeftOut(file: String) throws {
        let tree = MemoryTree(
            ["p/contents.json": contents("\(sticker(file)), \(sticker("a.png"))")],
            pictures: ["p/a.png", "secret.png"])

        let (folders, faults) = try tree.imported()

        #expect(folders.first?.stickers == 1)
        #expect(faults.map(\.rule) == [.badPath])
    }

    @Test func pictureThatIsNoneIsLeftOut() throws {
        var tree = MemoryTree(["title.txt": "Cats"], pictures: ["a.png"])
        tree.files["b.png"] = Array("<html></html>".utf8)
        tree.files["c.png"] = []
        tree.files["cover.png"] = Array("no picture".utf8)

        let (folders, faults) = try tree.imported()

        #expect(folders.first?.paths == ["a.png", "category.json"])
        #expect(faults.map(\.rule) == [.notAPicture, .notAPicture, .notAPicture])
        #expect(faults.map(\.measured) == ["an HTML page", "an empty file", "a text file"])
    }

    @Test func packWithoutAPictureIsRefused() throws {
        let tree = MemoryTree(["contents.json": contents(sticker("a.png")), "a.png": "text"])

        let (folders, faults) = try tree.imported()

        #expect(folders.isEmpty)
        #expect(faults.map(\.rule) == [.noPictures, .notAPicture])
    }

    @Test func pictureThatIsListedOftenIsTakenOnce() throws {
        let often = Array(repeating: sticker("a.png"), count: 2000).joined(separator: ",")
        let tree = MemoryTree(["contents.json": contents(often)], pictures: ["a.png"])

        let (folders, faults) = try tree.imported()

        #expect(folders.first?.stickers == 1)
        #expect(Set(faults.map(\.rule)) == [.listedTwice] && faults.count == 1000)
    }

    /// In every form with a list: the rest is not dropped without a word.
    @Test(arguments: [
        ("contents.json", #"{"sticker_packs": [{"name": "Cats", "stickers": [#]}]}"#, "image_file"),
        ("cats.json", #"{"title": "Cats", "stickers": [#]}"#, "url\": \"x\", \"file"),
        ("sticker_set.json", #"{"title": "Cats", "stickers": [#]}"#, "sticker"),
        ("stickers.json", "[#]", "file"),
        ("meta.json", #"{"emojis": [#]}"#, "fileName"),
        ("emoji.json", #"{"emoji": [#]}"#, "file"),
        ("title.txt", "Cats", ""),
    ])
    func stickersThatAreTooManyAreTold(list: String, text: String, key: String) throws {
        let pictures = (1...7).map { "\($0).png" }
        let entries = pictures.map { #"{"\#(key)": "\#($0)"}"# }.joined(separator: ",")
        let tree = MemoryTree(
            [list: text.replacing("#", with: entries)], pictures: pictures)
        var limits = ImportLimits()
        limits.stickersMax = 5

        let (folders, faults) = try tree.imported(limits)

        #expect(folders.map(\.stickers) == [5])
        #expect(faults.map(\.rule) == [.tooMany], "\(faults)")
        #expect(faults.first?.measured == "7" && faults.first?.limit == "5")
    }

    @Test func imagesOfMatrixThatAreTooManyAreTold() throws {
        let images = (1...7).map { #""\#($0)": {"file": "\#($0).png"}"# }.joined(separator: ",")
        let tree = MemoryTree(
            ["cats.json": #"{"images": {\#(images)}}"#], pictures: (1...7).map { "\($0).png" })
        var limits = ImportLimits()
        limits.stickersMax = 5

        let (folders, faults) = try tree.imported(limits)

        #expect(folders.map(\.stickers) == [5])
        #expect(faults.map(\.rule) == [.tooMany])
    }

    @Test(arguments: ["contents.json", "cats.json"])
    func packsThatAreTooManyAreTold(list: String) throws {
        var tree = MemoryTree()
        for number in 1...5 {
            let text =
                list == "contents.json"
                ? contents(sticker("a.png"), name: "\(number)")
                : #"{"title": "\#(number)", "stickers": [{"url": "x", "file": "a.png"}]}"#
            tree.files["\(number)/\(list)"] = Array(text.utf8)
            tree.files["\(number)/a.png"] = MemoryTree.picture
        }
        var limits = ImportLimits()
        limits.packsMax = 3

        let (folders, faults) = try tree.imported(limits)

        #expect(folders.count == 3)
        #expect(faults.map(\.rule) == [.tooMany] && faults[0].measured == "more than 3")
    }

    /// A description may name the same picture in many packs.
    @Test func allPicturesTogetherHaveALimit() throws {
        let pack = #"{"name": "Cats", "stickers": [{"image_file": "a.png"}]}"#
        let packs = Array(repeating: pack, count: 10).joined(separator: ",")
        let tree = MemoryTree(
            ["contents.json": #"{"sticker_packs": [\#(packs)]}"#], pictures: ["a.png"])
        var limits = ImportLimits()
        limits.totalBytesMax = 3 * MemoryTree.picture.count + 1

        let (folders, faults) = try tree.imported(limits)

        #expect(folders.count == 3)
        #expect(faults.count { $0.rule == .tooManyBytes } == 7)
    }

    @Test(arguments: [
        (String(repeating: "[", count: 100_000), "at most 64 levels"),
        (#"{"sticker_packs": []"#, "a comma or }"), ("", "a value"),
        (#"{"a": "b"#, "closing quote"),
        (#"{"a": 1, "a": 2}"#, "a second time"),
    ])
    func descriptionThatIsNoJSONIsRefused(text: String, reason: String) throws {
        do {
            _ = try MemoryTree(["contents.json": text], pictures: []).imported()
            Issue.record("it was taken")
        } catch let fault as ImportFault {
            #expect(fault.rule == .badDescription && fault.file == "contents.json")
            #expect(fault.measured?.contains(reason) == true, "\(fault)")
        }
    }

    @Test func allDescriptionsTogetherHaveALimit() throws {
        var tree = MemoryTree(["title.txt": "Cats"], pictures: ["a.png"])
        for number in 0..<9 { tree.files["\(number).json"] = Array("[{}, {}, {}]".utf8) }
        var limits = ImportLimits()
        limits.descriptionsBytesMax = 5 * "[{}, {}, {}]".utf8.count + "Cats".utf8.count

        let (_, faults) = try tree.imported(limits)

        #expect(!faults.isEmpty && faults.allSatisfy { $0.rule == .tooManyBytes })
    }

    @Test func descriptionOfMegabytesIsNotRead() throws {
        let blanks = String(repeating: " ", count: SideFile.category.bytesMax)
        do {
            _ = try MemoryTree(["contents.json": contents("") + blanks]).imported()
            Issue.record("it was taken")
        } catch let fault as ImportFault {
            #expect(fault.rule == .tooManyBytes)
        }
    }

    /// Whatever is written about pictures, the daemon takes it.
    @Test(arguments: [
        "\u{1B}[31m\n\t\u{202E}red", String(repeating: "é", count: 100_000), "a\u{0}b",
        "e" + String(repeating: "\u{301}", count: 50_000), String(repeating: "👨‍👩‍👧‍👦", count: 200),
        "\u{200D}\u{200E}", "", " ", ".", "..", "../..", "/", "cover", "COVER", "~", "Thumbs.db",
        "a.part",
        "lost+found", ".hidden", "#x#", "CON", "title.txt", String(repeating: "/", count: 300),
    ])
    func textsOfStrangersBecomeNamesAndWords(text: String) throws {
        let value = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let contents = """
            {"ios_app_store_link": \(value), "sticker_packs": [{"name": \(value), "publisher": \(value),
             "publisher_email": \(value), "publisher_website": \(value), "identifier": \(value),
             "stickers": [{"image_file": "a.png", "emojis": [\(value)], "accessibility_text": \(value)}]}]}
            """
        let images = """
            {"images": {\(value): {"file": "b.png", "body": \(value)}}, "pack": {"display_name": \(value),
             "attribution": \(value)}}
            """
        let tree = MemoryTree(
            [
                "1/contents.json": contents, "2/pack.json": images, "3/title.txt": text,
                "3/author.txt": text,
            ],
            pictures: ["1/a.png", "2/b.png", "3/c.png"])

        let (folders, _) = try tree.imported()

        #expect(!folders.isEmpty)
        for folder in folders {
            #expect(try !folder.order().isEmpty || folder.form != "WhatsApp, Android")
            try expectSound(folder)
            #expect(folder.stickers == 1)
        }
    }

    /// The files that the daemon reads, and understands.
    private func expectSound(_ folder: CategoryFolder) throws {
        #expect(!FileKind.isIgnoredName(Array(folder.name.utf8)), "\(folder.name)")
        for name in [folder.name] + folder.paths {
            #expect(FileName.escaped(name) == name)
            #expect(!name.isEmpty && !name.contains("/") && name.utf8.count <= 200, "\(name)")
        }
        for path in folder.paths {
            let key = SourceKey(
                drop: "/drop", directory: Array(folder.name.utf8), name: Array(path.utf8))
            #expect(FileKind.of(key) != .ignored, "\(path)")
            guard let file = SideFile(key), let bytes = folder.bytes(path) else { continue }
            #expect(throws: Never.self) { try file.words(in: bytes) }
        }
    }

    /// Bytes of descriptions at random: whatever is still understood is sound.
    @Test(arguments: 0..<8)
    func damagedDescriptionsGiveSoundFoldersOrNone(seed: UInt64) throws {
        let contents = """
            {"sticker_packs": [{"identifier": "x", "name": "Cats", "publisher": "Ada",
             "publisher_website": "https://example.org", "tray_image_file": "a.png", "stickers":
             [{"image_file": "a.png", "emojis": ["😀", "👋"], "accessibility_text": "Hello"}]}]}
            """
        let matrix = """
            {"images": {"wave": {"file": "b.png", "body": "Hi 👋"}}, "pack": {"display_name": "Dogs"}}
            """
        let maunium = """
            {"title": "Owls", "stickers": [{"id": "c", "msgtype": "m.sticker", "body": "Owl 🦉"}]}
            """
        let texts = [
            "1/contents.json": contents, "2/pack.json": matrix, "3/pack.json": maunium,
            "4/title.txt": "Ants", "4/emoji.txt": #"{"d": ["🐜"]}"#,
        ]
        var random = SeededGenerator(seed: seed)
        var sound = 0
        for _ in 0..<100 {
            var tree = MemoryTree(
                texts, pictures: ["1/a.png", "2/b.png", "3/c.png", "4/d.png"])
            for path in texts.keys.sorted() {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let place = tree.files[path]?.indices.randomElement(using: &random) ?? 0
                    let byte = UInt8.random(in: .min ... .max, using: &random)
                    tree.files[path]?[place] = Bool.random(using: &random) ? byte : byte & 0x1F
                }
            }
            let (folders, faults) = try tree.imported()
            for folder in folders { try expectSound(folder) }
            sound += folders.count
            #expect(faults.allSatisfy { !$0.detail.isEmpty && !$0.remedy.isEmpty })
        }
        #expect(sound > 150)
    }

    @Test func stickerNamedCoverIsNoCover() throws {
        let tree = MemoryTree(
            ["contents.json": contents("\(sticker("cover.webp")), \(sticker("a.png"))")],
            pictures: ["cover.webp", "a.png"])

        let folder = try #require(try tree.imported().folders.first)

        #expect(try folder.order() == ["cover sticker.png", "a.png"])
        #expect(!folder.hasCover)
    }

    @Test func namesThatMeetOnSomeFileSystemAreNumbered() throws {
        let stickers = ["a.webp", "A.webp", "e\u{301}.webp", "\u{E9}.webp"].map(sticker)
        let tree = MemoryTree(
            ["contents.json": contents(stickers.joined(separator: ","))],
            pictures: ["x/a.webp", "x/A.webp", "x/e\u{301}.webp"])

        let folder = try #require(try tree.imported().folders.first)

        #expect(try folder.order().prefix(2) == ["a.png", "A 2.png"])
    }

    @Test func faultsShowNoControlCharactersAndNoLongTexts() {
        let fault = ImportFault(
            .badPath, "a\u{1B}[31m\n", "x", measured: String(repeating: "m", count: 9000),
            remedy: "y")

        #expect(!fault.description.contains("\u{1B}") && !fault.description.contains("\n"))
        #expect(fault.description.count < 400)
    }
}
