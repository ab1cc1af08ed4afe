import StickerValues
import Testing

@testable import StickerStore

/// Pictures that wait for an editor, and the history of what people change.
struct ReviewTests {
    private let library: Library
    private var operations: Operations { library.store.operations }
    private let refusal = Refusal(.needsReview, "it waits", remedy: "publish it")

    init() throws { library = try Library() }

    /// A picture of some bytes that waits for review.
    private func hold(_ path: String, _ bytes: Int64) throws -> JobID {
        try library.accept(sighting(path, bytes))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(refusal, content: hash(Int(bytes))))
        return job.id
    }

    /// Whether the picture of some bytes that appears there is published without an editor.
    private func isApproved(_ path: String, _ bytes: Int64) throws -> Bool {
        try library.accept(sighting(path, bytes))
        return try library.outlook(path, hash(Int(bytes))).isApproved
    }

    private func only(_ id: JobID) -> JobFilter {
        var filter = JobFilter()
        filter.ids = [id]
        return filter
    }

    @Test func editorPublishesOnePictureOfOneCategory() throws {
        let held = try hold("cats/a.png", 1)
        #expect(try operations.jobsInReview() == [held])

        let summary = try operations.publish(only(held), by: "eve")

        #expect(summary.requeued.map(\.id) == [held])
        #expect(try operations.jobsInReview().isEmpty)
        let job = try #require(try library.claim().first)
        #expect(try library.store.queue.outlook(of: job, hash(1)).isApproved)
        #expect(try !library.store.queue.outlook(of: job, hash(2)).isApproved)
        let log = try #require(try operations.job(held)).log.entries
        #expect(
            log.last?.detail == "published by eve; before: needs-review: it waits")
        #expect(try !isApproved("dogs/a.png", 1))
        let again = try operations.publish(only(held))
        #expect(again.requeued.isEmpty)
        #expect(again.skipped.map(\.why) == ["it does not wait for review"])
    }

    @Test func othersThatNeedAttentionAreNotPublished() throws {
        try library.accept(sighting("cats/bad.png", 4))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(.emptyFile, content: hash(4)))
        let dry = try hold("cats/a.png", 1)

        var filter = JobFilter()
        filter.needingAttention = true

        let summary = try operations.publish(filter, by: nil, dryRun: true)

        #expect(summary.requeued.map(\.id) == [dry] && summary.skipped.count == 1)
        #expect(try operations.jobsInReview() == [dry])
    }

    @Test func publishedPictureNeedsNoReviewInItsCategory() throws {
        try library.make("cats/a.png", 1)

        #expect(try isApproved("cats/copy.png", 1))
        #expect(try !isApproved("dogs/a.png", 1))
        try library.accept(gone: [key("cats/a.png")])
        #expect(try isApproved("cats/again.png", 1))
        #expect(try !isApproved("cats/other.png", 2))
    }

    @Test func editorsOwnPictureIsApprovedBeforeItArrives() throws {
        try operations.approve(hash(7), at: key("new/a.png"), by: "eve")

        #expect(try isApproved("new/a.png", 7))
        #expect(try !isApproved("new/b.png", 8))
    }

    // MARK: Changes

    @Test func changesBearNamesAndFollowTheSticker() throws {
        try library.make("cats/a.png", 1)
        try operations.note([NewChange("changed title", of: [key("cats/a.png")])], by: "ada")
        try operations.note(
            [NewChange("moved it", of: [key("cats/b.png"), key("cats/a.png")])], by: "eve")
        try operations.note([NewChange("changed title", of: [key("cats/category.json")])], by: nil)
        try operations.note([NewChange("added it", of: [key("cats/z.png")])], by: "ada")
        try operations.note([], by: "ada")

        let story = try #require(try operations.story(of: "cats/a.png"))
        let own = try operations.changes(of: story, limit: 9)
        #expect(own.map(\.person) == ["eve", "ada"])
        #expect(own.map(\.file) == ["cats/b.png", "cats/a.png"])
        let all = try operations.changes(in: CategoryID(rawValue: "cats"), limit: 9)
        #expect(all.map(\.person) == ["ada", nil, "eve", "ada"])
        #expect(
            try operations.changes(in: CategoryID(rawValue: "cats"), limit: 1).map(\.sentence)
                == ["added it"])
    }

    @Test func dropOfAPictureIsInItsHistory() throws {
        try operations.note([NewChange("added it", of: [key("cats/a.png")])], by: "ada")
        try library.make("cats/a.png", 1)

        let story = try #require(try operations.story(of: "cats/a.png"))

        #expect(try operations.changes(of: story, limit: 9).map(\.sentence) == ["added it"])
    }

    @Test func changesAreForgottenLikeJobs() throws {
        try library.make("cats/a.png", 1)
        try operations.note([NewChange("changed title", of: [key("cats/a.png")])], by: "ada")
        _ = try library.housekeeper().prune()
        let cats = CategoryID(rawValue: "cats")
        #expect(try operations.changes(in: cats, limit: 9).count == 1)

        library.time.advance(library.policy.history + .seconds(1))
        _ = try library.housekeeper().prune()

        #expect(try operations.changes(in: cats, limit: 9).isEmpty)
    }
}
