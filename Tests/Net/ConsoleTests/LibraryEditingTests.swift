import Foundation
import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerConsole
@testable import StickerStore

/// Pictures, words and order of a library, as people change them in a browser.
struct LibraryEditingTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let site: ConsoleSite
    private let key: String

    init() throws { try self.init(editing: true) }

    private init(editing: Bool) throws {
        folder = try TemporaryFolder()
        for name in ["drop", "out", "state"] { try folder.makeFolder(name) }
        var configuration = StickerConfiguration.Configuration()
        configuration.drops = [DropFolder(path: folder.path("drop"))]
        (configuration.out, configuration.state) = (folder.path("out"), folder.path("state"))
        configuration.run = folder.path("run")
        configuration.limits.sourceBytesMax = 5000
        if editing { configuration.console.drops = [folder.path("drop")] }
        let path = folder.path("state/\(LibraryStore.fileName)")
        let store = try LibraryStore(path: path, policy: StorePolicy(configuration))
        let visitor = Visitor(ConsoleConfiguration(), token: nil, secret: "random")
        key = visitor.formKey(of: .anyone)
        self.store = store
        site = ConsoleSite(
            ConsoleLibrary(at: path) { store }, configuration, visitor: visitor,
            load: { [configuration] in configuration },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for (index, name) in ["a", "b", "c"].enumerated() { try publish(name, number: index) }
    }

    private func publish(_ name: String, number: Int) throws {
        try folder.write(Art.dot, to: "drop/cats/\(name).png")
        _ = try store.queue.accept([
            Sighting(
                key: SourceKey(
                    drop: folder.path("drop"), directory: Array("cats".utf8),
                    name: Array("\(name).png".utf8)),
                version: FileVersion(inode: UInt64(number + 1), size: 1, mtime: 1, ctime: 1),
                isRegularFile: true, origin: .closed)
        ])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: 5,
            sha256: ContentHash(of: Array(name.utf8)))
        let product = StickerProduct(
            recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless), files: [file])
        let end = FinishedJob(
            job: job,
            outcome: .made(product, content: ContentHash(of: Art.dot + Array(name.utf8))),
            log: StepLog())
        _ = try store.queue.turn(finished: [end], claiming: .any(0))
    }

    private func send(_ target: String, _ form: [String: String]) -> Shown {
        site.shown(target, form: form.merging(["key": key]) { $1 })
    }

    /// The page that a saved form leads to.
    private func saved(_ target: String, _ form: [String: String]) throws -> Shown {
        let answer = send(target, form)
        #expect(answer.status == 303, "\(answer.text)")
        return site.shown(try #require(answer.headers["Location"]))
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOfFile: folder.path("drop/\(path)"), encoding: .utf8)
    }

    // MARK: Looks

    @Test func lookKeepsWhatNoFieldShowsAndCanBeUndone() throws {
        let before = """
            {
              "look": {"watermarks": [{"id": "t", "text": {"text": "hi"}}, {"id": "l", "image": "logo.png"}]},
              "title": "Cats"
            }
            """
        try folder.write(Array(before.utf8), to: "drop/cats/category.json")
        let was = try shownLook()

        let page = try saved(
            "/library/cats",
            [
                "part": "look", "was-look": was, "marginPixels": "4", "tintMode": "solid",
                "marks": "own", "mark-logo.png": "on", "corner-logo.png": "top left",
                "size-logo.png": "30", "opacity-logo.png": "50", "corner-bar.png": "middle",
            ])

        let after = try read("cats/category.json")
        #expect(
            after == """
                {
                  "look": {"watermarks": [{"id": "t", "text": {"text": "hi"}}, {"id": "l", \
                "image": "logo.png", "width": 0.3, "anchor": [0, 0], "offset": [0.02, 0.02], \
                "opacity": 0.5}], "tint": {"mode": "solid"}, "marginPixels": 4},
                  "title": "Cats"
                }
                """)
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1
        _ = try saved(String(undo), [:])
        #expect(try read("cats/category.json") == before)
    }

    /// The hidden field of the page.
    private func shownLook() throws -> String {
        let page = site.shown("/library/cats").text
        let value = try #require(page.firstMatch(of: /name="was-look" value="([^"]*)"/)).1
        return value.replacingOccurrences(of: "&quot;", with: "\"")
    }

    @Test func lookThatSomebodyElseChangedStays() throws {
        try folder.write(Array(#"{"look": {"trim": true}}"#.utf8), to: "drop/cats/category.json")

        let answer = send(
            "/library/cats", ["part": "look", "was-look": "", "outlinePixels": "8"])

        #expect(answer.status == 409)
        #expect(answer.text.contains("changed since by somebody else"))
        #expect(answer.text.contains("value=\"8\""))
        #expect(try read("cats/category.json") == #"{"look": {"trim": true}}"#)
    }

    @Test func wrongLookIsNotSaved() throws {
        let answer = send(
            "/library/cats", ["part": "look", "was-look": "", "outlineColor": "red"])

        #expect(answer.status == 409 && answer.text.contains("look.outline.color"))
        #expect(throws: (any Error).self) { try read("cats/category.json") }
    }

    @Test func emptyLookIsRemoved() throws {
        try folder.write(
            Array(#"{"title": "Cats", "look": {"trim": true}}"#.utf8), to: "drop/cats/category.json"
        )

        _ = try saved(
            "/library/cats", ["part": "look", "was-look": try shownLook(), "trim": ""])

        #expect(try read("cats/category.json") == #"{"title": "Cats"}"#)
    }

    @Test func previewWithoutScriptShowsTheFormFilledIn() throws {
        let answer = send(
            "/library/cats",
            ["part": "look", "was-look": "", "outlinePixels": "8", "try": "1"])

        #expect(answer.status == 200 && !answer.text.contains("Nothing was saved"))
        #expect(answer.text.contains("id=\"look\" open"))
        #expect(answer.text.contains("name=\"outlinePixels\" min=\"0\" max=\"64\" value=\"8\""))
        #expect(throws: (any Error).self) { try read("cats/category.json") }
    }

    // MARK: Words

    @Test func wordsAreSavedInTheSideFileOfThePicture() throws {
        let page = try saved(
            "/stickers/a",
            [
                "title": " Hello ", "was-title": "", "emojis": "👋🎉", "was-emojis": "",
                "keywords": "hi, there,", "was-keywords": "", "pinned": "yes", "was-pinned": "",
                "licence": "", "was-licence": "",
            ])

        let written = try read("cats/a.png.sticker.json")
        #expect(
            written == """
                {
                    "title": "Hello",
                    "emojis": ["👋", "🎉"],
                    "keywords": ["hi", "there"],
                    "pinned": true
                }

                """)
        #expect(page.text.contains("saved in cats/a.png.sticker.json"))
        #expect(page.text.contains("value=\"👋 🎉\""))
    }

    @Test func renamedFileKeepsItsWordsAndItsPlace() throws {
        try folder.write(Array(#"{"title": "Tom"}"#.utf8), to: "drop/cats/a.png.sticker.json")
        let list = #"{"order": ["b.png", "a.png"]}"#
        try folder.write(Array(list.utf8), to: "drop/cats/category.json")
        let form = ["part": "file", "was": "cats/a.png", "category": "cats"]

        let page = try saved("/stickers/a", form.merging(["name": "happy cat.png"]) { $1 })

        #expect(page.text.contains("moved to cats/happy cat.png"))
        #expect(try read("cats/happy cat.png.sticker.json") == #"{"title": "Tom"}"#)
        #expect(try read("cats/category.json") == #"{"order": ["b.png", "happy cat.png"]}"#)
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1
        #expect(try saved(String(undo), [:]).text.contains("undone in 2 files"))
        #expect(try read("cats/category.json") == list)
        #expect(try read("cats/a.png.sticker.json") == #"{"title": "Tom"}"#)
    }

    @Test func copyOfAFileBecomesThePictureOfItsCategory() throws {
        try folder.write(Array("old".utf8), to: "drop/cats/Cover.gif")

        let page = try saved("/stickers/a", ["part": "cover", "was": "cats/a.png"])

        #expect(page.text.contains("cats/cover.png is the picture of the category"))
        #expect(try folder.bytes("drop/cats/cover.png") == Art.dot)
        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
        #expect(throws: (any Error).self) { try folder.bytes("drop/cats/Cover.gif") }
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1
        #expect(try saved(String(undo), [:]).text.contains("undone in 2 files"))
        #expect(try read("cats/Cover.gif") == "old")
        #expect(throws: (any Error).self) { try folder.bytes("drop/cats/cover.png") }
    }

    @Test(arguments: [
        ("", 400), (".a.png", 400), ("a.txt", 415), ("a.psd", 415), ("b.png", 409),
        ("cover.png", 400), (String(repeating: "a", count: 250) + ".png", 400),
    ])
    func nameThatIsNoneForAPictureIsRefused(name: String, status: Int) throws {
        let form = ["part": "file", "was": "cats/a.png", "category": "cats", "name": name]

        #expect(send("/stickers/a", form).status == status)
        #expect(send("/stickers/a", form.merging(["was": "cats/x.png"]) { $1 }).status == 409)

        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
    }

    @Test func removedFileIsPutBackFromTheTrash() throws {
        let page = try saved("/stickers/a", ["part": "removal", "was": "cats/a.png"])

        #expect(page.text.contains("cats/a.png is removed"))
        #expect(throws: (any Error).self) { try folder.bytes("drop/cats/a.png") }
        let trash = site.shown("/trash").text
        let place = try #require(trash.firstMatch(of: /name="file" value="([^"]+)"/)).1
        #expect(send("/trash", ["file": "/etc/passwd"]).status == 404)
        #expect(try saved("/trash", ["file": String(place)]).text.contains("cats/a.png is back"))
        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
    }

    @Test func undoneWordsAreGoneAtOnce() throws {
        let page = try saved("/stickers/a", ["title": "Hello", "was-title": ""])
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1

        let after = try saved(String(undo), [:])

        #expect(after.text.contains("undone in 1 file"))
        #expect(try read("cats/a.png.sticker.json") == "{}\n")
        #expect(send(String(undo), [:]).status == 409)
    }

    @Test func undoChangesNothingThatWasChangedSince() throws {
        let page = try saved("/stickers/a", ["title": "Hello", "was-title": ""])
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1
        try folder.write(Array("{\"title\": \"Mine\"}".utf8), to: "drop/cats/a.png.sticker.json")

        let after = try saved(String(undo), [:])

        #expect(after.text.contains("a.png.sticker.json was changed since, and stays as it is"))
        #expect(try read("cats/a.png.sticker.json") == "{\"title\": \"Mine\"}")
    }

    @Test func whatSomebodyElseChangedIsShownAndNotOverwritten() throws {
        let theirs = "{ \"title\": \"Theirs\",\n  \"rating\": \"pg\" }"
        try folder.write(Array(theirs.utf8), to: "drop/cats/a.png.sticker.json")

        let answer = send("/stickers/a", ["title": "Mine", "was-title": "Old"])

        #expect(answer.status == 409)
        #expect(answer.text.contains("now: “Theirs”") && answer.text.contains("value=\"Mine\""))
        #expect(try read("cats/a.png.sticker.json") == theirs)
        // Another word may be changed, and everything else stays as it was written.
        _ = try saved("/stickers/a", ["licence": "CC0", "was-licence": ""])
        #expect(
            try read("cats/a.png.sticker.json")
                == "{ \"title\": \"Theirs\",\n  \"rating\": \"pg\",\n  \"licence\": \"CC0\" }"
                || read("cats/a.png.sticker.json")
                    == "{ \"title\": \"Theirs\",\n  \"rating\": \"pg\", \"licence\": \"CC0\" }"
        )
    }

    @Test func contestedTitleIsShownBesideItsPicture() throws {
        try folder.write(Array(#"{"title": "Theirs"}"#.utf8), to: "drop/cats/a.png.sticker.json")

        let answer = send(
            "/library/cats",
            [
                "part": "stickers", "stickers": "a,b", "edit": "1", "title-a": "Mine",
                "was-title-a": "", "title-b": "Bee", "was-title-b": "",
            ])

        #expect(
            answer.status == 409 && answer.text.contains("1 file was saved, the others were not"))
        #expect(answer.text.contains("now: “Theirs”") && answer.text.contains("value=\"Mine\""))
        #expect(answer.text.contains("action=\"/undo/"))
        #expect(try read("cats/b.png.sticker.json").contains("Bee"))
    }

    @Test func wordsOfWhatIsGoneAreNotCalledSaved() throws {
        let answer = send("/stickers/nobody", ["title": "Mine", "was-title": ""])
        #expect(answer.status == 409 && answer.text.contains("nothing was saved: nobody is gone"))
    }

    @Test func onePublisherIsSetForSeveralCategories() throws {
        let form = ["part": "publisher", "publisher": "Ada", "categories": "cats,dogs"]

        #expect(try saved("/library", form).text.contains("saved in cats/category.json"))
        let again = send("/library", form.merging(["publisher": "Eve"]) { $1 })
        #expect(again.status == 409 && again.text.contains("changed since by somebody else"))
        #expect(try read("cats/category.json").contains("Ada"))
    }

    @Test func searchWordsWithCommasStayWhole() throws {
        try folder.write(
            Array(#"{"keywords": ["rock, paper", "game"]}"#.utf8),
            to: "drop/cats/a.png.sticker.json")
        #expect(site.shown("/stickers/a").text.contains("value=\"rock, paper; game\""))

        _ = try saved(
            "/stickers/a",
            ["keywords": "rock, paper; game; fun", "was-keywords": "rock, paper; game"])

        #expect(
            try read("cats/a.png.sticker.json")
                == #"{"keywords": ["rock, paper", "game", "fun"]}"#)
    }

    @Test(arguments: [("rating", "x"), ("order", "first"), ("emojis", "cat")])
    func wrongWordIsExplainedAndKeptInItsField(field: String, text: String) throws {
        let answer = send("/stickers/a", [field: text, "was-\(field)": ""])

        #expect(answer.status == 409)
        #expect(answer.text.contains("nothing was written") && answer.text.contains("\"\(text)\""))
        #expect(throws: (any Error).self) { try read("cats/a.png.sticker.json") }
    }

    @Test func faultyFileIsShownInsteadOfItsFields() throws {
        try folder.write(Array("{\"titel\": 1}".utf8), to: "drop/cats/a.png.sticker.json")

        let page = site.shown("/stickers/a").text

        #expect(page.contains("has faults, which have to be corrected in it first"))
        #expect(!page.contains("name=\"title\""))
    }

    @Test func wordsOfACategoryAndOfManyStickersAreSaved() throws {
        let named = try saved(
            "/library/cats",
            [
                "part": "category", "title": "My cats", "was-title": "", "publisher": "Ada",
                "was-publisher": "",
            ])
        let many = try saved(
            "/library/cats",
            ["part": "many", "stickers": "a,c,nobody", "emojis": "🐱", "licence": ""])
        let some = try saved(
            "/library/cats",
            [
                "part": "stickers", "stickers": "a,b", "edit": "1", "title-a": "One",
                "was-title-a": "", "title-b": "", "was-title-b": "",
            ])

        #expect(named.text.contains("saved in cats/category.json"))
        #expect(try read("cats/category.json").contains("\"publisher\": \"Ada\""))
        #expect(many.text.contains("saved in 2 files"))
        #expect(try read("cats/c.png.sticker.json") == "{\n    \"emojis\": [\"🐱\"]\n}\n")
        #expect(some.text.contains("name=\"title-a\" value=\"One\""))
        #expect(throws: (any Error).self) { try read("cats/b.png.sticker.json") }
    }

    // MARK: Order

    @Test func orderIsListedInTheFileOfTheCategory() throws {
        try folder.write(
            Array("{\n  \"order\": [\n    \"gone.png\"\n  ],\n  \"title\": \"Cats\"\n}".utf8),
            to: "drop/cats/category.json")

        let page = try saved("/library/cats", try order(["c.png", "a.png", "b.png"]))

        #expect(page.text.contains("saved in cats/category.json"))
        #expect(
            try read("cats/category.json") == """
                {
                  "order": [
                    "c.png",
                    "a.png",
                    "b.png",
                    "gone.png"
                  ],
                  "title": "Cats"
                }
                """)
    }

    /// The form of the order, as the page offers it now.
    private func order(
        _ paths: [String], from first: Int = 0, changing: [String: String] = [:]
    ) throws -> [String: String] {
        let page = site.shown("/library/cats?from=\(first)").text
        func hidden(_ name: String) throws -> String {
            let field = try Regex("name=\"\(name)\" value=\"([^\"]*)\"")
            let value = try #require(page.firstMatch(of: field)?.output[1].substring)
            return String(value).replacing("&quot;", with: "\"")
        }
        let quoted = paths.map(JSONText.quoted).joined(separator: ", ")
        return [
            "part": "order", "order": "[\(quoted)]", "from": "\(first)",
            "shown": try hidden("shown"), "listed": try hidden("listed"),
        ].merging(changing) { $1 }
    }

    @Test(arguments: [[], ["a.png"], ["a.png", "b.png", "d.png"]])
    func orderOfOtherStickersIsRefused(paths: [String]) throws {
        #expect(send("/library/cats", try order(paths)).status == 409)
        #expect(throws: (any Error).self) { try read("cats/category.json") }
    }

    @Test(arguments: [["shown": #"["b.png", "a.png", "c.png"]"#], ["listed": "other"]])
    func orderThatSomebodyElseChangedIsNotOverwritten(_ other: [String: String]) throws {
        let form = try order(["c.png", "b.png", "a.png"], changing: other)

        let answer = send("/library/cats", form)

        #expect(answer.status == 409 && answer.text.contains("somebody else has ordered these"))
        #expect(throws: (any Error).self) { try read("cats/category.json") }
    }

    /// A list may name more stickers than a page shows.
    @Test func orderOfOnePageKeepsTheListOfTheOthers() throws {
        let listed = #"{"order": ["a.png", "away.png", "b.png", "c.png"]}"#
        try folder.write(Array(listed.utf8), to: "drop/cats/category.json")
        // As if a page ended after the first two.
        let file = try #require(
            WordsFile(
                SourceKey(
                    drop: folder.path("drop"), directory: Array("cats".utf8),
                    name: Array("category.json".utf8))))
        let order = ListOrder(
            desk: WordsDesk(drops: [folder.path("drop")]), operations: store.operations)

        let (result, _) = try order.save(
            [
                "order": #"["b.png", "a.png"]"#, "shown": #"["a.png", "b.png"]"#,
                "listed": ListOrder.mark(try file.members()),
            ], in: CategoryID(rawValue: "cats"))

        #expect(result.changes.count == 1)
        #expect(
            try read("cats/category.json")
                == #"{"order": ["b.png", "a.png", "away.png", "c.png"]}"#)
    }

    @Test func pictureThatCameMeanwhileDoesNotRefuseAnOrder() throws {
        let form = try order(["c.png", "a.png", "b.png"])
        try publish("aa", number: 9)

        _ = try saved("/library/cats", form)

        // Where it came, and behind it the others in their new order.
        #expect(
            try read("cats/category.json")
                == "{\n    \"order\": [\"c.png\", \"aa.png\", \"a.png\", \"b.png\"]\n}\n")
    }

    /// Systems compose accents in different ways, and a list names each path once.
    @Test func stickersOfOnePathAreOrderedAgainAndAgain() throws {
        try publish("e\u{301}", number: 10)
        try publish("\u{E9}", number: 11)
        let paths = ["a.png", "b.png", "c.png", "\u{E9}.png", "\u{E9}.png"]
        // As the daemon has read it.
        let listed = #"{"order": ["a.png", "b.png", "c.png", "\#u{E9}.png"]}"#
        try folder.write(Array(listed.utf8), to: "drop/cats/category.json")

        _ = try saved(
            "/library/cats", try order([paths[3], paths[1], paths[2], paths[0], paths[4]]))

        #expect(
            try read("cats/category.json")
                == #"{"order": ["\#u{E9}.png", "b.png", "c.png", "a.png"]}"#)
    }

    /// The daemon is not running here, so the list is not read.
    @Test func orderThatIsNotReadYetIsNotOverwritten() throws {
        _ = try saved("/library/cats", try order(["b.png", "a.png", "c.png"]))

        let answer = send("/library/cats", try order(["a.png", "c.png", "b.png"]))

        #expect(answer.status == 409 && answer.text.contains("stickerd has not read their present"))
        #expect(try read("cats/category.json").contains("[\"b.png\", \"a.png\", \"c.png\"]"))
    }

    @Test func negativePlaceIsTheFirst() throws {
        let form = try order(["c.png", "b.png", "a.png"], changing: ["from": "-1"])
        #expect(try saved("/library/cats", form).text.contains("saved in cats/category.json"))
    }

    // MARK: Pictures

    private func drop(
        _ query: String, _ bytes: [UInt8] = Art.dot, key: String? = nil
    ) throws -> Shown {
        let request = WebRequest(
            "/drop?\(query)", form: [:], fields: ["x-key": key ?? self.key])
        switch site.reply(to: request) {
        case .answer(let answer): return Shown(answer)
        case .receive(let take, let answer):
            for part in stride(from: 0, to: bytes.count, by: 40) {
                do {
                    try take(ByteBuffer(bytes: bytes[part..<min(part + 40, bytes.count)]))
                } catch let error as WebError {
                    return Shown(answer(error))
                }
            }
            return Shown(answer(nil))
        }
    }

    @Test func pictureIsDroppedIntoACategoryOrANewOne() throws {
        let old = try drop("category=cats&name=new.png")
        let new = try drop("folder=Two%20dogs&name=sub/rex.png")

        #expect(old.status == 200 && old.text.contains("\"added\""))
        #expect(new.status == 200)
        #expect(try folder.bytes("drop/cats/new.png") == Art.dot)
        #expect(try folder.bytes("drop/Two dogs/rex.png") == Art.dot)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("drop/cats"))
        #expect(names.sorted() == ["a.png", "b.png", "c.png", "new.png"])
    }

    @Test func pictureOfAnotherNameIsReplacedOnlyWhenAskedTo() throws {
        let other = Art.dot + [0]

        let same = try drop("category=cats&name=a.png")
        let refused = try drop("category=cats&name=a.png", other)
        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
        let hash = try #require(refused.text.firstMatch(of: /"sha256":"([0-9a-f]{64})"/)).1
        let guessed = try drop("category=cats&name=a.png&replace=1", other)
        #expect(guessed.status == 409)
        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
        let replaced = try drop("category=cats&name=a.png&replace=\(hash)", other)

        #expect(same.text.contains("\"there\""))
        #expect(refused.status == 409 && refused.text.contains("another picture has this name"))
        #expect(replaced.text.contains("\"replaced\""))
        #expect(try folder.bytes("drop/cats/a.png") == other)
        let trash = site.shown("/trash").text
        let kept = try #require(trash.firstMatch(of: /name="file" value="([^"]+)"/)).1
        #expect(Array(try Data(contentsOf: URL(filePath: String(kept)))) == Art.dot)
        // The two change places, and back.
        let page = try saved("/trash", ["file": String(kept)])
        #expect(page.text.contains("cats/a.png is back"))
        #expect(try folder.bytes("drop/cats/a.png") == Art.dot)
        let undo = try #require(page.text.firstMatch(of: /action="(\/undo\/[0-9]+)"/)).1
        #expect(try saved(String(undo), [:]).text.contains("undone in 1 file"))
        #expect(try folder.bytes("drop/cats/a.png") == other)
        #expect(RemovedFiles(drops: [folder.path("drop")], days: 1).list(limit: 9).count == 1)
    }

    @Test func pictureThatIsAlreadyAStickerIsNamed() throws {
        let answer = try drop("category=cats&name=again.png", Art.dot + Array("b".utf8))

        #expect(answer.text.contains("\"twins\":\"b\""))
    }

    @Test(arguments: [
        ("category=cats&name=a.txt", 415), ("category=cats&name=a.psd", 415),
        ("category=cats&name=.a.png", 400), ("category=cats&name=", 400),
        ("category=dogs&name=x.png", 404), ("folder=.dogs&name=x.png", 400),
        ("folder=a/b&name=x.png", 400), ("folder=%20&name=x.png", 400), ("name=x.png", 400),
        ("folder=..&name=x.png", 400),
    ])
    func picturesComeOnlyWhereTheyBelong(query: String, status: Int) throws {
        let answer = try drop(query)

        #expect(answer.status == status && answer.text.contains("\"remedy\""), "\(answer.text)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("drop"))
        #expect(names == ["cats"])
    }

    @Test(arguments: [(0, 400), (200, 415), (6000, 413)])
    func whatIsNoPictureIsNotKept(count: Int, status: Int) throws {
        let answer = try drop(
            "category=cats&name=x.png", [UInt8](repeating: 65, count: count))

        #expect(answer.status == status)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("drop/cats"))
        #expect(names.sorted() == ["a.png", "b.png", "c.png"])
    }

    @Test func pageOfAStrangerDropsNothing() throws {
        #expect(try drop("category=cats&name=x.png", key: "guessed").status == 403)
        for fields in [
            ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
            ["host": "evil.example"], ["x-forwarded-for": "10.0.0.1"],
        ] {
            let request = WebRequest(
                "/drop?category=cats&name=x.png", form: [:],
                fields: ["x-key": key].merging(fields) { $1 })
            guard case .answer(let answer) = site.reply(to: request) else {
                Issue.record("it would be received: \(fields)")
                continue
            }
            #expect([403, 421].contains(answer.status))
        }
    }

    @Test func folderThatIsALinkReceivesNothing() throws {
        try folder.makeFolder("elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("drop/link"), withDestinationPath: folder.path("elsewhere"))

        #expect(try drop("folder=link&name=x.png").status >= 400)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere"))
        #expect(names == [])
    }

    @Test func folderThatWasMadeForNothingGoesAgain() throws {
        #expect(try drop("folder=dogs&name=x.png", Array("no picture".utf8)).status == 415)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("drop"))
        #expect(names == ["cats"])
    }

    @Test func leftoversOfAKilledConsoleAreRemoved() throws {
        for (name, age) in [("old", 7200.0), ("new", 0)] {
            let path = "drop/cats/.tmp-1-\(name)"
            try folder.write([1], to: path)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)],
                ofItemAtPath: folder.path(path))
        }

        DroppedPicture.sweep([folder.path("drop")])

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("drop/cats"))
        #expect(names.sorted() == [".tmp-1-new", "a.png", "b.png", "c.png"])
    }

    @Test func dropsThatAreNotNamedAreNotWrittenTo() throws {
        let reader = try LibraryEditingTests(editing: false)

        #expect(try reader.drop("category=cats&name=x.png").status == 403)
        let page = reader.site.shown("/stickers/a").text
        #expect(page.contains("Words are edited here once console.drops names"))
        #expect(!page.contains("name=\"title\""))
        #expect(!reader.site.shown("/library/cats").text.contains("data-drop"))
        let after = reader.send("/stickers/a", ["title": "x", "was-title": ""])
        #expect(after.status == 409 && after.text.contains("cannot be edited here"))
        let removal = reader.send("/stickers/a", ["part": "removal", "was": "cats/a.png"])
        #expect(removal.status == 409 && removal.text.contains("cannot be edited here"))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: reader.folder.path("drop/cats"))
        #expect(names.sorted() == ["a.png", "b.png", "c.png"])
    }

    // MARK: Pages

    @Test func librariesAndCategoriesAreListedInTheirOrder() throws {
        let list = site.shown("/library").text
        let page = site.shown("/library/cats").text

        #expect(list.contains("href=\"/library/cats\"") && list.contains("3 stickers"))
        let shown = page.matches(of: /data-path="([a-z.]+)"/).map { String($0.1) }
        #expect(shown == ["a.png", "b.png", "c.png"])
        #expect(site.shown("/library/cats?from=2").text.contains("data-path=\"c.png\""))
        #expect(!site.shown("/library/cats?from=2").text.contains("data-path=\"a.png\""))
        #expect(site.shown("/library/dogs").status == 404)
    }

    @Test func emojiAreFoundByTheirNames() throws {
        let data = Data(site.shown("/_console/emoji.json").text.utf8)
        let pairs = try JSONDecoder().decode([[String]].self, from: data)

        #expect(pairs.contains(["🐱", "cat face"]) && pairs.contains(["❤️", "heavy black heart"]))
        #expect(pairs.allSatisfy { $0.count == 2 && $0[0].first?.emoji == $0[0] })
    }
}

/// A picture as small as they come.
enum Art {
    static let dot = Array(Data(base64Encoded: encoded) ?? Data())
    private static let encoded =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}

extension TemporaryFolder {
    fileprivate func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: self.path(path))))
    }
}
