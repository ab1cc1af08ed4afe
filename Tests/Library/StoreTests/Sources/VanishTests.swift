import StickerValues
import Testing

@testable import StickerStore

struct VanishTests {
    @Test func stickerOutlivesItsFileByTheGrace() throws {
        let library = try Library()
        try library.make("cats/a.png")
        try library.accept(gone: [key("cats/a.png")])

        let early = try library.store.catalog.expireMissing()
        library.time.advance(.seconds(60))
        let late = try library.store.catalog.expireMissing()

        #expect(early.removed.isEmpty && early.nextMilliseconds == 60_000)
        #expect(late.removed.map(\.sticker) == [StickerID(rawValue: "a")])
        #expect(late.changedCategories == [CategoryID(rawValue: "cats")])
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a")) == nil)
    }

    @Test func fileThatComesBackWithinTheGraceNeedsNoJob() throws {
        let library = try Library()
        try library.make("cats/a.png")
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(30))

        let summary = try library.accept(sighting("cats/a.png"))

        library.time.advance(.seconds(60))
        #expect(summary.known == 1 && summary.accepted == 0)
        #expect(try library.store.catalog.expireMissing().removed.isEmpty)
        #expect(try library.claim().isEmpty)
    }

    @Test func otherArtUnderAnExpiredNameGetsAnotherID() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()

        let job = try library.make("cats/a.png", 2)

        #expect(job.sticker == StickerID(rawValue: "a_2"))
    }

    @Test func theSameFileGetsItsIDBackAfterTheGrace() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()

        let job = try library.make("cats/a.png", 1)

        #expect(job.sticker == StickerID(rawValue: "a"))
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a"))?.content == hash(1))
    }

    @Test func waitingJobOfAVanishedFileIsCancelled() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        let summary = try library.accept(gone: [key("cats/a.png")])

        #expect(summary.vanished == 1 && summary.outdated.isEmpty)
        #expect(try library.claim().isEmpty)
    }

    @Test func executingJobOfAVanishedFilePublishesNothing() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)

        let summary = try library.accept(gone: [key("cats/a.png")])
        let turn = try library.finish(job, .made(product(1), content: hash(1)))

        #expect(summary.outdated == [job.id])
        #expect(turn.booked.map(\.reason) == ["vanished"])
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a")) == nil)
    }

    @Test func deletingARefusedFileClearsTheEntry() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.psd"))
        #expect(try library.store.operations.status().needAttention == 1)

        try library.accept(gone: [key("cats/a.psd")])

        #expect(try library.store.operations.status().needAttention == 0)
    }

    @Test func renamedFileKeepsItsSticker() throws {
        let library = try Library()
        try library.accept(sighting("cats/happy.png", 1, inode: 7))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))
        let publisher = try library.publisher()
        _ = try publisher.publish(CategoryID(rawValue: "cats"))

        let summary = try library.accept(
            sighting("dogs/joyful.png", 1, inode: 7, ctime: 2), gone: [key("cats/happy.png")])
        // The category that it left is written once more when the other one shows it.
        for _ in 1...2 {
            for category in try library.store.catalog.dirtyCategories() {
                _ = try publisher.publish(category)
            }
        }

        #expect(summary.renamed.count == 1 && summary.changedCategories.count == 2)
        #expect(try library.manifest("cats").stickers.isEmpty)
        let entry = try #require(try library.manifest("dogs").stickers.first)
        #expect(entry.identifier == StickerID(rawValue: "happy"))
        #expect(entry.title == "joyful" && entry.source.name == "joyful.png")
    }

    @Test func hardLinkIsNotARename() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1, inode: 7))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))

        let summary = try library.accept(sighting("cats/b.png", 1, inode: 7, ctime: 2))

        #expect(summary.renamed.isEmpty)
        #expect(try library.claim().first?.sticker == StickerID(rawValue: "b"))
    }

    @Test func vanishedFolderTakesEverythingBelowItAndNothingBeside() throws {
        let library = try Library()
        for path in ["cats/a.png", "cats/deep/b.png", "cats2/c.png", "cat/d.png"] {
            try library.make(path)
        }

        let summary = try library.store.queue.folderGone(
            drop: "/drop", directory: Array("cats".utf8))

        #expect(summary.vanished == 2)
        let left = try library.store.sources.presentDirectories(drop: "/drop")
        #expect(left == [Array("cat".utf8), Array("cats2".utf8)])
    }

    @Test func presentNamesArePagedInOrder() throws {
        let library = try Library()
        for name in ["c", "a", "b"] { try library.accept(sighting("cats/\(name).png")) }
        let directory = Array("cats".utf8)

        let first = try library.store.sources.presentNames(
            drop: "/drop", directory: directory, after: nil, limit: 2)
        let second = try library.store.sources.presentNames(
            drop: "/drop", directory: directory, after: first.last, limit: 2)

        #expect(first == ["a.png", "b.png"].map { Array($0.utf8) })
        #expect(second == [Array("c.png".utf8)])
    }

    @Test func idThatWasNeverPublishedIsNotUsedUp() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "its data is damaged", remedy: "export it again")
        try library.finish(job, .refused(refusal, content: hash(1)))
        try library.accept(gone: [key("cats/a.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()

        let mended = try library.make("cats/a.png", 2)

        #expect(mended.sticker == StickerID(rawValue: "a"))
    }
}
