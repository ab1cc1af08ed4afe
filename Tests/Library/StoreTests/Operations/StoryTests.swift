import Foundation
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

struct StoryTests {
    @Test(arguments: ["a", "a.png", "cats/a.png"])
    func stickerIsFoundByIdAndByFile(name: String) throws {
        let library = try Library()
        let job = try library.make("cats/a.png")

        let story = try #require(try library.store.operations.story(of: name))

        #expect(story.sticker.rawValue == "a" && story.category.rawValue == "cats")
        #expect(story.product == product(1) && story.made?.job.id == job.id)
        #expect(story.refused == nil && story.open == nil && story.twins.isEmpty)
    }

    @Test func nothingIsKnownOfAStranger() throws {
        let library = try Library()

        #expect(try library.store.operations.story(of: "nobody") == nil)
    }

    @Test func newerVersionThatWasRefusedStandsBesideTheLiveOne() throws {
        let library = try Library()
        let good = try library.make("cats/a.png", 1)
        try library.accept(sighting("cats/a.png", 2))
        library.time.advance(.seconds(1))
        let bad = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "its data is damaged", remedy: "export it again")
        try library.finish(bad, .refused(refusal, content: hash(2)))

        let story = try #require(try library.store.operations.story(of: "a"))

        #expect(story.product == product(1) && story.made?.job.id == good.id)
        #expect(story.refused?.job.id == bad.id)
    }

    @Test func sharedPictureNamesItsTwins() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("dogs/b.png", 1)

        #expect(try library.store.operations.story(of: "a")?.twins.map(\.rawValue) == ["b"])
    }

    /// Books the log of a job that chose a file of so many bytes.
    private func log(_ job: ClaimedJob, bytes: Int, in library: Library) throws {
        var chosen = FitRecord.Attempt(.lossless, quality: 0, bytes: bytes)
        chosen.isChosen = true
        let fit = FitRecord(target: "whatsapp", bytesMax: 99, attempts: [chosen])
        var log = StepLog()
        log.append(StepEntry("fit", milliseconds: 1, "1 encoding", fit: fit))
        let text = String(decoding: try JSONEncoder().encode(log), as: UTF8.self)
        try library.change("UPDATE job SET log = '\(text)' WHERE id = \(job.id)")
    }

    /// A target was added, then a mark was put on and taken off: no job has the recipe of the files.
    @Test func jobThatMadeThePublishedBytesIsShown() throws {
        let library = try Library()
        let maker = try library.make("cats/a.png", 1)
        let marked = try library.make("dogs/b.png", 1)
        try library.change("UPDATE output SET recipe = 'with another target'")
        try log(maker, bytes: product(1).files[0].bytes, in: library)
        try log(marked, bytes: 11, in: library)

        #expect(try library.store.operations.story(of: "b")?.made?.job.id == maker.id)
    }

    @Test func jobOfTheSameRecipeIsShownIfTheMakerIsForgotten() throws {
        let library = try Library()
        let marked = try library.make("cats/a.png", 1)
        let sharing = try library.make("cats/b.png", 1)
        try log(marked, bytes: 11, in: library)
        try library.change("UPDATE job SET recipe = 'marked', spent = 1 WHERE id = \(marked.id)")
        try library.change("UPDATE job SET spent = NULL WHERE id = \(sharing.id)")

        #expect(try library.store.operations.story(of: "a")?.made?.job.id == sharing.id)
    }

    @Test func endedJobsComeInTheOrderOfTheirEnds() throws {
        let library = try Library()
        let first = try library.make("cats/a.png", 1)
        library.time.advance(.seconds(10))
        let moment = library.store.now
        let second = try library.make("cats/b.png", 2)

        #expect(
            try library.store.operations.jobs(endedSince: 0, limit: 9).map(\.id) == [
                first.id, second.id,
            ])
        #expect(
            try library.store.operations.jobs(endedSince: moment, limit: 9).map(\.id) == [second.id]
        )
    }

    @Test func usageTellsLiveOldAndTrash() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/b.png", 2)
        try library.make("cats/a.png", 3)
        try library.accept(gone: [key("cats/b.png")])
        library.time.advance(.seconds(61))
        _ = try library.store.catalog.expireMissing()

        let usage = try library.store.operations.usage()

        let cats = try #require(usage.categories.first)
        #expect(cats.live.pictures == 1 && cats.live.bytes == 40)
        #expect(cats.oldRevisions.pictures == 1 && cats.trash.pictures == 1)
        #expect(cats.oldRevisions.bytes == 40 && cats.trash.bytes == 40)
        #expect(usage.expired.pictures == 0 && usage.databaseBytes > 0)
        library.time.advance(.seconds(2 * 86400))
        #expect(try library.store.operations.usage().expired.pictures == 1)
    }

    @Test func usageCountsAFileOnceHoweverManyProductsNameIt() throws {
        let library = try Library()
        let job = try library.make("cats/a.png", 1)
        var wider = product(1, recipe: "wider")
        wider.files = product(1).files + [wider.files[3]]
        _ = try library.store.operations.renew("cats/a.png")
        let again = try #require(try library.claim().first)
        try library.finish(again, .made(wider, content: hash(1)))

        let usage = try library.store.operations.usage()

        let cats = try #require(usage.categories.first)
        #expect(again.source == job.source)
        #expect(cats.live.pictures == 1 && cats.live.bytes == 50)
        #expect(cats.oldRevisions.bytes == 0 && usage.totalBytes == 50)
    }

    @Test func usageCountsTheFilesThatARenewalReplaced() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        _ = try library.store.operations.renew("cats/a.png")
        let again = try #require(try library.claim().first)
        try library.finish(again, .made(product(1, files: 2), content: hash(1)))

        let usage = try library.store.operations.usage()

        let cats = try #require(usage.categories.first)
        #expect(cats.live.bytes == 40 && cats.oldRevisions.bytes == 40 && usage.totalBytes == 80)
        #expect(usage.expired.bytes == 0)
        library.time.advance(.seconds(2 * 86400))
        #expect(try library.store.operations.usage().expired.bytes == 40)
    }
}
