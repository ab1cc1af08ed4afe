import Foundation
import StickerTestSupport
import Testing

@testable import StickerStore
@testable import StickerValues

private let cats = CategoryID(rawValue: "cats")

/// The list of removed stickers stands in `out` and keeps their ids taken, whatever becomes of the database.
struct RemovalTests {
    private let library: Library
    private let publisher: CatalogPublisher

    init() throws {
        library = try Library()
        library.policy.pageEntriesMax = 2
        publisher = try library.publisher()
    }

    /// Makes stickers of these files, then removes them one by one.
    private func remove(_ names: String...) throws {
        for name in names { try library.make("cats/\(name).png", Int(name.utf8.first ?? 0)) }
        _ = try publisher.publish(cats)
        for name in names {
            try library.accept(gone: [key("cats/\(name).png")])
            library.time.advance(.seconds(60))
            _ = try library.store.catalog.expireMissing()
        }
    }

    /// The entries of the first page, and of those that follow.
    private func pages() throws -> [RemovedStickers] {
        var (pages, next): ([RemovedStickers], String?) = ([], RemovedStickers.fileName)
        while let name = next {
            let data = Data(try library.folder.contents("out/\(name)"))
            let page = try JSONDecoder().decode(RemovedStickers.self, from: data)
            pages.append(page)
            next = page.nextURL
        }
        return pages
    }

    private func listed() throws -> [[String]] {
        try pages().map { $0.removed.map(\.identifier.rawValue) }
    }

    private var pageFiles: [String] {
        get throws {
            try library.folder.files().filter { $0.hasPrefix("out/\(RemovedStickers.pagePrefix)") }
        }
    }

    @Test func removedStickerIsListedWithItsWords() throws {
        try remove("happy cat")
        try publisher.publishRemovals()

        let page = try #require(try pages().first)
        #expect(
            page.removed == [
                RemovedSticker(
                    identifier: StickerID(rawValue: "happy_cat"), title: "happy cat",
                    category: cats, sha256: hash(104), removedAt: "2023-11-14T22:14:20Z")
            ])
        #expect(page.generation == 1 && page.version == 1)
    }

    @Test func emptyListIsThereFromTheStart() throws {
        try publisher.publishRemovals()

        #expect(try listed() == [[]])
        #expect(try pages().first?.generation == 0)
    }

    @Test func listIsWrittenOnlyWhenItChanges() throws {
        try remove("a")
        try publisher.publishRemovals()
        try library.folder.write("not again", to: "out/_removed.json")

        try publisher.publishRemovals()
        #expect(try library.folder.contents("out/_removed.json") == Array("not again".utf8))
        try FileManager.default.removeItem(atPath: library.folder.file("out/_removed.json"))
        try publisher.publishRemovals()
        #expect(try listed() == [["a"]])
    }

    @Test func fullPagesStayAsTheyAre() throws {
        try remove("a", "b", "c")
        try publisher.publishRemovals()
        #expect(try listed() == [["c"], ["b", "a"]])
        let before = try pageFiles

        try remove("d")
        try publisher.publishRemovals()

        #expect(try listed() == [["d", "c"], ["b", "a"]])
        #expect(try before.count == 1 && pageFiles == before)
    }

    @Test(.needsSchemaValidator) func pagesFollowTheSchema() throws {
        try remove("a", "b", "c")
        try publisher.publishRemovals()

        let files = try (pageFiles + ["out/_removed.json"]).map(library.folder.file)
        #expect(try files.count == 2 && JSONSchema.removed.complaints(about: files) == "")
    }

    @Test func stickerThatIsBackLeavesTheListAfterItsManifestShowsIt() throws {
        try remove("a", "b")
        try publisher.publishRemovals()
        _ = try publisher.publish(cats)

        try library.make("cats/a.png", 97)
        try publisher.publishRemovals()
        #expect(try listed() == [["b", "a"]])
        _ = try publisher.publish(cats)
        try publisher.publishRemovals()

        #expect(try listed() == [["b"]])
        #expect(try library.manifest("cats").stickers.map(\.identifier.rawValue) == ["a"])
    }

    @Test func stickerThatIsBackStaysListedWhileItsManifestIsOlder() throws {
        try remove("a")
        let older = try #require(try publisher.write(cats))
        try library.make("cats/a.png", 97)

        try publisher.book([older])
        try publisher.publishRemovals()

        #expect(try listed() == [["a"]])
    }

    @Test func pagesThatAreNotNamedAreSweptAfterADay() throws {
        try remove("a", "b", "c")
        try publisher.publishRemovals()
        let released = try #require(try pageFiles.first)
        let objects = try ObjectStore(out: library.out)
        let housekeeper = Housekeeper(
            catalog: library.store.catalog, objects: objects, out: library.out)
        func age() throws {
            for page in try pageFiles {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -2 * 86400)],
                    ofItemAtPath: library.folder.file(page))
            }
        }

        try age()
        #expect(try housekeeper.sweep().pages == 0)
        library.policy.pageEntriesMax = 1
        try library.store.catalog.refreshEntries()
        try publisher.publishRemovals()
        // Readers may still be at it.
        #expect(try housekeeper.sweep().pages == 0 && pageFiles.contains(released))
        try age()

        #expect(try housekeeper.sweep().pages == 1)
        #expect(try listed() == [["c"], ["b"], ["a"]])
    }

    @Test func tombstonesOfRelease04AreListed() throws {
        try remove("happy cat")
        try library.store.write { transaction in
            try transaction.undoRemovals()
        }
        try library.reopen()
        try library.publisher().publishRemovals()

        let removed = try #require(try pages().first?.removed.first)
        #expect(removed.title == "happy cat" && removed.sha256 == nil)
        #expect(removed.removedAt == "2023-11-14T22:14:20Z")
    }

    // MARK: - Rebuilding

    private func rebuilt() throws -> (store: LibraryStore, summary: Rebuilt) {
        let path = library.folder.file("rebuilt.sqlite")
        let store = try LibraryStore(path: path, policy: library.policy, clock: library.time.clock)
        return (store, try Rebuild.fill(store, out: library.out, drops: []))
    }

    /// The id that a new file gets.
    private func id(of path: String, in store: LibraryStore) throws -> String? {
        _ = try store.queue.accept([sighting(path, 77)])
        library.time.advance(.seconds(1))
        let job = try store.queue.turn(finished: [], claiming: .any(1)).claimed.first
        return job?.sticker?.rawValue
    }

    @Test func idsOfRemovedStickersOutliveTheDatabase() throws {
        try remove("a", "b", "c")
        try publisher.publishRemovals()
        _ = try publisher.publish(cats)
        let generation = try #require(try pages().first?.generation)

        let (store, summary) = try rebuilt()

        #expect(summary.removed == 3 && summary.unreadable.isEmpty)
        #expect(try id(of: "cats/b.png", in: store) == "b_2")
        let again = try library.publisher(of: store)
        try again.publishRemovals()
        #expect(try listed() == [["c"], ["b", "a"]])
        #expect(try pages().first?.generation == generation + 1)
    }

    @Test func stickerThatIsInBothIsThere() throws {
        try remove("a")
        try publisher.publishRemovals()
        try library.make("cats/a.png", 97)
        _ = try publisher.publish(cats)

        let (_, summary) = try rebuilt()

        #expect(summary.removed == 0 && summary.stickers == 1)
    }

    @Test func categoryWhoseManifestIsDamagedKeepsItsID() throws {
        try library.make("häppy cats/a.png", 1)
        try library.make("häppy cats/b.png", 2)
        let category = CategoryID(rawValue: "happy_cats")
        _ = try publisher.publish(category)
        try library.accept(gone: [key("häppy cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
        try publisher.publishRemovals()
        try library.folder.write("{", to: "out/happy_cats/manifest.json")

        let (store, summary) = try rebuilt()
        _ = try store.queue.accept([sighting("häppy cats/new.png", 77)])
        library.time.advance(.seconds(1))

        #expect(summary.unreadable.count == 1 && summary.removed == 1)
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        #expect(job.category == category)
    }

    @Test func damagedListIsNamed() throws {
        try remove("a")
        try library.folder.write("{", to: "out/_removed.json")

        let (_, summary) = try rebuilt()

        #expect(summary.removed == 0 && summary.unreadable.count == 1)
    }
}

/// When stickers were published first, and changed last.
struct PublicationTimeTests {
    private let library: Library
    private let publisher: CatalogPublisher
    private let first = "2023-11-14T22:13:20Z"

    init() throws {
        library = try Library()
        publisher = try library.publisher()
        try library.make("cats/a.png", 1)
        library.time.advance(.seconds(10))
    }

    /// The times that the manifest of the category tells.
    private func times(in category: String = "cats") throws -> [String?] {
        _ = try publisher.publish(CategoryID(rawValue: category))
        let sticker = try #require(try library.manifest(category).stickers.first)
        return [sticker.publishedAt, sticker.changedAt]
    }

    @Test func newPictureChangesASticker() throws {
        #expect(try times() == [first, first])

        try library.make("cats/a.png", 2)

        #expect(try times() == [first, "2023-11-14T22:13:31Z"])
    }

    @Test func newAddressIsNoChange() throws {
        library.policy.publicBaseURL = "https://example.org/"

        try library.store.catalog.refreshEntries()
        #expect(try times() == [first, first])
    }

    @Test func newEmojiAreAChange() throws {
        try library.store.catalog.refreshEntries()
        library.policy.emojis = ["🐈"]

        try library.store.catalog.refreshEntries()
        #expect(try times() == [first, "2023-11-14T22:13:30Z"])
    }

    @Test func moveToAnotherCategoryIsAChange() throws {
        var seen = sighting("dogs/a.png", 1)
        seen.version = sighting("cats/a.png", 1).version
        try library.accept(seen, gone: [key("cats/a.png")])

        #expect(try times(in: "dogs") == [first, "2023-11-14T22:13:30Z"])
    }

    @Test func stickerThatIsBackWasPublishedBefore() throws {
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
        try library.make("cats/a.png", 1)

        #expect(try times() == [first, "2023-11-14T22:14:30Z"])
    }

    @Test func rebuildKeepsTheTimes() throws {
        try library.make("cats/a.png", 2)
        let before = try times()
        let store = try LibraryStore(
            path: library.folder.file("rebuilt.sqlite"), policy: library.policy,
            clock: library.time.clock)
        try library.folder.write("a", to: "drop/cats/a.png")
        let drop = library.folder.file("drop")
        _ = try Rebuild.fill(store, out: library.out, drops: [drop])
        library.time.advance(.seconds(10))
        var seen = sighting("cats/a.png", 2)
        seen.key.drop = drop
        _ = try store.queue.accept([seen])
        library.time.advance(.seconds(1))
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        _ = try store.queue.turn(
            finished: [
                FinishedJob(
                    job: job, outcome: .made(product(2), content: hash(2)), log: StepLog())
            ], claiming: .any(0))
        let again = try library.publisher(of: store)
        _ = try again.publish(CategoryID(rawValue: "cats"))

        let sticker = try #require(try library.manifest("cats").stickers.first)
        #expect([sticker.publishedAt, sticker.changedAt] == before)
    }
}
