import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

struct SightingRecorderTests {
    @Test func closedNewFileStartsAtOnce() throws {
        let library = try Library()

        let summary = try library.accept(sighting("cats/07 happy cat 😀.png"))

        #expect(summary.accepted == 1 && summary.startsNow)
        let job = try #require(try library.claim(5).first)
        #expect(job.sticker == StickerID(rawValue: "happy_cat"))
        #expect(job.category == CategoryID(rawValue: "cats"))
        #expect(job.categoryNames.folder == Array("cats".utf8))
        #expect(job.attempt == 1)
    }

    @Test(arguments: [Sighting.Origin.changed, .scan])
    func fileWhoseEndWasNotSeenSettles(_ origin: Sighting.Origin) throws {
        let library = try Library()

        let summary = try library.accept(sighting("cats/a.png", 1, origin))

        #expect(!summary.startsNow)
        #expect(try library.claim().isEmpty)
        #expect(try library.store.queue.nextDue() == 1000)
        library.time.advance(.seconds(1))
        #expect(try library.claim().count == 1)
    }

    @Test func publishedFileThatIsAsItWasIsNoNews() throws {
        let library = try Library()
        for name in ["done", "changed", "missed"] { try library.make("cats/\(name).png") }
        try library.accept(sighting("cats/waiting.png"))
        try library.accept(gone: [key("cats/missed.png")])

        let seen = [
            sighting("cats/done.png"), sighting("cats/changed.png", 2),
            sighting("cats/missed.png"), sighting("cats/waiting.png"), sighting("cats/new.png"),
            sighting("dogs/done.png"),
        ]

        #expect(try library.store.sources.news(among: seen) == Array(seen.dropFirst()))
    }

    @Test func secondSightOfOneStateIsKnown() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        let summary = try library.accept(sighting("cats/a.png"), sighting("cats/a.png", 1, .scan))

        #expect(summary.known == 2 && summary.accepted == 0)
        #expect(try library.claim(5).count == 1)
    }

    @Test func closingEndsTheWaitForAFileSeenBefore() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1, .changed))

        let summary = try library.accept(sighting("cats/a.png", 1, .closed))

        #expect(summary.startsNow)
        #expect(try library.claim().first?.origin == .closed)
    }

    @Test func tenQuickSavesOfALiveFileMakeOneJob() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)

        for save in 2...11 {
            try library.accept(sighting("cats/a.png", Int64(save)))
            library.time.advance(.milliseconds(500))
            #expect(try library.claim().isEmpty)
        }

        library.time.advance(.milliseconds(500))
        let jobs = try library.claim(5)
        #expect(jobs.count == 1)
        #expect(jobs.first?.version == sighting("cats/a.png", 11).version)
        #expect(jobs.first?.sticker == StickerID(rawValue: "a"))
    }

    @Test func endlessSavesDoNotPutOffAJobForEver() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)

        var claimed: [ClaimedJob] = []
        for save in 2..<200 where claimed.isEmpty {
            try library.accept(sighting("cats/a.png", Int64(save)))
            library.time.advance(.milliseconds(900))
            claimed = try library.claim()
        }

        let job = try #require(claimed.first)
        #expect(job.version.mtime > 60 && job.version.mtime < 75)
    }

    @Test func foreignPictureIsRefusedOnceHoweverLongItArrives() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.psd", 1))

        let summary = try library.accept(sighting("cats/a.psd", 2))

        #expect(summary.refused == [])
        #expect(try library.store.operations.jobs().map(\.state) == [.discarded])
    }

    @Test func filesOfNoInterestAreCountedAndForeignPicturesRefused() throws {
        let library = try Library()

        let summary = try library.accept(
            sighting("cats/.DS_Store"), sighting("cats/a.txt"), sighting("cats/b.psd"),
            sighting("cats/link.png", isRegularFile: false))

        #expect(summary.ignored == 2 && summary.refused.count == 2 && summary.accepted == 0)
        #expect(try library.claim(5).isEmpty)
    }

    @Test func misnamedPictureIsRefusedUntilItIsRenamed() throws {
        let library = try Library()
        var seen = sighting("cats/wave.png.1", 1, inode: 7)
        seen.stranger = .misnamed(MisnamedPicture(seen.key, format: .png) { _ in false })

        let summary = try library.accept(seen)
        #expect(summary.refused.map(\.refusal.reason) == [.misnamed])
        #expect(summary.refused.first?.refusal.remedy == "rename it to wave.png")
        seen.stranger = .misnamed(MisnamedPicture(seen.key, format: .png) { $0 == "wave.png" })
        #expect(try library.accept(seen).refused.isEmpty)
        let refused = try library.store.operations.jobs()
        #expect(refused.map(\.refusal?.remedy) == ["rename it to wave-1.png"])
        #expect(try library.store.operations.retryNewFormats() == 0)

        _ = try library.store.queue.accept(
            [sighting("cats/wave-1.png", 1, inode: 7)], gone: [seen.key])
        #expect(try library.store.operations.status().needAttention == 0)
        #expect(try library.claim().first?.sticker == StickerID(rawValue: "wave_1"))
    }

    @Test func clashingTitlesGetNumbersThatAreNeverReused() throws {
        let library = try Library()
        try library.accept(
            sighting("cats/wave.png"), sighting("dogs/wave.gif"), sighting("dogs/wave 2.png"),
            sighting("birds/wave.jpg"))

        let ids = try library.claim(9).compactMap(\.sticker?.rawValue)

        // Named in the order in which they came, claimed as the categories take turns.
        #expect(ids == ["wave", "wave_2", "wave_3", "wave_2_2"])
    }

    @Test func nameWithoutLettersGetsAnIDFromItsHash() throws {
        let library = try Library()
        try library.accept(sighting("cats/😀.png"))

        let id = try #require(try library.claim().first?.sticker)

        let digits = ContentHash(of: Array("😀.png".utf8)).rawValue.prefix(8)
        #expect(id.rawValue == "sticker_\(digits)")
    }

    @Test func fileInTheDropItselfGoesToTheDefaultCategory() throws {
        let library = try Library()
        try library.accept(sighting("a.png"), sighting("stickers/b.png"))

        let jobs = try library.claim(2)

        #expect(Set(jobs.map(\.category)) == [CategoryID(rawValue: "stickers")])
        #expect(jobs.map(\.categoryNames.folder) == [nil, Array("stickers".utf8)])
    }

    @Test func coverHasNoSticker() throws {
        let library = try Library()
        try library.accept(sighting("cats/cover.png"))

        let job = try #require(try library.claim().first)

        #expect(job.sticker == nil)
    }

    @Test func freshDropPassesTheBulk() throws {
        let library = try Library()
        for number in 0..<30 { try library.accept(sighting("bulk/\(number).png", 1, .scan)) }
        library.time.advance(.seconds(2))

        try library.accept(sighting("cats/fresh.png"))

        #expect(try library.claim().first?.source == key("cats/fresh.png"))
    }

    @Test func restOfABurstIsBulkAndAFileBesideItIsNot() throws {
        let library = try Library()
        for number in 0..<25 { try library.accept(sighting("burst/b\(number).png")) }
        try library.accept(sighting("cats/single.png"))

        let order = try library.claim(26).map { String(decoding: $0.source.name, as: UTF8.self) }

        #expect(
            Array(order.prefix(21)) == ["b0.png", "single.png"] + (1..<20).map { "b\($0).png" })
        #expect(Array(order.suffix(5)) == (20..<25).map { "b\($0).png" })
    }

    /// Another file's job that ran out of attempts is none of this one's business.
    @Test func closingStartsTheJobOfThisFileAlone() throws {
        let library = try Library()
        library.policy.retryDelays = []
        try library.accept(sighting("cats/other.png"))
        try library.finish(try #require(try library.claim().first), .failed("no luck"))
        try library.accept(sighting("cats/a.png", 1, .changed))

        let summary = try library.accept(sighting("cats/a.png", 1, .closed))

        #expect(summary.startsNow)
        #expect(try library.claim(5).map(\.source) == [key("cats/a.png")])
        #expect(try library.store.operations.status().needAttention == 1)
    }
}
