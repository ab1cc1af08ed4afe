import StickerStore
import StickerValues
import Testing

struct OperatorTests {
    private let refusal = Refusal(
        .tooLong, "it plays for 14.2 s", measured: "14.2 s", limit: "10 s", remedy: "shorten it")

    private func refused(_ path: String, in library: Library) throws -> ClaimedJob {
        try library.accept(sighting(path))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(refusal, content: hash(1)), detail: "decoded")
        return job
    }

    @Test func statusCountsWhatIsThere() throws {
        let library = try Library()
        try library.make("cats/done.png")
        _ = try refused("cats/bad.gif", in: library)
        try library.accept(sighting("cats/bad.psd"))
        try library.accept(sighting("cats/working.png"), sighting("cats/next.png"))
        _ = try library.claim()
        library.time.advance(.seconds(3))

        let status = try library.store.operations.status()

        #expect(status.jobs == ["completed": 1, "discarded": 2, "executing": 1, "available": 1])
        #expect(status.waiting == 1 && status.working == 1 && status.stickers == 1)
        #expect(status.needAttention == 2)
        #expect(status.reasons == ["too-long": 1, "unsupported-format": 1])
        #expect(status.oldestWaitingMilliseconds == 3000)
    }

    @Test func jobTellsItsStoryOverAllAttempts() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.gif"))
        let first = try #require(try library.claim().first)
        try library.finish(first, .failed("input/output error"), detail: "first")
        library.time.advance(.seconds(2))
        let second = try #require(try library.claim().first)
        try library.finish(second, .refused(refusal, content: hash(1)), detail: "second")

        let details = try #require(try library.store.operations.job(first.id))

        #expect(details.log.entries.map(\.detail) == ["first", "second"])
        #expect(details.job.refusal == refusal && details.job.needsAttention)
        #expect(details.job.attempt == 2 && details.job.content == hash(1))
        #expect(details.job.sticker == StickerID(rawValue: "a"))
    }

    @Test func newerJobOfAFileIsLinkedAndSettlesTheRefusal() throws {
        let library = try Library()
        let bad = try refused("cats/a.gif", in: library)

        let good = try library.make("cats/a.gif", 2)

        let details = try #require(try library.store.operations.job(bad.id))
        #expect(!details.job.needsAttention && details.job.supersededBy == good.id)
        #expect(details.related.map(\.id) == [good.id])
        #expect(try library.store.operations.status().needAttention == 0)
    }

    @Test(arguments: ["cats/a.gif", "a.gif", "a", "/drop/cats/a.gif"])
    func jobsAreFoundByTheirFile(_ name: String) throws {
        let library = try Library()
        let job = try refused("cats/a.gif", in: library)
        _ = try refused("cats/b.gif", in: library)

        var filter = JobFilter()
        filter.file = name

        #expect(try library.store.operations.jobs(filter).map(\.id) == [job.id])
    }

    @Test func jobsAreListedNewestFirstByStateCategoryAndReason() throws {
        let library = try Library()
        let old = try refused("cats/a.gif", in: library)
        let new = try refused("cats/b.gif", in: library)
        _ = try refused("dogs/c.gif", in: library)
        try library.make("cats/d.png")
        var filter = JobFilter()
        filter.states = [.discarded]
        filter.category = CategoryID(rawValue: "cats")
        filter.reason = "too-long"

        #expect(try library.store.operations.jobs(filter).map(\.id) == [new.id, old.id])
        #expect(try library.store.operations.jobs(filter, limit: 1).map(\.id) == [new.id])
        #expect(try library.store.operations.jobs().count == 4)
    }

    @Test func retryStartsOverOnceAndKeepsTheEarlierError() throws {
        let library = try Library()
        let job = try refused("cats/a.gif", in: library)
        var filter = JobFilter()
        filter.ids = [job.id]

        let plan = try library.store.operations.retry(filter, dryRun: true)
        #expect(try library.claim().isEmpty)
        let done = try library.store.operations.retry(filter)
        let again = try library.store.operations.retry(filter)

        #expect(plan.requeued.map(\.id) == [job.id] && done.requeued.map(\.id) == [job.id])
        #expect(again.requeued.isEmpty && again.skipped.first?.why == "it is waiting already")
        let claimed = try #require(try library.claim(5).first)
        #expect(claimed.id == job.id && claimed.attempt == 1)
        let log = try #require(try library.store.operations.job(job.id)).log
        #expect(log.entries.last?.detail.contains("too-long") == true)
    }

    @Test func retryLeavesFilesAloneThatAreNotRead() throws {
        let library = try Library()
        try library.accept(
            sighting("cats/a.psd"), sighting("cats/link.png", isRegularFile: false))
        var filter = JobFilter()
        filter.needingAttention = true

        let summary = try library.store.operations.retry(filter)

        #expect(summary.requeued.isEmpty && summary.skipped.count == 2)
        #expect(try library.claim(5).isEmpty)
    }

    @Test func liveFiguresAreKeptForTools() throws {
        let library = try Library()

        var figures = LiveFigures(version: "1.2.3", startedAt: 5)
        figures.troubles = ["a drop folder is away"]

        try library.store.operations.setLiveFigures(figures)

        #expect(try library.store.operations.liveFigures() == figures)
    }
}
