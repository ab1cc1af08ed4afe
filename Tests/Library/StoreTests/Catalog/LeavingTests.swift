import StickerStore
import StickerTestSupport
import StickerValues
import Testing

private let cats = CategoryID(rawValue: "cats")
private let dogs = CategoryID(rawValue: "dogs")

/// A sticker that moves is for a moment in both manifests, and never in neither.
struct LeavingTests {
    private let library: Library
    private let publisher: CatalogPublisher

    init() throws {
        library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/c.png", 3)
        try library.make("dogs/b.png", 2)
        publisher = try library.publisher()
        for category in [cats, dogs] { _ = try publisher.publish(category) }
    }

    /// Renames the file that was dropped as `first`.
    private func move(
        _ path: String, _ content: Int64, to other: String, first: String? = nil
    ) throws {
        var seen = sighting(other, content)
        seen.version = sighting(first ?? path, content).version
        try library.accept(seen, gone: [key(path)])
    }

    private func shown(_ category: String) throws -> [String] {
        try library.manifest(category).stickers.map(\.identifier.rawValue)
    }

    /// Books the manifest of a category; the categories that are to be written again.
    private func publish(_ category: CategoryID) throws -> Set<CategoryID> {
        try publisher.book([try #require(try publisher.write(category))])
    }

    @Test func sourceShowsItUntilTheTargetDoes() throws {
        try move("cats/a.png", 1, to: "dogs/a.png")
        #expect(try publisher.beingLeft() == [cats])

        #expect(try publish(cats) == [])
        #expect(try shown("cats") == ["a", "c"])
        #expect(try publish(dogs) == [cats])
        #expect(try shown("dogs") == ["a", "b"])

        #expect(try publisher.behind() == [cats])
        #expect(try publish(cats) == [])
        #expect(try shown("cats") == ["c"])
        #expect(try publisher.behind() == [] && publisher.beingLeft() == [])
    }

    @Test func targetThatIsWrittenFirstFreesTheSourceAtOnce() throws {
        try move("cats/a.png", 1, to: "dogs/a.png")

        #expect(try publish(dogs) == [cats])
        #expect(try publish(cats) == [])

        #expect(try shown("cats") == ["c"])
        #expect(try publisher.behind() == [])
    }

    /// The entry of a file that was copied and then deleted, in this order or the other, is the same as before.
    @Test func missingFileThatIsBackUnderItsNameElsewhereIsShownThere() throws {
        try library.accept(gone: [key("cats/a.png")])
        try library.make("dogs/a.png", 1)

        #expect(try publisher.behind() == [cats, dogs])
        #expect(try publish(dogs) == [cats])
        #expect(try publish(cats) == [])

        #expect(try shown("dogs") == ["a", "b"])
        #expect(try shown("cats") == ["c"])
    }

    @Test func categoriesMayExchangeStickers() throws {
        try move("cats/a.png", 1, to: "dogs/a.png")
        try move("dogs/b.png", 2, to: "cats/b.png")

        #expect(try publish(cats) == [dogs])
        #expect(try shown("cats") == ["a", "b", "c"])
        #expect(try publish(dogs) == [cats])
        #expect(try shown("dogs") == ["a"])
        #expect(try publish(cats) == [])
        #expect(try shown("cats") == ["b", "c"])
    }

    @Test func manifestThatWasReadBeforeTheMoveFreesNothing() throws {
        let before = try #require(try publisher.write(dogs))
        try move("cats/a.png", 1, to: "dogs/a.png")

        #expect(try publisher.book([before]) == [])
        #expect(try publisher.beingLeft() == [cats])
    }

    @Test func stickerThatComesBackWasNeverAway() throws {
        try move("cats/a.png", 1, to: "dogs/a.png")
        try move("dogs/a.png", 1, to: "cats/a.png", first: "cats/a.png")

        #expect(try publisher.beingLeft() == [])
        for category in [cats, dogs] { #expect(try publish(category) == []) }
        #expect(try shown("cats") == ["a", "c"] && shown("dogs") == ["b"])
    }

    @Test func stickerThatMovesOnIsShownWhereItWasPublished() throws {
        try library.make("pets/d.png", 4)
        _ = try publisher.publish(CategoryID(rawValue: "pets"))
        try move("cats/a.png", 1, to: "dogs/a.png")
        try move("dogs/a.png", 1, to: "pets/a.png", first: "cats/a.png")

        #expect(try publish(dogs) == [] && shown("dogs") == ["b"])
        #expect(try publish(cats) == [] && shown("cats") == ["a", "c"])
        #expect(try publish(CategoryID(rawValue: "pets")) == [cats])
    }

    @Test func stickerThatIsDeletedOnItsWayIsShownNowhere() throws {
        try move("cats/a.png", 1, to: "dogs/a.png")
        try library.accept(gone: [key("dogs/a.png")])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()

        for category in [cats, dogs, cats] { _ = try publish(category) }

        #expect(try shown("cats") == ["c"] && shown("dogs") == ["b"])
        #expect(try publisher.beingLeft() == [])
    }

    /// A machine that stops between the two manifests, and loses its database.
    @Test(arguments: [cats, dogs]) func rebuildLeavesItWhereItsFileIs(home: CategoryID) throws {
        try move("cats/a.png", 1, to: "dogs/a.png")
        _ = try publisher.write(dogs)
        let files = ["cats/c.png", "dogs/b.png", "\(home)/a.png"]
        for file in files { try library.folder.write("bytes of \(file)", to: "drop/\(file)") }
        let path = library.folder.file("jobs.sqlite")
        try library.store.close()
        _ = try Rebuild.setAside(path)
        let store = try LibraryStore(path: path, policy: library.policy, clock: library.time.clock)

        let rebuilt = try Rebuild.fill(
            store, out: library.out, drops: [library.folder.file("drop")])

        #expect(rebuilt.stickers == 3 && rebuilt.withoutFile == 0)
        let after = try library.publisher(of: store)
        for category in [home, cats, dogs, home] {
            _ = try after.book([try #require(try after.write(category))])
        }
        #expect(try shown("cats") == (home == cats ? ["a", "c"] : ["c"]))
        #expect(try shown("dogs") == (home == dogs ? ["a", "b"] : ["b"]))
    }
}
