import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

/// Pictures of a category whose stickers an editor publishes.
struct ReviewTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func review(_ isReviewed: Bool = true) {
        workshop.change { $0.categories["cats", default: StickerSettings()].review = isReviewed }
    }

    private var published: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: workshop.folder.path("out"))
                .filter { $0.hasSuffix(".webp") }
        }
    }

    @Test func reviewedPictureIsMadeAndPublishedNowhere() throws {
        review()
        try workshop.drop("cats/a.png", "a cat")

        let held = try workshop.work()

        guard case .refused(let refusal, _) = held.outcome else {
            Issue.record("\(held.outcome)")
            return
        }
        #expect(refusal.reason == .needsReview && refusal.remedy.contains("publish \(held.job.id)"))
        let kept = workshop.folder.path("state/review/\(held.job.id)")
        #expect(FileManager.default.contents(atPath: kept)?.isEmpty == false)
        #expect(try published.isEmpty)
        let status = try workshop.store.operations.status(countsOutdated: false)
        #expect(status.stickers == 0 && status.needAttention == 1)
    }

    @Test func editorsPublishIsThePictureAsItWasMade() throws {
        review()
        try workshop.drop("cats/a.png", "a cat")
        let held = try workshop.work()

        var filter = JobFilter()
        filter.ids = [held.job.id]
        _ = try workshop.store.operations.publish(filter, by: "eve")
        let made = try workshop.work()
        try workshop.drop("cats/b.png", "another cat")
        let next = try workshop.work()

        #expect(made.product != nil && made.job.id == held.job.id)
        #expect(try published.count == made.product?.files.count)
        #expect(next.product == nil)
    }

    @Test func newVersionWaitsWhileTheOldOneStays() throws {
        try workshop.drop("cats/a.png", "a cat")
        let old = try workshop.work()
        review()
        try workshop.drop("cats/a.png", "a cat")
        let touched = try workshop.work()

        try workshop.drop("cats/a.png", "another cat")
        let held = try workshop.work()

        #expect(touched.outcome == .unchanged(content: ContentHash(of: Array("a cat".utf8))))
        #expect(held.product == nil)
        let key = workshop.key("cats/a.png")
        #expect(try workshop.store.catalog.liveProduct(of: key)?.product == old.product)
    }

    /// It is public elsewhere, and this category has not been asked.
    @Test func pictureOfAnotherCategoryWaits() throws {
        review()
        try workshop.drop("dogs/a.png", "a dog")
        try workshop.work()

        try workshop.drop("cats/a.png", "a dog")
        let held = try workshop.work()
        try workshop.drop("dogs/b.png", "a dog")
        let shared = try workshop.work()

        #expect(held.product == nil && held.steps.contains("review"))
        #expect(shared.product != nil)
        #expect(workshop.maker.sources.count == 1)
        let kept = workshop.folder.path("state/review/\(held.job.id)")
        #expect(FileManager.default.contents(atPath: kept)?.isEmpty == false)
    }

    @Test func categoryThatIsNoLongerReviewedPublishes() throws {
        review()
        try workshop.drop("cats/a.png", "a cat")
        try workshop.work()
        let before = workshop.settings.current
        workshop.change { $0.categories["cats", default: StickerSettings()].qualityMin += 1 }
        try workshop.store.retryRefused(whereChanged: workshop.settings.current, from: before)
        #expect(try workshop.store.operations.jobsInReview().count == 1)

        review(false)
        try workshop.store.retryRefused(whereChanged: workshop.settings.current, from: before)

        #expect(try workshop.work().product != nil)
    }

    /// The console is another user of the group.
    @Test func stickersInReviewAreForWhoMayReadTheStateFolder() throws {
        let state = workshop.folder.path("state")
        chmod(state, 0o2775)
        review()
        try workshop.drop("cats/a.png", "a cat")

        let held = try workshop.work()

        var status = stat()
        #expect(stat("\(state)/review", &status) == 0 && status.st_mode & 0o7777 == 0o2770)
        #expect(stat("\(state)/review/\(held.job.id)", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    @Test func keptStickersGoWithTheirJobs() throws {
        review()
        var jobs: [JobID] = []
        for name in ["a", "b"] {
            try workshop.drop("cats/\(name).png", name)
            jobs.append(try workshop.work().job.id)
        }
        let folder = ReviewFolder(state: workshop.folder.path("state"))
        func names() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        }

        folder.clean(keeping: [jobs[0]])
        #expect(try names() == Set(jobs.map { "\($0)" }))
        folder.clean(keeping: [jobs[0]], olderThan: -1)

        #expect(try names() == ["\(jobs[0])"])
    }
}
