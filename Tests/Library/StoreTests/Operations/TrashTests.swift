import Foundation
import StickerTestSupport
import Testing

@testable import StickerStore
@testable import StickerValues

private let cats = CategoryID(rawValue: "cats")
private let a = StickerID(rawValue: "a")

/// A removed sticker can be restored under its id.
struct TrashTests {
    private let library: Library
    private var store: LibraryStore { library.store }

    init() throws {
        library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/b.png", 2)
        try remove("cats/a.png")
    }

    private func remove(_ path: String) throws {
        try library.accept(gone: [key(path)])
        library.time.advance(.seconds(60))
        _ = try store.catalog.expireMissing()
    }

    private func shown() throws -> [ManifestSticker] {
        _ = try library.publisher().publish(cats)
        return try library.manifest("cats").stickers
    }

    @Test func removedStickerIsListed() throws {
        let trash = try store.operations.trash()

        #expect(
            trash == [
                TrashedSticker(
                    sticker: a, title: "a", category: cats, file: "cats/a.png",
                    removedAt: 1_700_000_060_000, keptUntil: 1_702_592_060_000)
            ])
    }

    @Test func restoredStickerHasItsFilesWithoutAJob() throws {
        #expect(try store.operations.restore(a) == .done(cats))

        let sticker = try #require(try shown().first)
        #expect(sticker.identifier == a && sticker.source.missing == true)
        #expect(sticker.files.map(\.sha256) == product(1).files.map(\.sha256))
        #expect(try library.claim().isEmpty && store.operations.trash().isEmpty)
        library.time.advance(.seconds(40 * 86400))
        #expect(try store.catalog.expireMissing().removed.isEmpty)
        #expect(try store.catalog.prune().objects.isEmpty && shown().count == 2)
    }

    @Test func restoringTwiceIsRefused() throws {
        _ = try store.operations.restore(a)

        #expect(try store.operations.restore(a) == .published)
        #expect(try store.operations.restore(StickerID(rawValue: "nobody")) == .unknown)
    }

    @Test func clearedStickerCannotBeRestored() throws {
        library.time.advance(.seconds(31 * 86400))
        _ = try library.publisher().publish(cats)
        _ = try store.catalog.prune()

        #expect(try store.operations.trash().isEmpty)
        #expect(try store.operations.restore(a) == .cleared)
    }

    @Test func sameBytesGiveARestoredStickerItsFileBack() throws {
        _ = try store.operations.restore(a)

        let job = try library.make("cats/renamed.png", 1)

        let sticker = try #require(try shown().last)
        #expect(job.sticker == StickerID(rawValue: "renamed"))
        #expect(sticker.identifier == a && sticker.source.missing == nil)
        #expect(sticker.title == "renamed")
        #expect(try shown().count == 2)
    }

    @Test func otherArtUnderTheOldNameLeavesARestoredStickerAlone() throws {
        _ = try store.operations.restore(a)

        try library.make("cats/a.png", 3)

        #expect(try shown().map(\.identifier.rawValue) == ["a", "a_2", "b"])
        #expect(try shown()[0].files.map(\.sha256) == product(1).files.map(\.sha256))
    }

    @Test func stickersOfOneNameAreRestoredSideBySide() throws {
        try library.make("cats/a.png", 3)
        try remove("cats/a.png")

        for sticker in try store.operations.trash() {
            _ = try store.operations.restore(sticker.sticker)
        }

        #expect(try shown().map(\.identifier.rawValue) == ["a", "a_2", "b"])
    }

    @Test func onlyStickersWithoutAFileAreRemovedByCommand() throws {
        _ = try store.operations.restore(a)

        #expect(try store.operations.putInTrash(a) == .done(cats))
        #expect(try store.operations.putInTrash(StickerID(rawValue: "b")) == .hasFile)
        #expect(try store.operations.putInTrash(StickerID(rawValue: "nobody")) == .unknown)

        #expect(try shown().map(\.identifier.rawValue) == ["b"])
        #expect(try store.operations.restore(a) == .done(cats))
    }

    @Test func rebuildKeepsStickersWithoutAFile() throws {
        _ = try store.operations.restore(a)
        _ = try shown()
        let again = try LibraryStore(
            path: library.folder.file("rebuilt.sqlite"), policy: library.policy,
            clock: library.time.clock)

        let rebuilt = try Rebuild.fill(again, out: library.out, drops: [])
        library.time.advance(.seconds(100))
        let expiry = try again.catalog.expireMissing()

        #expect(rebuilt.stickers == 2 && rebuilt.withoutFile == 1)
        #expect(expiry.removed.map(\.sticker.rawValue) == ["b"])
        #expect(try again.catalog.liveProduct(a) != nil && again.sources.unlistedDrops([]).isEmpty)
    }
}

/// A file that comes back has its sticker again, whatever its name and category.
struct ReturningFileTests {
    private let library: Library
    private var store: LibraryStore { library.store }

    init() throws {
        library = try Library()
        try library.make("cats/a.png", 1)
    }

    private func lose(_ path: String, removed: Bool = true) throws {
        try library.accept(gone: [key(path)])
        guard removed else { return }
        library.time.advance(.seconds(60))
        _ = try store.catalog.expireMissing()
    }

    private func ids(_ category: String = "cats") throws -> [String] {
        let publisher = try library.publisher()
        for category in try publisher.behind() { _ = try publisher.publish(category) }
        for category in try publisher.behind() { _ = try publisher.publish(category) }
        return try library.manifest(category).stickers.map(\.identifier.rawValue)
    }

    /// Makes a file of these bytes whose size and time are those of content number `version`.
    private func make(_ path: String, bytes: Int, version: Int64) throws {
        try library.accept(sighting(path, version))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        let turn = try library.finish(job, .made(product(bytes), content: hash(bytes)))
        #expect(turn.booked.count == 1)
    }

    @Test(arguments: ["cats/a.png", "cats/other.png", "cats/below/a.png"])
    func bytesTellTheSticker(path: String) throws {
        try lose("cats/a.png")

        try make(path, bytes: 1, version: 5)

        #expect(try ids() == ["a"])
    }

    @Test func bytesTellTheStickerInAnotherCategory() throws {
        try lose("cats/a.png")

        try make("dogs/other.png", bytes: 1, version: 5)

        #expect(try ids("dogs") == ["a"])
        #expect(try ids() == [])
    }

    @Test func otherArtOfEqualSizeAndTimeGetsAnotherID() throws {
        try lose("cats/a.png")

        try make("cats/a.png", bytes: 2, version: 1)
        #expect(try ids() == ["a_2"])

        try make("cats/late.png", bytes: 1, version: 5)
        #expect(try ids() == ["a_2", "a"])
    }

    @Test func bookingTellsTheID() throws {
        try lose("cats/a.png")
        try library.accept(sighting("cats/other.png", 5))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .made(product(1), content: hash(1)))

        #expect(turn.booked.map(\.sticker) == [StickerID(rawValue: "a")])
    }

    @Test func missingFileIsFoundUnderAnotherName() throws {
        _ = try ids()
        try lose("cats/a.png", removed: false)

        try make("dogs/other.png", bytes: 1, version: 5)
        library.time.advance(.seconds(100))

        #expect(try store.catalog.expireMissing().removed.isEmpty)
        #expect(try ids("dogs") == ["a"])
        #expect(try ids() == [] && store.operations.status().missing == 0)
    }

    @Test func movedStickerIsShownInBothUntilItIsBooked() throws {
        _ = try ids()
        try lose("cats/a.png", removed: false)
        try make("dogs/other.png", bytes: 1, version: 5)
        let publisher = try library.publisher()

        #expect(try publisher.behind().map(\.rawValue).sorted() == ["cats", "dogs"])
        #expect(try publisher.beingLeft().map(\.rawValue) == ["cats"])
    }

    @Test func oldNameIsFreeAfterwards() throws {
        try lose("cats/a.png", removed: false)
        try make("cats/other.png", bytes: 1, version: 5)

        try make("cats/a.png", bytes: 2, version: 9)

        #expect(try Set(ids()) == ["a", "a_2"])
    }

    @Test func copyBesideItsFileIsAnotherSticker() throws {
        try make("cats/copy.png", bytes: 1, version: 5)

        #expect(try ids() == ["a", "copy"])
    }

    @Test func ofSeveralTheOneOfThisNameIsBack() throws {
        try make("cats/b.png", bytes: 1, version: 5)
        try make("dogs/c.png", bytes: 1, version: 6)
        for path in ["cats/a.png", "cats/b.png", "dogs/c.png"] { try lose(path) }

        try make("birds/b.png", bytes: 1, version: 7)
        #expect(try ids("birds") == ["b"])
        try make("cats/x.png", bytes: 1, version: 8)
        #expect(try ids() == ["a"])
        try make("cats/y.png", bytes: 1, version: 9)
        #expect(try ids() == ["a", "c"])
        try make("cats/z.png", bytes: 1, version: 10)
        #expect(try ids() == ["a", "c", "z"])
    }

    @Test func publishedStickerKeepsItsIDWhateverItsBytes() throws {
        try make("cats/b.png", bytes: 2, version: 5)
        try lose("cats/a.png")

        try make("cats/b.png", bytes: 1, version: 6)

        #expect(try ids() == ["b"])
    }
}
