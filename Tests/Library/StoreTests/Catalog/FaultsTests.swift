import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Stickers that an earlier release published wrong are known, counted, and made again on request.
struct FaultsTests {
    private let library: Library
    private let recipe: (CategoryNames, Concessions) -> RecipeIDs = { _, _ in RecipeIDs("recipe") }

    /// Three stickers of the release before, and one of this release.
    init() throws {
        library = try Library()
        for number in 1...3 {
            try make(
                "cats/\(number).png", product(number, revision: Recipe.generalRevision), number)
        }
        try library.make("cats/new.png", 4)
    }

    private func make(_ path: String, _ product: StickerProduct, _ content: Int) throws {
        try library.accept(sighting(path, Int64(content)))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product, content: hash(content)))
    }

    /// 1 is wrong, 2 is outdated, and there is nothing to be said of 3.
    private func examine() throws {
        let names = ["cats/1.png": ["gray-profile", "pixel-art"], "cats/2.png": ["pixel-art"]]
        let noted = try library.store.catalog.unseen(after: 0, limit: 9).map { sticker in
            let found = names[sticker.source.display] ?? []
            return NotedFaults(
                output: sticker.output, revision: sticker.product.revision, names: found,
                isWrong: found.contains("gray-profile"))
        }
        try library.store.catalog.note(noted)
    }

    @Test func stickersOfEarlierReleasesAreUnseenUntilSomebodyLooks() throws {
        let pages = [
            try library.store.catalog.unseen(after: 0, limit: 2),
            try library.store.catalog.unseen(after: 2, limit: 2),
        ]
        #expect(
            pages.map { $0.map(\.source.display) } == [
                ["cats/1.png", "cats/2.png"], ["cats/3.png"],
            ])
        #expect(try library.store.queue.stale(recipe: recipe).map(\.unseen) == [3])
        #expect(try library.store.operations.status().outdated == 0)

        try examine()

        #expect(try library.store.catalog.unseen(after: 0, limit: 9).isEmpty)
        #expect(try library.store.queue.stale(recipe: recipe).map(\.unseen) == [0])
    }

    @Test func wrongOnesAreCountedByFaultAndAmongTheOutdated() throws {
        try examine()

        let plan = try #require(try library.store.queue.stale(recipe: recipe).first)
        #expect(plan.outdated == 2 && plan.wrong == 1 && plan.stale == 0)
        #expect(plan.faults == ["gray-profile": 1, "pixel-art": 2])
        let status = try library.store.operations.status()
        #expect(status.outdated == 2 && status.wrong == 1)
        #expect(
            try library.store.operations.story(of: "1")?.faults == ["gray-profile", "pixel-art"])
    }

    @Test func wrongOnesAloneAreMadeAgainAndCountNoMore() throws {
        try examine()

        #expect(
            try library.store.operations.renewOutdated(limit: 9, onlyWrong: true, dryRun: true)
                .queued
                == ["cats/1.png"])
        #expect(
            try library.store.operations.renewOutdated(limit: 9, onlyWrong: true).queued == [
                "cats/1.png"
            ])
        #expect(
            try library.store.operations.renewOutdated(limit: 9, onlyWrong: true).queued.isEmpty)
        let job = try #require(try library.claim(5).first)
        #expect(job.renewal == .automatic)
        try library.finish(job, .made(product(1, files: 2), content: hash(1)))

        let status = try library.store.operations.status()
        #expect(status.outdated == 1 && status.wrong == 0)
        #expect(try library.store.operations.story(of: "1")?.faults == [])
        #expect(try library.store.catalog.unseen(after: 0, limit: 9).isEmpty)
        #expect(try library.store.operations.renewOutdated(limit: 9).queued == ["cats/2.png"])
    }

    @Test func fileThatIsGoneIsSkippedWithTheReason() throws {
        try examine()
        try library.accept(gone: [key("cats/1.png")])

        let summary = try library.store.operations.renewOutdated(limit: 9, onlyWrong: true)

        #expect(summary.queued.isEmpty)
        #expect(summary.skipped.map(\.file) == ["cats/1.png"])
        #expect(summary.skipped.map(\.why) == ["the file is gone"])
    }

    @Test func whatNoFaultConcernsCountsAsMadeByThisRevision() throws {
        try examine()

        let products = try library.store.packs.knownProducts(of: hash(3))
        #expect(products.map(\.revision) == [Recipe.currentRevision])
    }

    @Test func drawingStaysOutdatedIfNoFaultConcernsIt() throws {
        let noted = try library.store.catalog.unseen(after: 0, limit: 9).map { sticker in
            var faults = NotedFaults(
                output: sticker.output, revision: sticker.product.revision, names: [],
                isWrong: false)
            faults.isDrawing = sticker.source.display == "cats/3.png"
            return faults
        }
        try library.store.catalog.note(noted)

        #expect(try library.store.catalog.unseen(after: 0, limit: 9).isEmpty)
        #expect(try library.store.queue.stale(recipe: recipe).map(\.outdated) == [1])
        #expect(try library.store.operations.status().outdated == 1)
        #expect(try library.store.operations.renewOutdated(limit: 9).queued == ["cats/3.png"])
    }

    @Test func olderThanTheLastGeneralRevisionStaysOutdated() throws {
        try make("cats/old.png", product(5, revision: Recipe.generalRevision - 1), 5)
        try examine()

        #expect(
            try library.store.packs.knownProducts(of: hash(5)).map(\.revision)
                == [Recipe.generalRevision - 1])
        #expect(try library.store.operations.status().outdated == 3)
    }

    @Test func whatWasMadeAgainMeanwhileIsNotNoted() throws {
        let unseen = try library.store.catalog.unseen(after: 0, limit: 1)
        _ = try library.store.operations.renew("cats/1.png")
        let job = try #require(try library.claim(5).first)
        try library.finish(job, .made(product(1, files: 2), content: hash(1)))

        try library.store.catalog.note(
            unseen.map {
                NotedFaults(
                    output: $0.output, revision: $0.product.revision, names: ["gray-profile"],
                    isWrong: true)
            })

        #expect(try library.store.operations.status().wrong == 0)
    }
}
