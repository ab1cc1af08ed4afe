import Foundation
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

private let cats = CategoryID(rawValue: "cats")

/// The only ways in which an id changes, both asked for.
struct PassIDTests {
    private let library: Library
    private let publisher: CatalogPublisher

    init() throws {
        library = try Library()
        publisher = try library.publisher()
        try library.make("cats/tom.png", 1)
    }

    private func shown() throws -> [String] {
        _ = try publisher.publish(cats)
        return try library.manifest("cats").stickers.map(\.identifier.rawValue)
    }

    private func removed() throws -> [String] {
        try publisher.publishRemovals()
        let data = Data(try library.folder.contents("out/_removed.json"))
        return try JSONDecoder().decode(RemovedStickers.self, from: data)
            .removed.map(\.identifier.rawValue)
    }

    private func remove(_ path: String) throws {
        try library.accept(gone: [key(path)])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
    }

    @Test func newIDIsMadeOfTheNameAndTheOldOneIsGoneForEver() throws {
        let id = StickerID(rawValue: "tom_2")
        #expect(try library.store.operations.giveNewID(to: "cats/tom.png") == .passed(id, cats))

        #expect(try shown() == ["tom_2"])
        #expect(try removed() == ["tom"])
        #expect(try library.store.operations.status().waiting == 0)
        // Neither a copy nor the file that comes back takes the old one.
        try library.make("cats/copy.png", 1)
        #expect(try shown().sorted() == ["copy", "tom_2"])
        try remove("cats/tom.png")
        try library.make("dogs/other.png", 1)
        #expect(try library.store.operations.story(of: "dogs/other.png")?.sticker == id)
        #expect(try library.store.operations.trash().isEmpty)
    }

    @Test func otherArtTakesTheIDOfWhatIsGone() throws {
        try remove("cats/tom.png")
        try library.make("cats/tom.png", 2)
        #expect(try shown() == ["tom_2"])
        let tom = StickerID(rawValue: "tom")

        #expect(try library.store.operations.pass(tom, to: "tom_2") == .passed(tom, cats))

        #expect(try shown() == ["tom"])
        #expect(try library.manifest("cats").stickers[0].source.sha256 == hash(2))
        #expect(try removed() == ["tom_2"])
        // The former art does not take it away again.
        try library.make("cats/former.png", 1)
        #expect(try shown().sorted() == ["former", "tom"])
        #expect(try removed() == ["tom_2"])
    }

    @Test func idsInUseAreNotGivenAway() throws {
        try library.make("cats/jerry.png", 2)
        let jerry = StickerID(rawValue: "jerry")

        #expect(try library.store.operations.pass(jerry, to: "tom") == .taken)
        #expect(
            try library.store.operations.pass(StickerID(rawValue: "never"), to: "tom") == .taken)
        #expect(try library.store.operations.giveNewID(to: "nobody") == .unknown)
        try library.accept(gone: [key("cats/jerry.png")])
        #expect(try library.store.operations.pass(jerry, to: "tom") == .taken)
        #expect(try library.store.operations.giveNewID(to: "jerry") == .unknown)
        #expect(try shown() == ["jerry", "tom"])
    }

    @Test func wordsStayWithThePicture() throws {
        try library.say("cats/tom.png.sticker.json", #"{"title": "Thomas"}"#)
        var renamed = sighting("cats/t.png", 1)
        renamed.version = sighting("cats/tom.png", 1).version
        try library.accept(renamed, gone: [key("cats/tom.png")])
        _ = try library.store.operations.giveNewID(to: "tom")
        _ = try publisher.publish(cats)
        #expect(try library.manifest("cats").stickers.map(\.title) == ["Thomas"])
    }
}
