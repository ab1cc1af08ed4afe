import Foundation
import StickerTestSupport
import Testing

@testable import StickerStore
@testable import StickerValues

/// A picture that replaces one of the same folder and stem in another format is its next version.
struct SuccessionTests {
    private let library: Library
    private let publisher: CatalogPublisher

    init() throws {
        library = try Library()
        publisher = try library.publisher()
    }

    private func lose(_ paths: String...) throws { try library.accept(gone: paths.map { key($0) }) }

    private func expire(after time: Duration) throws -> Expiry {
        library.time.advance(time)
        return try library.store.catalog.expireMissing()
    }

    /// Every sticker of the category, as `id title from file`.
    private func stickers() throws -> [String] {
        _ = try publisher.publish(CategoryID(rawValue: "cats"))
        return try library.manifest("cats").stickers.map {
            "\($0.identifier) \($0.title) from \($0.source.name)"
        }
    }

    private func removed() throws -> [String: String?] {
        try publisher.publishRemovals()
        let file = library.out + "/" + RemovedStickers.fileName
        guard let data = FileManager.default.contents(atPath: file) else { return [:] }
        let list = try JSONDecoder().decode(RemovedStickers.self, from: data).removed
        return Dictionary(
            uniqueKeysWithValues: list.map { ($0.identifier.rawValue, $0.successor?.rawValue) })
    }

    @Test(arguments: [("png", "webp"), ("jpg", "jpeg"), ("gif", "apng"), ("png", "svg")])
    func pictureThatLeftIsContinued(from old: String, by new: String) throws {
        try library.make("cats/wave.\(old)", 1)
        try lose("cats/wave.\(old)")
        library.time.advance(.seconds(30))

        try library.make("cats/wave.\(new)", 2)

        #expect(try stickers() == ["wave wave from wave.\(new)"])
        #expect(try library.manifest("cats").stickers.first?.source.sha256 == hash(2))
        _ = try expire(after: .seconds(120))
        #expect(try removed().isEmpty)
        #expect(try stickers().count == 1)
    }

    @Test func newcomerTakesTheIDOfWhatLeavesLater() throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        let job = try library.make("cats/wave.webp", 2)
        #expect(job.sticker?.rawValue == "wave_2")
        #expect(try stickers().count == 2)
        library.time.advance(.seconds(30))
        try lose("cats/wave.png")
        #expect(try expire(after: .milliseconds(999)).renamed.isEmpty)

        let expiry = try expire(after: .milliseconds(1))

        #expect(expiry.renamed.map(\.sticker.rawValue) == ["wave"])
        #expect(expiry.changedCategories == [CategoryID(rawValue: "cats")])
        #expect(try stickers() == ["wave wave from wave.webp"])
        #expect(try removed() == ["wave_2": "wave"])
        #expect(try library.manifest("cats").stickers.first?.source.sha256 == hash(2))
    }

    @Test func formerNamesAndIDsLeadToTheSticker() throws {
        try library.make("cats/deep/wave.png", 1)
        library.time.advance(.seconds(600))
        try library.make("cats/deep/wave.webp", 2)
        try lose("cats/deep/wave.png")
        let renamed = try expire(after: .seconds(1)).renamed
        #expect(renamed.map(\.isSameFile) == [false])

        for name in ["wave.png", "cats/deep/wave.png", "/drop/cats/deep/wave.png"] {
            let story = try #require(try library.store.operations.story(of: name), "\(name)")
            #expect(story.sticker.rawValue == "wave" && story.file == "cats/deep/wave.webp")
            #expect(story.formerFile == "cats/deep/wave.png" && story.formerSticker == nil)
        }
        let story = try #require(try library.store.operations.story(of: "wave_2"))
        #expect(story.sticker.rawValue == "wave" && story.formerSticker?.rawValue == "wave_2")
        #expect(try library.store.operations.story(of: "wave")?.formerFile == nil)
        #expect(try library.store.operations.story(of: "cats/wave.png") == nil)

        // Another picture has the name now.
        try library.make("cats/deep/wave.png", 3)
        #expect(try library.store.operations.story(of: "cats/deep/wave.png")?.formerFile == nil)
    }

    @Test func newcomerThatNobodySawLeavesNoTrace() throws {
        try library.make("cats/wave.png", 1)
        try library.accept(sighting("cats/wave.webp", 2, .scan))
        try lose("cats/wave.png")
        _ = try expire(after: .seconds(1))
        #expect(try stickers() == ["wave wave from wave.webp"])
        #expect(try library.manifest("cats").stickers.first?.source.sha256 == hash(1))

        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(2), content: hash(2)))

        #expect(try stickers() == ["wave wave from wave.webp"])
        #expect(try library.manifest("cats").stickers.first?.source.sha256 == hash(2))
        #expect(try removed().isEmpty)
    }

    @Test func aNewcomerThatLeavesAtOnceMakesRoomForTheNext() throws {
        try library.make("cats/wave.png", 1)
        try library.accept(sighting("cats/wave.webp", 2, .scan), gone: [key("cats/wave.png")])
        try library.accept(sighting("cats/wave.gif", 3, .scan))
        try lose("cats/wave.webp")
        _ = try expire(after: .seconds(1))
        _ = try expire(after: .seconds(1))

        #expect(try stickers() == ["wave wave from wave.gif"])
    }

    @Test func ofTwoThatLeftNeitherIsContinued() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/wave.gif", 2)
        try lose("cats/wave.png", "cats/wave.gif")
        #expect(try library.make("cats/wave.webp", 3).sticker?.rawValue == "wave_3")
        #expect(try expire(after: .seconds(60)).removed.count == 2)
    }

    @Test func twoThatLeaveTogetherHaveNoHeir() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/wave.gif", 2)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 3)
        try lose("cats/wave.png", "cats/wave.gif")
        #expect(
            try expire(after: .seconds(60)).removed.map(\.sticker.rawValue) == ["wave", "wave_2"])
        #expect(try stickers() == ["wave_3 wave from wave.webp"])
    }

    @Test func ofTwoThatLeftOneIsContinuedOnceTheOtherIsBack() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/wave.gif", 2)
        library.time.advance(.seconds(600))
        try lose("cats/wave.png", "cats/wave.gif")
        try library.make("cats/wave.webp", 3)

        try library.accept(sighting("cats/wave.gif", 2))

        #expect(try expire(after: .seconds(1)).renamed.map(\.sticker.rawValue) == ["wave"])
        #expect(
            try Set(stickers()) == ["wave wave from wave.webp", "wave_2 wave from wave.gif"])
    }

    @Test func ofTwoThatLeftOneIsContinuedOnceTheOtherIsFoundElsewhere() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/wave.gif", 2)
        library.time.advance(.seconds(600))
        try lose("cats/wave.png", "cats/wave.gif")
        try library.make("cats/wave.webp", 3)

        var found = sighting("cats/dance.gif", 2)
        found.version = sighting("cats/wave.gif", 2).version
        try library.accept(found)

        #expect(try expire(after: .seconds(1)).renamed.map(\.sticker.rawValue) == ["wave"])
        #expect(
            try Set(stickers()) == ["wave wave from wave.webp", "wave_2 dance from dance.gif"])
    }

    @Test func ofTwoNewcomersTheFirstIsTheHeir() throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 2)
        try library.make("cats/wave.gif", 3)
        try lose("cats/wave.png")
        _ = try expire(after: .seconds(1))
        #expect(
            try stickers() == ["wave_3 wave from wave.gif", "wave wave from wave.webp"])
    }

    @Test func whoeverStaysOrComesBackKeepsTheID() throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 2)
        try lose("cats/wave.png")
        library.time.advance(.milliseconds(500))
        try library.accept(sighting("cats/wave.png", 1))

        #expect(try expire(after: .seconds(120)).renamed.isEmpty)
        #expect(
            try stickers() == ["wave wave from wave.png", "wave_2 wave from wave.webp"])
    }

    @Test func nobodyContinuesWhatLeftLongBeforeOrAfter() throws {
        try library.make("cats/wave.png", 1)
        try lose("cats/wave.png")
        _ = try expire(after: .seconds(60))
        #expect(try library.make("cats/wave.webp", 2).sticker?.rawValue == "wave_2")

        library.time.advance(.seconds(61))
        #expect(try library.make("cats/wave.gif", 3).sticker?.rawValue == "wave_3")
        library.time.advance(.seconds(61))
        try lose("cats/wave.webp")
        #expect(try expire(after: .seconds(60)).removed.map(\.sticker.rawValue) == ["wave_2"])
    }

    @Test func fileThatWasRenamedIsNoNewcomer() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/other.webp", 2)
        library.time.advance(.seconds(600))
        var moved = sighting("cats/wave.webp", 2)
        moved.version = sighting("cats/other.webp", 2).version
        try library.accept(moved, gone: [key("cats/other.webp")])
        try lose("cats/wave.png")
        #expect(try expire(after: .seconds(60)).removed.map(\.sticker.rawValue) == ["wave"])
        #expect(try stickers() == ["other wave from wave.webp"])
    }

    /// A converter writes under another name, or elsewhere, first.
    @Test(arguments: ["cats/tmp2.webp", "cats/webp/wave.webp", "dogs/wave.webp"])
    func newcomerStaysOneWhenItIsRenamed(from path: String) throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        let own = try #require(try library.make(path, 2).sticker)
        var moved = sighting("cats/wave.webp", 2)
        moved.version = sighting(path, 2).version
        try library.accept(moved, gone: [key(path)])
        library.time.advance(.seconds(20))
        try lose("cats/wave.png")

        #expect(try expire(after: .seconds(1)).renamed.map(\.sticker.rawValue) == ["wave"])

        #expect(try stickers() == ["wave wave from wave.webp"])
        #expect(try removed() == [own.rawValue: "wave"])
    }

    /// A file that left while no daemon ran may have left at once.
    @Test(arguments: [(10, true), (100, false)])
    func whatLeftWhileNoDaemonRanIsContinued(secondsBefore: Int, isContinued: Bool) throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 2)
        library.time.advance(.seconds(secondsBefore))
        try library.store.queue.noteAlive()
        library.time.advance(.seconds(3600))
        try library.reopen()
        _ = try library.store.queue.recover()

        _ = try library.store.queue.accept([], gone: [key("cats/wave.png")], byScanOf: "/drop")
        library.store.sources.scanEnded(ofDrop: "/drop")

        #expect(try !expire(after: .seconds(1)).renamed.isEmpty == isContinued)
        // From now on it is known when a file leaves.
        try library.make("cats/nap.png", 3)
        library.time.advance(.seconds(600))
        try library.make("cats/nap.webp", 4)
        library.time.advance(.seconds(100))
        _ = try library.store.queue.accept([], gone: [key("cats/nap.png")], byScanOf: "/drop")
        library.store.sources.scanEnded(ofDrop: "/drop")
        #expect(try expire(after: .seconds(1)).renamed.isEmpty)
    }

    @Test func lettersWithAccentsAreTheSameHoweverTheyAreWritten() throws {
        try library.make("cats/u\u{308}ber.png", 1)
        try lose("cats/u\u{308}ber.png")
        try library.make("cats/\u{FC}ber.webp", 2)
        _ = try expire(after: .seconds(1))
        #expect(try stickers().count == 1)
        #expect(try stickers()[0].hasPrefix("uber "))
    }

    /// The rest of a scan may find it under another name.
    @Test func whatAScanMissedIsNotContinuedBeforeItEnds() throws {
        try library.make("cats/wave.png", 1)
        _ = try library.store.queue.accept([], gone: [key("cats/wave.png")], byScanOf: "/drop")
        library.time.advance(.seconds(2))
        try library.make("cats/wave.webp", 2)
        #expect(try expire(after: .seconds(2)).renamed.isEmpty)
        var found = sighting("zoo/hello.png", 1)
        found.version = sighting("cats/wave.png", 1).version
        try library.accept(found)
        library.store.sources.scanEnded(ofDrop: "/drop")

        #expect(try expire(after: .seconds(60)).renamed.isEmpty)
        _ = try publisher.publish(CategoryID(rawValue: "zoo"))
        #expect(try stickers() == ["wave_2 wave from wave.webp"])
        #expect(try library.manifest("zoo").stickers.map(\.identifier.rawValue) == ["wave"])
    }

    @Test func whatAScanMissedIsContinuedOnceItEnds() throws {
        try library.make("cats/wave.png", 1)
        _ = try library.store.queue.accept([], gone: [key("cats/wave.png")], byScanOf: "/drop")
        library.time.advance(.seconds(2))
        try library.make("cats/wave.webp", 2)
        // Longer than the grace.
        #expect(try expire(after: .seconds(100)).removed.isEmpty)
        #expect(try stickers().count == 2)

        library.store.sources.scanEnded(ofDrop: "/drop")

        #expect(try expire(after: .zero).renamed.map(\.sticker.rawValue) == ["wave"])
        #expect(try stickers() == ["wave wave from wave.webp"])
    }

    @Test func anOlderPictureDoesNotTakeTheIDOfAYoungerOne() throws {
        try library.make("cats/wave.webp", 1)
        library.time.advance(.seconds(10))
        try library.make("cats/wave.png", 2)
        library.time.advance(.seconds(10))
        try lose("cats/wave.png")

        #expect(try expire(after: .seconds(60)).removed.map(\.sticker.rawValue) == ["wave_2"])
        #expect(try stickers() == ["wave wave from wave.webp"])
    }

    @Test func whatItsOwnJobFindsMissingIsContinued() throws {
        try library.make("cats/wave.png", 1)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 2)
        try library.accept(sighting("cats/wave.png", 3))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .cancelled(.vanished))
        try lose("cats/wave.png")

        #expect(try expire(after: .seconds(1)).renamed.map(\.sticker.rawValue) == ["wave"])
    }

    @Test func bytesThatComeBackTellMoreThanAName() throws {
        try library.make("dogs/hello.webp", 7)
        try lose("dogs/hello.webp")
        _ = try expire(after: .seconds(60))
        try library.make("cats/wave.png", 1)
        try lose("cats/wave.png")

        try library.make("cats/wave.webp", 7)

        #expect(try stickers().contains("hello wave from wave.webp"))
        #expect(try expire(after: .seconds(60)).removed.map(\.sticker.rawValue) == ["wave"])
    }

    @Test func aFileThatIsRefusedKeepsTheLastPicture() throws {
        try library.make("cats/wave.png", 1)
        try lose("cats/wave.png")
        try library.accept(sighting("cats/wave.webp", 2))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "its data is damaged", remedy: "export it again")
        try library.finish(job, .refused(refusal, content: hash(2)))

        _ = try expire(after: .seconds(120))

        #expect(try stickers() == ["wave wave from wave.webp"])
        #expect(try library.manifest("cats").stickers.first?.source.sha256 == hash(1))
        #expect(try library.store.operations.status().needAttention == 1)
    }

    @Test func otherFoldersAndStemsAndTemplatesAreOthers() throws {
        try library.make("cats/wave.png", 1)
        try lose("cats/wave.png")
        #expect(try library.make("dogs/wave.webp", 2).sticker?.rawValue == "wave_2")
        #expect(try library.make("cats/wave.2.webp", 3).sticker?.rawValue != "wave")
        #expect(try library.make("cats/Wave.webp", 4).sticker?.rawValue == "wave_3")
        #expect(try library.make("cats/wave.smart.svg", 5).sticker?.rawValue == "wave_4")
    }

    @Test func formatsMayChangeInAChainAndBack() throws {
        try library.make("cats/wave.png", 1)
        for (content, format) in ["webp", "gif", "png"].enumerated() {
            let former = content == 0 ? "png" : ["webp", "gif"][content - 1]
            try lose("cats/wave.\(former)")
            try library.make("cats/wave.\(format)", content + 2)
            #expect(try stickers() == ["wave wave from wave.\(format)"])
        }
        _ = try expire(after: .seconds(120))
        #expect(try removed().isEmpty)
    }

    /// A conversion of a whole folder is no deletion that nobody believes.
    @Test func manyAtOnceAreNotHeld() throws {
        for number in 0..<20 { try library.make("cats/\(number).png", number) }
        library.time.advance(.seconds(600))
        for number in 0..<20 { try library.make("cats/\(number).webp", 100 + number) }
        _ = try library.store.queue.accept([], gone: (0..<20).map { key("cats/\($0).png") })
        #expect(try expire(after: .milliseconds(10)).held.isEmpty)
        let expiry = try expire(after: .seconds(1))
        #expect(expiry.renamed.count == 20 && expiry.held.isEmpty && expiry.removed.isEmpty)
        #expect(
            Set(try stickers().map { $0.split(separator: " ")[0] }) == Set((0..<20).map { "\($0)" })
        )
    }

    // MARK: Words

    private func title(_ id: String) throws -> String? {
        _ = try publisher.publish(CategoryID(rawValue: "cats"))
        return try library.manifest("cats").stickers.first { $0.identifier.rawValue == id }?.title
    }

    @Test func wordsBesideTheFormerNameHold() throws {
        try library.make("cats/wave.png", 1)
        try library.make("cats/apple.png", 9)
        try library.say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        try library.say(
            "cats/category.json", #"{"stickers": {"wave.png": {"keywords": ["hi"]}}}"#)
        try lose("cats/wave.png")
        try library.make("cats/wave.webp", 2)
        #expect(try title("wave") == "Hello")

        try library.say("cats/wave.png.sticker.json", #"{"title": "Good morning"}"#)
        #expect(try title("wave") == "Good morning")
        let wave = try library.manifest("cats").stickers.first { $0.identifier.rawValue == "wave" }
        #expect(wave?.keywords == ["hi"])

        try library.say("cats/wave.webp.sticker.json", #"{"title": "Its own"}"#)
        #expect(try title("wave") == "Its own")
    }

    @Test func wordsThatAreTakenBackAreGone() throws {
        try library.make("cats/wave.png", 1)
        try library.say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        library.time.advance(.seconds(600))
        try library.make("cats/wave.webp", 2)
        try lose("cats/wave.png")
        _ = try expire(after: .seconds(1))
        #expect(try title("wave") == "Hello")
        try lose("cats/wave.png.sticker.json")
        _ = try expire(after: .seconds(60))
        #expect(try title("wave") == "wave")
    }

    @Test func aNewPictureOfTheFormerNameIsToldByItsFile() throws {
        try library.make("cats/wave.png", 1)
        try library.say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        try lose("cats/wave.png")
        try library.make("cats/wave.webp", 2)
        try library.make("cats/wave.png", 3)
        #expect(try title("wave") == "Hello" && title("wave_3") == "Hello")

        try library.say("cats/wave.png.sticker.json", #"{"title": "Two"}"#)
        #expect(try title("wave") == "Hello" && title("wave_3") == "Two")
    }

    @Test func wordsFollowWhenTheSuccessorIsRenamed() throws {
        try library.make("cats/wave.png", 1)
        try library.say("cats/wave.png.sticker.json", #"{"title": "Hello"}"#)
        try lose("cats/wave.png")
        try library.make("cats/wave.webp", 2)
        var moved = sighting("cats/hello.webp", 2)
        moved.version = sighting("cats/wave.webp", 2).version
        try library.accept(moved, gone: [key("cats/wave.webp")])
        #expect(try title("wave") == "Hello")
        try library.say("cats/wave.png.sticker.json", #"{"title": "Ghost"}"#)
        #expect(try title("wave") == "Hello")
    }
}
