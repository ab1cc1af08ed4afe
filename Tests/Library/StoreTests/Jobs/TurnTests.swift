import StickerValues
import Testing

@testable import StickerStore

struct TurnTests {
    @Test func madeStickerIsPublishedAndItsCategoryChanges() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .made(product(1), content: hash(1)))

        #expect(turn.changedCategories == [CategoryID(rawValue: "cats")])
        #expect(turn.booked.map(\.state) == [.completed])
        #expect(try library.store.catalog.dirtyCategories() == [CategoryID(rawValue: "cats")])
        let live = try #require(try library.store.catalog.liveProduct(StickerID(rawValue: "a")))
        #expect(live.content == hash(1) && live.product == product(1))
    }

    @Test func claimedJobIsNotClaimedAgain() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        let first = try library.claim(5)
        let second = try library.claim(5)

        #expect(first.count == 1 && second.isEmpty)
    }

    @Test func overwritingKeepsTheIDAndReleasesTheOldPicture() throws {
        let library = try Library()
        let before = try library.make("cats/a.png", 1)

        let after = try library.make("cats/a.png", 2)

        #expect(before.sticker == after.sticker)
        let live = try #require(try library.store.catalog.liveProduct(StickerID(rawValue: "a")))
        #expect(live.content == hash(2))
    }

    @Test func refusedNewVersionLeavesTheOldPicture() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.accept(sighting("cats/a.png", 2))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(
            job,
            .refused(Refusal(.truncated, "half a file", remedy: "copy again"), content: hash(2)))

        #expect(turn.booked.map(\.reason) == ["truncated"])
        #expect(turn.changedCategories.isEmpty)
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a"))?.content == hash(1))
    }

    @Test func sameBytesUnderNewStampsChangeNothing() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.accept(sighting("cats/a.png", 1, ctime: 9, .changed))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .unchanged(content: hash(1)))

        #expect(turn.booked.map(\.state) == [.completed])
        #expect(turn.changedCategories.isEmpty)
    }

    @Test func unchangedIsNotBelievedWhereSomethingElseIsPublished() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.accept(sighting("cats/a.png", 2))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .unchanged(content: hash(2)))

        #expect(turn.booked.map(\.state) == [.available])
    }

    @Test func newerStateMakesExecutingWorkSuperseded() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1))
        let old = try #require(try library.claim().first)

        let summary = try library.accept(sighting("cats/a.png", 2))
        let turn = try library.finish(old, .made(product(1), content: hash(1)))

        #expect(summary.outdated == [old.id] && summary.accepted == 1)
        #expect(turn.booked.map(\.reason) == ["superseded"])
        #expect(turn.changedCategories.isEmpty)
        let new = try #require(try library.claim().first)
        #expect(new.version == sighting("cats/a.png", 2).version)
        #expect(new.sticker == old.sticker)
    }

    @Test func fileStillArrivingWaitsAndTheAttemptDoesNotCount() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .arriving(delay: .seconds(3), why: "no end"))

        #expect(turn.booked.first?.delay == .seconds(3))
        library.time.advance(.seconds(2))
        #expect(try library.claim().isEmpty)
        library.time.advance(.seconds(1))
        let again = try #require(try library.claim().first)
        #expect(again.attempt == 1 && again.ageMilliseconds == 3000)
    }

    @Test func closingWhileItIsReadEndsTheWait() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1, .changed))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.accept(sighting("cats/a.png", 1, .closed))

        let turn = try library.finish(job, .arriving(delay: .seconds(30), why: "a writer has it"))

        #expect(turn.booked.map(\.state) == [.available])
    }

    @Test func fileChangedWhileReadSettlesWithItsNewState() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1))
        let job = try #require(try library.claim().first)
        let newer = sighting("cats/a.png", 2)

        try library.finish(job, .changed(newer.version))
        let summary = try library.accept(newer)

        #expect(summary.known == 1 && summary.startsNow)
        #expect(try library.claim().first?.version == newer.version)
    }

    @Test func transientErrorsAreRetriedWithPausesAndThenGivenUp() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        var pauses: [Duration?] = []
        var last: Turn?
        while let job = try library.claim().first {
            let turn = try library.finish(job, .failed("input/output error"))
            pauses.append(turn.booked.first?.delay)
            last = turn
            library.time.advance(turn.booked.first?.delay ?? .zero)
        }

        #expect(pauses == [2, 8, 30, 120, 600].map { .seconds($0) } + [nil])
        #expect(last?.booked.map(\.reason) == ["retries-exhausted"])
        #expect(last?.booked.map(\.state) == [.discarded])
    }

    @Test func turnTellsWhenToLookAgain() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"), sighting("cats/b.png", 1, .scan))
        library.time.advance(.milliseconds(400))

        let full = try library.store.queue.turn(finished: [], claiming: .any(1))
        let free = try library.store.queue.turn(finished: [], claiming: .any(1))

        #expect(full.claimed.count == 1 && full.nextDueMilliseconds == nil)
        #expect(free.claimed.isEmpty && free.nextDueMilliseconds == 600)
    }

    @Test func backlogIsClaimedInTheOrderItCame() throws {
        let library = try Library()
        for number in 0..<50 { try library.accept(sighting("cats/\(number) s.png", 1, .scan)) }
        library.time.advance(.seconds(1))

        var order: [String] = []
        while let job = try library.claim(1).first {
            order.append(job.source.display)
            try library.finish(job, .made(product(1), content: hash(1)))
        }

        #expect(order == (0..<50).map { "cats/\($0) s.png" })
    }

    @Test func releasedAttemptDoesNotCount() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        for _ in 0..<20 {
            let job = try #require(try library.claim().first)
            #expect(job.attempt == 1)
            try library.finish(job, .released("no space"))
        }
    }

    @Test func cancelledWorkThatIsStillWantedIsDoneAgain() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)

        try library.finish(job, .cancelled(.superseded))

        #expect(try library.claim().first?.id == job.id)
    }

    @Test func workerThatFindsNoFileEndsTheJobUntilItIsSeenAgain() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)

        let turn = try library.finish(job, .cancelled(.vanished))
        let summary = try library.accept(sighting("cats/a.png"))

        #expect(turn.booked.map(\.reason) == ["vanished"])
        #expect(summary.accepted == 1)
        #expect(try library.claim().first?.sticker == job.sticker)
    }

    @Test func equalBytesShareOneOutput() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)

        #expect(try library.store.packs.knownProducts(of: hash(1)) == [product(1)])
        #expect(try library.store.packs.knownProducts(of: hash(2)).isEmpty)
    }

    @Test func bookingTheSameAttemptTwiceIsHarmless() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))

        let turn = try library.finish(job, .failed("late"))

        #expect(turn.booked.isEmpty)
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "a"))?.content == hash(1))
    }

    @Test func fileThatCouldNotBeReadOftenEnoughWaitsUntilItCan() throws {
        let library = try Library()
        library.policy.retryDelays = [.seconds(1)]
        try library.accept(sighting("cats/a.png", 1))
        try library.finish(
            try #require(try library.claim().first), .unread("reading failed: EIO"))
        #expect(try library.store.operations.unreadable(limit: 5).isEmpty)

        library.time.advance(.seconds(1))
        try library.finish(
            try #require(try library.claim().first), .unread("reading failed: EIO"))

        #expect(
            try library.store.operations.unreadable(limit: 5).map(\.file) == [key("cats/a.png")])
    }

    @Test func closingStartsAJobAnewThatRanOutOfAttempts() throws {
        let library = try Library()
        library.policy.retryDelays = []
        try library.accept(sighting("cats/a.png", 1, .changed))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .failed("a writer has it open"))
        #expect(try library.store.operations.status().needAttention == 1)

        let summary = try library.accept(sighting("cats/a.png", 1, .closed))

        #expect(summary.startsNow)
        #expect(try library.store.operations.status().needAttention == 0)
        #expect(try library.claim().map(\.id) == [job.id])
    }
}
