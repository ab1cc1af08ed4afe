import Foundation
import StickerTestSupport
import Synchronization
import Testing

@testable import StickerConfiguration
@testable import StickerStore
@testable import StickerValues

/// Words of side files are in manifests, in their order of precedence, and follow the pictures.
struct WordsTests {
    private let library: Library
    private let publisher: CatalogPublisher

    init() throws {
        library = try Library()
        library.policy.emojis = ["⭐️"]
        library.policy.drops = ["/drop", "/second"]
        publisher = try library.publisher()
    }

    private func say(_ path: String, _ text: String, drop: String = "/drop") throws {
        try library.say(path, text, drop: drop)
    }

    private func manifest(_ category: String = "cats") throws -> Manifest {
        _ = try publisher.publish(CategoryID(rawValue: category))
        return try library.manifest(category)
    }

    private func sticker(_ id: String, in category: String = "cats") throws -> ManifestSticker {
        try #require(try manifest(category).stickers.first { $0.identifier.rawValue == id })
    }

    private func rename(_ from: String, _ to: String, _ content: Int64) throws {
        var seen = sighting(to, content)
        seen.version = sighting(from, content).version
        try library.accept(seen, gone: [key(from)])
        if let job = try library.claim().first {
            try library.finish(job, .unchanged(content: hash(Int(content))))
        }
    }

    private func lose(_ paths: String...) throws {
        try library.accept(gone: paths.map { key($0) })
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
    }

    // MARK: Precedence

    /// The file that was beside it has stayed, and meant other pictures since.
    @Test func removedStickerKeepsWhatWasSaidWhenItWasRemoved() throws {
        try library.make("cats/a.png", 1)
        try say("cats/a.png.sticker.json", #"{"title": "Old"}"#)
        try lose("cats/a.png")
        try say("cats/a.png.sticker.json", #"{"title": "Newer"}"#)
        try lose("cats/a.png.sticker.json")

        try library.make("dogs/b.png", 1)

        #expect(try sticker("a", in: "dogs").title == "Old")
    }

    @Test func wordsOfAStickerComeFromTheNextWhoKnows() throws {
        try library.make("cats/wave.png")
        #expect(try sticker("wave").emojis == ["⭐️"])
        try say("cats/category.json", #"{"defaults": {"emojis": ["🐱"], "rating": "g"}}"#)
        #expect(try sticker("wave").emojis == ["🐱"])
        try say("cats/emoji.txt", #"{"wave": "👋"}"#)
        #expect(try sticker("wave").emojis == ["👋"])
        try say(
            "cats/category.json",
            #"{"defaults": {"rating": "g"}, "stickers": {"wave.png": {"emojis": "😀", "title": "W"}}}"#
        )
        #expect(try sticker("wave").emojis == ["😀"])
        try say("cats/wave.png.sticker.json", #"{"emojis": ["😎"]}"#)

        let wave = try sticker("wave")
        #expect(wave.emojis == ["😎"] && wave.title == "W" && wave.rating == .general)
        #expect(wave.source.keptWords == nil)
    }

    @Test func emojiOfANameComeBeforeTheDefaults() throws {
        try library.make("cats/wave 👋.png")
        try say("cats/category.json", #"{"defaults": {"emojis": ["🐱"]}}"#)
        #expect(try sticker("wave").emojis == ["👋"])
        try say("cats/emoji.txt", #"{"wave 👋": []}"#)
        #expect(try sticker("wave").emojis == [])
    }

    @Test func titleOfACategoryComesFromTheNextWhoKnows() throws {
        try library.make("cats/wave.png")
        #expect(try manifest().title == "cats" && manifest().folder == nil)
        try say("cats/title.txt", "By text")
        try say("cats/author.txt", "Ada")
        #expect(try manifest().title == "By text" && manifest().folder == "cats")
        try say("cats/category.json", #"{"title": "By JSON", "licence": "MIT"}"#)

        let manifest = try manifest()
        #expect(manifest.title == "By JSON" && manifest.publisher == "Ada")
        #expect(manifest.licence == "MIT" && manifest.identifier.rawValue == "cats")
        try lose("cats/category.json", "cats/title.txt")
        #expect(try self.manifest().title == "cats" && self.manifest().publisher == "Ada")
    }

    @Test func categoryThatSaysNothingHasTheWordsOfTheConfiguration() throws {
        try library.make("cats/wave.png")
        try library.make("dogs/bark.png", 2)
        try say("cats/category.json", #"{"publisher": "Bob"}"#)
        try library.store.catalog.refreshEntries()
        let before = (try manifest(), try manifest("dogs"))
        var configuration = Configuration()
        configuration.sticker.words.publisher = "Ada"
        library.policy.defaultWords = DefaultWords(configuration)
        try library.store.catalog.refreshEntries()
        #expect(try library.store.catalog.dirtyCategories().map(\.rawValue) == ["dogs"])
        #expect(try manifest("dogs").publisher == "Ada")
        #expect(try manifest("dogs").stickers == before.1.stickers)

        configuration.sticker.words.licence = "MIT"
        configuration.categories["dogs"] = configuration.sticker
        configuration.categories["dogs"]?.words.licence = "CC0"
        library.policy.defaultWords = DefaultWords(configuration)
        try library.store.catalog.refreshEntries()
        #expect(try manifest().publisher == "Bob" && manifest().licence == "MIT")
        #expect(try manifest("dogs").publisher == "Ada" && manifest("dogs").licence == "CC0")

        library.policy.defaultWords = DefaultWords()
        try library.store.catalog.refreshEntries()
        #expect(try manifest().words == before.0.words)
        #expect(try manifest("dogs").words == before.1.words)
    }

    /// A category with folders in two drops.
    @Test func ofTwoDropsTheFirstInTheListCounts() throws {
        try library.make("cats/wave.png")
        try say("cats/category.json", #"{"title": "Second", "publisher": "B"}"#, drop: "/second")
        #expect(try manifest().title == "Second")
        try say("cats/title.txt", "Text")
        #expect(try manifest().title == "Second")
        try say("cats/category.json", #"{"title": "First"}"#)
        #expect(try manifest().title == "First" && manifest().publisher == "B")

        library.policy.drops = ["/second", "/drop"]
        try library.store.catalog.refreshEntries()
        #expect(try manifest().title == "Second")
    }

    @Test func entriesFindPicturesInSubfoldersAndHoweverAccentsAreWritten() throws {
        try library.make("cats/winter/cafe\u{301}.png")
        try say("cats/category.json", #"{"stickers": {"winter/café.png": {"title": "One"}}}"#)
        #expect(try sticker("cafe").title == "One")
        try say("cats/emoji.txt", #"{"winter/café": "☕️"}"#)
        #expect(try sticker("cafe").emojis == ["☕️"])
    }

    @Test func filesInADropItselfSpeakOfTheDefaultCategory() throws {
        try library.make("wave.png")
        try say("category.json", #"{"title": "All", "stickers": {"wave.png": {"title": "W"}}}"#)
        let manifest = try manifest("stickers")
        #expect(manifest.title == "All" && manifest.stickers.first?.title == "W")
        #expect(manifest.folder == "stickers")
    }

    // MARK: Order

    @Test func orderIsTheListThenNumbersThenNames() throws {
        for (number, name) in ["9 d", "b", "a", "3 c", "e"].enumerated() {
            try library.make("cats/\(name).png", number)
        }
        func order() throws -> [String] { try manifest().stickers.map(\.identifier.rawValue) }
        #expect(try order() == ["c", "d", "a", "b", "e"])

        try say("cats/category.json", #"{"order": ["e.png", "9 d.png"]}"#)
        #expect(try order() == ["e", "d", "c", "a", "b"])
        try say("cats/b.png.sticker.json", #"{"order": 1}"#)
        #expect(try order() == ["e", "d", "b", "c", "a"])
        #expect(try sticker("b").order == 1)
        try rename("cats/e.png", "cats/elephant.png", 4)
        #expect(try order() == ["e", "d", "b", "c", "a"])
        // The list still names it as it was called.
        try say("cats/category.json", #"{"order": ["9 d.png"]}"#)
        #expect(try order() == ["d", "b", "c", "a", "e"])
    }

    // MARK: Following

    @Test func wordsFollowTheirPictureUntilAFileSaysOtherwise() throws {
        try library.make("cats/wave.png")
        try library.make("dogs/wuff.png", 2)
        try say("cats/wave.png.sticker.json", #"{"title": "Hello", "keywords": ["hi"]}"#)
        try say("cats/emoji.txt", #"{"wave": "👋"}"#)
        try rename("cats/wave.png", "dogs/howdy.png", 1)

        let moved = try sticker("wave", in: "dogs")
        #expect(moved.title == "Hello" && moved.emojis == ["👋"] && moved.keywords == ["hi"])
        #expect(moved.source.keptWords?.title == "Hello")

        // The category's word for the new name comes before what was said of the old one.
        try say("dogs/emoji.txt", #"{"howdy": "🤠"}"#)
        #expect(try sticker("wave", in: "dogs").emojis == ["🤠"])
        #expect(try sticker("wave", in: "dogs").title == "Hello")
        try say("dogs/howdy.png.sticker.json", #"{"title": "Yee-haw"}"#)
        let said = try sticker("wave", in: "dogs")
        #expect(said.title == "Yee-haw" && said.keywords == ["hi"])
        #expect(said.source.keptWords?.title == nil && said.source.keptWords?.emojis == nil)
        // Words that another file has replaced do not come back when that file goes.
        try lose("dogs/howdy.png.sticker.json")
        #expect(try sticker("wave", in: "dogs").title == "howdy")
        #expect(try sticker("wave", in: "dogs").keywords == ["hi"])
    }

    /// A list of pictures says nothing about them but their order.
    @Test func orderTakesNoWordsAway() throws {
        try library.make("cats/wave.png")
        try library.make("cats/nap.png", 2)
        try say("cats/category.json", #"{"order": ["wave.png"]}"#)
        try say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        try rename("cats/wave.png", "cats/zed.png", 1)
        #expect(try manifest().stickers.map(\.title) == ["Hello", "nap"])
        try say("cats/category.json", #"{"order": ["nap.png", "zed.png"]}"#)
        #expect(try manifest().stickers.map(\.title) == ["nap", "Hello"])
    }

    /// New art under the old name is not what the file spoke of that went with the old picture.
    @Test func fileThatIsGoneSaysNothingAboutWhatTakesTheName() throws {
        try library.make("cats/wave.png")
        try say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        try library.accept(gone: [key("cats/wave.png.sticker.json")])
        try rename("cats/wave.png", "cats/old.png", 1)
        try library.make("cats/wave.png", 5)
        #expect(try manifest().stickers.map(\.title) == ["Hello", "wave"])
        #expect(try sticker("wave_2").source.keptWords == nil)
    }

    @Test func wordsOfAMovedPictureStayWhenOtherFilesAreMovedToItsName() throws {
        try library.make("cats/a.png")
        try library.make("cats/b.png", 2)
        try say("cats/category.json", #"{"stickers": {"a.png": {"title": "Apple"}}}"#)
        try say("cats/b.png.sticker.json", #"{"title": "Bee"}"#)
        try library.accept(gone: [key("cats/b.png.sticker.json")])
        try rename("cats/b.png", "cats/c.png", 2)
        try rename("cats/a.png", "cats/b.png", 1)
        #expect(try manifest().stickers.map(\.title) == ["Apple", "Bee"])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        #expect(try manifest().stickers.map(\.title) == ["Apple", "Bee"])
    }

    /// The other drop may mean another picture of that name.
    @Test func dropOfThePictureIsHeardFirst() throws {
        try library.make("cats/wave.png")
        try say("cats/category.json", #"{"stickers": {"wave.png": {"title": "Two"}}}"#)
        library.policy.drops = ["/second", "/drop"]
        let other =
            #"{"stickers": {"wave.png": {"title": "One", "rating": "g"}}, "order": ["x.png"]}"#
        try say("cats/category.json", other, drop: "/second")
        let wave = try sticker("wave")
        #expect(wave.title == "Two" && wave.rating == .general)
    }

    @Test func sideFileThatIsRenamedFirstTakesNothingAway() throws {
        try library.make("cats/a.png")
        try say("cats/a.png.sticker.json", #"{"title": "Hello"}"#)
        try library.accept(gone: [key("cats/a.png.sticker.json")])
        try say("cats/b.png.sticker.json", #"{"title": "Hello"}"#)
        #expect(try sticker("a").title == "Hello")
        try rename("cats/a.png", "cats/b.png", 1)
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        #expect(try sticker("a").title == "Hello")
        try say("cats/b.png.sticker.json", #"{"title": "Hello again"}"#)
        #expect(try sticker("a").title == "Hello again" && sticker("a").source.keptWords == nil)
    }

    @Test func stickerThatComesBackHasItsWords() throws {
        try library.make("cats/wave.png")
        try say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        _ = try manifest()
        // The side file goes first.
        try library.accept(gone: [key("cats/wave.png.sticker.json")])
        library.time.advance(.seconds(30))
        try lose("cats/wave.png")
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        #expect(try manifest().stickers.isEmpty)

        #expect(
            try library.store.operations.restore(StickerID(rawValue: "wave"))
                == .done(CategoryID(rawValue: "cats")))
        #expect(try sticker("wave").title == "Hello")
        try library.make("dogs/other.png")
        #expect(try sticker("wave", in: "dogs").title == "Hello")
    }

    // MARK: Coming and going

    @Test func wordsMayComeBeforeTheirPictures() throws {
        try say("cats/category.json", #"{"title": "Cats", "stickers": {"a.png": {"title": "A"}}}"#)
        try say("cats/b.png.sticker.json", #"{"title": "B"}"#)
        #expect(try library.store.catalog.dirtyCategories().isEmpty)

        try library.make("cats/a.png")
        try library.make("cats/b.png", 2)
        #expect(try manifest().stickers.map(\.title) == ["A", "B"])
        #expect(try manifest().title == "Cats")
    }

    /// Otherwise pictures of a large library would be published under their names first.
    @Test func wordsThatAScanFindsGoBeforePictures() throws {
        for name in ["a.png", "b.png", "category.json", "z.png.sticker.json"] {
            try library.accept(sighting("cats/\(name)", 1, .scan))
        }
        library.time.advance(.seconds(5))
        let first = try library.claim(2).map { String(decoding: $0.source.name, as: UTF8.self) }
        #expect(Set(first) == ["category.json", "z.png.sticker.json"])
    }

    @Test func lastGoodStateStaysUntilTheGraceOfItsFileEnds() throws {
        try library.make("cats/a.png")
        try say("cats/a.png.sticker.json", #"{"title": "A cat"}"#)
        try library.accept(sighting("cats/a.png.sticker.json", 77))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.invalidWords, "line 1", remedy: "correct it")
        try library.finish(job, .refused(refusal, content: nil))
        #expect(try sticker("a").title == "A cat")

        try library.accept(gone: [key("cats/a.png.sticker.json")])
        library.time.advance(.seconds(59))
        _ = try library.store.catalog.expireMissing()
        #expect(try sticker("a").title == "A cat")
        library.time.advance(.seconds(1))
        let expiry = try library.store.catalog.expireMissing()
        #expect(expiry.changedCategories == [CategoryID(rawValue: "cats")])
        #expect(expiry.removed.isEmpty)
        #expect(try sticker("a").title == "a")
    }

    @Test func faultCostsItsEntryAndNeedsAttention() throws {
        try library.make("cats/a.png")
        try library.make("cats/b.png", 2)
        try say("cats/category.json", #"{"stickers": {"a.png": {"title": "A", "rating": "r"}}}"#)
        try say(
            "cats/category.json",
            #"{"title": 5, "stickers": {"a.png": {"title": ""}, "b.png": {"title": "B"}}}"#)

        #expect(try sticker("a").title == "A" && sticker("a").rating == nil)
        #expect(try sticker("b").title == "B")
        var filter = JobFilter()
        filter.needingAttention = true
        let refused = try library.store.operations.jobs(filter, limit: 9)
        #expect(refused.map(\.file) == ["cats/category.json"])
        #expect(refused.first?.refusal?.reason == .invalidWords)

        try say("cats/category.json", #"{"stickers": {"b.png": {"title": "C"}}}"#)
        #expect(try sticker("a").title == "a" && sticker("b").title == "C")
        #expect(try library.store.operations.jobs(filter, limit: 9).isEmpty)
    }

    @Test func faultBesideAPictureKeepsWhatWasSaid() throws {
        try library.make("cats/a.png")
        try say("cats/a.png.sticker.json", #"{"title": "A", "emojis": "😀"}"#)
        try say("cats/a.png.sticker.json", #"{"title": "B", "emojis": "x"}"#)
        #expect(try sticker("a").title == "B" && sticker("a").emojis == ["😀"])
        try say("cats/emoji.txt", #"{"a": "🎉", "b": 5}"#)
        try say("cats/a.png.sticker.json", #"{"title": "B"}"#)
        #expect(try sticker("a").emojis == ["🎉"])
    }

    @Test func wordsAreHeldWithTheirPictures() throws {
        for number in 0..<12 { try library.make("cats/\(number).png", number) }
        try say("cats/category.json", #"{"title": "Cats", "defaults": {"rating": "r"}}"#)
        try say("cats/3.png.sticker.json", #"{"title": "Three"}"#)
        _ = try library.store.queue.folderGone(drop: "/drop", directory: Array("cats".utf8))
        library.time.advance(.seconds(100))

        #expect(try library.store.catalog.expireMissing().held.count == 1)
        library.time.advance(.seconds(1000))
        #expect(try library.store.catalog.expireMissing().changedCategories.isEmpty)
        #expect(try manifest().title == "Cats")
        #expect(try sticker("3").title == "Three" && sticker("5").rating == .restricted)
    }

    @Test func holdEndsWithItsPicturesWhateverBecomesOfWords() throws {
        for number in 0..<4 { try library.make("cats/\(number).png", number) }
        try say("cats/category.json", #"{"title": "Cats"}"#)
        _ = try library.store.queue.folderGone(drop: "/drop", directory: Array("cats".utf8))
        #expect(try library.store.catalog.holdEmptied(drop: "/drop")?.missing == 4)
        for number in 0..<4 { try library.accept(sighting("cats/\(number).png", Int64(number))) }
        #expect(try library.store.catalog.expireMissing().lifted.count == 1)

        try say("dogs/title.txt", "Dogs", drop: "/second")
        _ = try library.store.queue.folderGone(drop: "/second", directory: Array("dogs".utf8))
        #expect(try library.store.catalog.holdEmptied(drop: "/second") == nil)
    }

    @Test func sideFileThatIsKnownIsNoNews() throws {
        try say("cats/title.txt", "Cats")
        var seen = sighting("cats/title.txt", 4)
        seen.version.ctime = Int64(abs("Cats".hashValue % 1_000_000))
        #expect(try library.store.sources.news(among: [seen]).isEmpty)
        seen.version.ctime += 1
        #expect(try library.store.sources.news(among: [seen]).count == 1)
    }

    @Test func onlyWhatIsSaidOtherwiseIsWrittenAgain() throws {
        try library.make("cats/a.png")
        try library.make("cats/b.png", 2)
        try say("cats/category.json", #"{"stickers": {"a.png": {"title": "A"}}}"#)
        let before = try (sticker("a").changedAt, sticker("b").changedAt)
        library.time.advance(.seconds(100))
        try say("cats/category.json", #"{"stickers":  {"a.png": {"title": "A"}}}"#)
        #expect(try library.store.catalog.dirtyCategories().isEmpty)
        try say("cats/category.json", #"{"stickers": {"b.png": {"title": "B"}}}"#)
        #expect(try sticker("a").changedAt != before.0 && sticker("b").changedAt != before.1)
        #expect(try manifest().stickers.map(\.title) == ["a", "B"])
    }

    /// However many stickers a file speaks of, no transaction encodes them all, and a crash forgets none.
    @Test func entriesAreEncodedInBatchesBeforeTheManifestIsWritten() throws {
        let statements = Mutex<[String]>([])
        let library = try Library { text in statements.withLock { $0.append(text) } }
        for number in 0..<450 { try library.make("cats/\(number).png", number) }
        try library.say("cats/category.json", #"{"defaults": {"rating": "g"}}"#)
        let cats = CategoryID(rawValue: "cats")
        #expect(try library.store.catalog.dirtyCategories() == [cats])
        statements.withLock { $0 = [] }

        _ = try library.publisher().publish(cats)

        #expect(try library.manifest("cats").stickers.allSatisfy { $0.rating == .general })
        #expect(try library.store.catalog.dirtyCategories().isEmpty)
        let transactions = statements.withLock { $0 }.split { $0.hasPrefix("BEGIN") }
        let encoded = transactions.map { $0.count { $0.contains("UPDATE sticker SET entry") } }
        #expect(encoded.filter { $0 > 0 } == [200, 200, 50])
    }

    @Test func entriesAreEncodedAfterACrash() throws {
        try library.make("cats/wave.png")
        _ = try manifest()
        try say("cats/category.json", #"{"defaults": {"rating": "g"}}"#)
        try library.reopen()
        #expect(try library.publisher().missingOrDirty() == [CategoryID(rawValue: "cats")])
        _ = try library.publisher().publish(CategoryID(rawValue: "cats"))
        #expect(try library.manifest("cats").stickers.first?.rating == .general)
    }

    /// More than one transaction notes.
    @Test func wordsAboutManyPicturesAreNotedInPieces() throws {
        try library.make("cats/a.png", 1)
        let others = (0..<1_200).map { "\"\($0).png\": {\"title\": \"T\"}" }
        func text(_ title: String) -> String {
            let all = others + [#""a.png": {"title": "\#(title)"}"#]
            return "{\"stickers\": {\(all.joined(separator: ", "))}}"
        }
        try say("cats/category.json", text("First"))
        #expect(try sticker("a").title == "First")
        try say("cats/category.json", text("Second"))
        #expect(try sticker("a").title == "Second")
        try say("cats/category.json", "{}")
        #expect(try sticker("a").title == "a")
        #expect(try library.store.read { try $0.count("SELECT count(*) FROM words") } == 0)
    }

    /// A newer state of the file is waiting, or it is gone.
    @Test func wordsThatAreOutOfDateAreNotNoted() throws {
        let path = "cats/category.json"
        let words = try SideFile.category.words(in: Array(#"{"title": "Old"}"#.utf8))
        try library.accept(sighting(path, 1))
        let first = try #require(try library.claim().first)
        try library.accept(sighting(path, 2))
        #expect(try library.store.catalog.note(words, of: first) == nil)
        try library.finish(first, .said(changed: [], content: hash(1)))
        let second = try #require(try library.claim().first)
        try library.accept(gone: [key(path)])
        #expect(try library.store.catalog.note(words, of: second) == nil)
        #expect(try library.store.read { try $0.count("SELECT count(*) FROM words") } == 0)
    }

    /// A daemon that ends in between reads the file again.
    @Test func wordsThatWereNotedAndNotBookedAreShown() throws {
        try library.make("cats/a.png", 1)
        _ = try manifest()
        let words = try SideFile.category.words(in: Array(#"{"title": "New"}"#.utf8))
        try library.accept(sighting("cats/category.json", 2))
        let job = try #require(try library.claim().first)
        let changed = try library.store.catalog.note(words, of: job)
        #expect(changed == [CategoryID(rawValue: "cats")])
        #expect(try library.store.catalog.note(words, of: job) == changed, "it is not shown yet")
        #expect(try manifest().title == "New")
        #expect(try library.store.catalog.note(words, of: job) == [])
    }

    /// Those about single pictures leave no other trace than entries that are out of date.
    @Test func wordsOfPicturesThatWereNotedAndNotBookedAreShown() throws {
        try library.make("cats/a.png", 1)
        _ = try manifest()
        let words = try SideFile.category.words(
            in: Array(#"{"stickers": {"a.png": {"title": "New"}}}"#.utf8))
        try library.accept(sighting("cats/category.json", 2))
        let job = try #require(try library.claim().first)
        let changed = try library.store.catalog.note(words, of: job)
        #expect(changed == [CategoryID(rawValue: "cats")])
        #expect(try library.store.catalog.note(words, of: job) == changed, "it is not shown yet")
        #expect(try manifest().stickers.map(\.title) == ["New"])
        #expect(try library.store.catalog.note(words, of: job) == [])
    }

    /// It may come back as it was before its job is booked.
    @Test func fileThatIsGoneIsNotHeard() throws {
        try library.make("cats/a.png", 1)
        let words = try SideFile.category.words(in: Array(#"{"title": "New"}"#.utf8))
        try library.accept(sighting("cats/category.json", 2))
        let job = try #require(try library.claim().first)
        try library.accept(gone: [key("cats/category.json")])

        #expect(try library.store.catalog.note(words, of: job) == nil)
    }

    @Test func namesInSeveralTransactionsAreAllShown() throws {
        for number in 0..<3 { try library.make("cats/\(number).png", number + 1) }
        _ = try manifest()
        var stickers = (0..<1200).map { "\"x\($0).png\": {\"title\": \"X\"}" }
        stickers += (0..<3).map { "\"\($0).png\": {\"title\": \"Title \($0)\"}" }
        let json = "{\"title\": \"New\", \"stickers\": {\(stickers.joined(separator: ","))}}"
        let words = try SideFile.category.words(in: Array(json.utf8))
        try library.accept(sighting("cats/category.json", 9))
        let job = try #require(try library.claim().first)

        #expect(try library.store.catalog.note(words, of: job) == [CategoryID(rawValue: "cats")])
        let shown = try manifest()
        #expect(shown.title == "New")
        #expect(shown.stickers.map(\.title) == ["Title 0", "Title 1", "Title 2"])
    }

    @Test func renamedFolderTakesItsWordsAlong() throws {
        let disk = try DropsOnDisk(library)
        try disk.fill("drop/cats")
        try disk.scan("drop")
        try disk.publish()
        let file = disk.path("drop/cats/category.json")
        try Data(#"{"title": "Words"}"#.utf8).write(to: URL(filePath: file))
        try disk.scan("drop")
        library.time.advance(.seconds(5))
        while let job = try library.claim().first {
            let words = try SideFile.category.words(in: Array(#"{"title": "Words"}"#.utf8))
            let changed = try library.store.catalog.note(words, of: job) ?? []
            try library.finish(job, .said(changed: changed, content: hash(1)))
        }
        try disk.rename("drop/cats", to: "drop/felines")
        try disk.scan("drop")

        #expect(try manifest().title == "Words" && manifest().folder == "felines")
        #expect(try library.store.operations.status().waiting == 0)
    }
}
