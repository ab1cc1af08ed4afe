import StickerValues
import Testing

@testable import StickerStore

/// Verbs for jobs besides `retry`.
struct SteeringTests {
    private let refusal = Refusal(.corrupt, "its data is damaged", remedy: "export it again")
    private let cats = CategoryID(rawValue: "cats")

    private func refused(_ path: String, in library: Library) throws -> ClaimedJob {
        try library.accept(sighting(path))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(refusal, content: hash(1)))
        return job
    }

    private func attention(_ library: Library) throws -> Int {
        try library.store.operations.status().needAttention
    }

    private func filter(_ job: ClaimedJob) -> JobFilter {
        var filter = JobFilter()
        filter.ids = [job.id]
        return filter
    }

    // MARK: Dismiss

    @Test func dismissedFileNeedsNoAttentionAndKeepsItsLog() throws {
        let library = try Library()
        let job = try refused("cats/a.png", in: library)

        let plan = try library.store.operations.dismiss(filter(job), dryRun: true)
        #expect(try attention(library) == 1)
        let done = try library.store.operations.dismiss(filter(job), note: "artist informed")
        let again = try library.store.operations.dismiss(filter(job))

        #expect(plan.dismissed.map(\.id) == [job.id] && done.dismissed.map(\.id) == [job.id])
        #expect(again.dismissed.isEmpty && again.skipped.count == 1)
        #expect(try attention(library) == 0)
        let details = try #require(try library.store.operations.job(job.id))
        #expect(details.job.state == .cancelled && details.job.reason == "dismissed")
        #expect(details.log.entries.last?.detail == "artist informed")
    }

    @Test func rescanDoesNotBringADismissedFileBackButAChangeDoes() throws {
        let library = try Library()
        let job = try refused("cats/a.png", in: library)
        _ = try library.store.operations.dismiss(filter(job))

        try library.accept(sighting("cats/a.png", 1, .scan))
        #expect(try library.claim().isEmpty)

        try library.accept(sighting("cats/a.png", 2))
        #expect(try library.claim().count == 1)
    }

    /// A status that all is well must still be true a month later.
    @Test func dismissedJobIsKeptAsLongAsItsFileIsThere() throws {
        let library = try Library()
        let job = try refused("cats/a.png", in: library)
        _ = try library.store.operations.dismiss(filter(job))
        #expect(try library.store.operations.hasDismissed())
        let housekeeper = try library.housekeeper()

        library.time.advance(.seconds(400 * 86400))
        _ = try housekeeper.prune()
        #expect(try library.store.operations.hasDismissed())
        try library.accept(gone: [job.source])
        _ = try housekeeper.prune()

        #expect(try !library.store.operations.hasDismissed())
        #expect(try library.store.operations.job(job.id) == nil)
    }

    @Test func dismissedJobIsForgottenOnceItsFileIsReplaced() throws {
        let library = try Library()
        let job = try refused("cats/a.png", in: library)
        _ = try library.store.operations.dismiss(filter(job))

        try library.make("cats/a.png", 2)

        #expect(try !library.store.operations.hasDismissed())
        #expect(try library.store.operations.job(job.id)?.job.supersededBy != nil)
    }

    @Test func dismissedFileCanBeTriedAgain() throws {
        let library = try Library()
        let job = try refused("cats/a.png", in: library)
        _ = try library.store.operations.dismiss(filter(job))

        let retried = try library.store.operations.retry(filter(job))

        #expect(retried.requeued.map(\.id) == [job.id])
        #expect(try library.claim().map(\.id) == [job.id])
    }

    // MARK: Pause

    @Test func pausedCategoryWaitsWhileOthersGoOn() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"), sighting("dogs/b.png"))

        #expect(try library.store.operations.setPaused(true, category: cats))

        #expect(try library.claim(5).map(\.category.rawValue) == ["dogs"])
        #expect(try library.store.operations.pauses().categories == [cats])
        #expect(try library.store.operations.setPaused(false, category: cats))
        #expect(try library.claim(5).map(\.category.rawValue) == ["cats"])
    }

    @Test func pauseOfEverythingOutlivesARestart() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        #expect(try library.store.operations.setPaused(true))
        try library.reopen()

        #expect(try library.store.operations.pauses().all)
        #expect(try library.claim().isEmpty)
        #expect(try library.store.operations.setPaused(false))
        #expect(try library.claim().count == 1)
    }

    @Test func unknownCategoryCannotBePaused() throws {
        let library = try Library()

        #expect(try !library.store.operations.setPaused(true, category: cats))
    }

    @Test func jobsOfAnAbsentDropWait() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))

        library.store.sources.hold(drop: "/drop", isAbsent: true)
        #expect(try library.claim().isEmpty)
        #expect(try library.store.queue.nextDue() == nil)

        library.store.sources.hold(drop: "/drop", isAbsent: false)
        #expect(try library.claim().count == 1)
    }

    @Test func unreadableFilesAreFoundWithTheirPlace() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.unreadable, "it cannot be opened", remedy: "chmod a+r")
        try library.finish(job, .refused(refusal, content: nil))
        _ = try refused("cats/b.png", in: library)

        let found = try library.store.operations.unreadable(limit: 10)

        #expect(found.map(\.job) == [job.id] && found.map(\.file) == [key("cats/a.png")])
        #expect(try library.store.operations.unreadable(after: job.id, limit: 10).isEmpty)
    }

    @Test func jobsThatAreHeldBackTakeNoPlacesOfOthers() throws {
        let library = try Library()
        for number in 0..<5 {
            try library.accept(sighting("cats/\(number).png", 1, .scan))
        }
        _ = try library.store.operations.setPaused(true, category: cats)
        try library.accept(sighting("dogs/a.png", 1, .scan))
        library.time.advance(.seconds(60))

        let turn = try library.store.queue.turn(finished: [], claiming: .any(2))

        #expect(turn.claimed.map(\.category.rawValue) == ["dogs"])
    }
}
