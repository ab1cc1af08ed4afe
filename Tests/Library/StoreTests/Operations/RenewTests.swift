import GRDB
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Stickers of an older revision of the code, and stickers made again because an operator asks.
struct RenewTests {
    private let library: Library

    /// Two stickers of an older revision that share their files, one of this revision.
    init() throws {
        library = try Library()
        for path in ["cats/a.png", "dogs/twin.png"] {
            try make(path, product(1, revision: 1), 1)
        }
        try library.make("cats/c.png", 3)
    }

    private func make(_ path: String, _ product: StickerProduct, _ content: Int) throws {
        try library.accept(sighting(path, Int64(content)))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product, content: hash(content)))
    }

    @Test func olderRevisionIsValidAndCounted() throws {
        let recipe: (CategoryNames, Concessions) -> RecipeIDs = { _, _ in RecipeIDs("recipe") }

        #expect(try library.store.queue.redoStale(recipe: recipe) == 0)
        #expect(try library.store.operations.status().outdated == 2)
        let plan = try library.store.queue.stale(recipe: recipe)
        #expect(plan.map(\.outdated) == [1, 1] && plan.map(\.stale) == [0, 0])
    }

    @Test func sharedFilesAreRenewedOnceAndForAll() throws {
        let publisher = try library.publisher()
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        let before = try library.manifest("dogs").stickers

        #expect(try library.store.operations.renewOutdated(limit: 9).queued.count == 1)
        #expect(try library.store.operations.renewOutdated(limit: 9).queued.isEmpty)
        let job = try #require(try library.claim(5).first)
        #expect(job.renewal == .automatic && job.isBulk)
        let turn = try library.finish(job, .made(product(1, files: 2), content: hash(1)))
        for category in turn.changedCategories { try publisher.publish(category) }

        let after = try library.manifest("dogs").stickers
        #expect(turn.changedCategories.map(\.rawValue).sorted() == ["cats", "dogs"])
        #expect(before.map(\.identifier) == after.map(\.identifier))
        #expect(before.map(\.imageURL) != after.map(\.imageURL))
        #expect(try library.store.operations.status().outdated == 0)
    }

    @Test func filesOfBeforeStayAsLongAsReplacedOnesAndAsManifestsNameThem() throws {
        let publisher = try library.publisher()
        let housekeeper = try library.housekeeper()
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        _ = try library.store.operations.renewOutdated(limit: 9)
        let job = try #require(try library.claim(5).first)
        try library.finish(job, .made(product(1, files: 2), content: hash(1)))
        func paths() throws -> Int {
            try library.store.read { try $0.count("SELECT count(*) FROM output_file") }
        }

        #expect(try paths() == 12)
        library.time.advance(.seconds(86401))
        _ = try housekeeper.prune()
        #expect(try paths() == 12)
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        _ = try housekeeper.prune()
        #expect(try paths() == 8)
    }

    @Test func nothingNewIsFoundWhereTheFilesAreTheSame() throws {
        _ = try library.store.operations.renewOutdated(limit: 9)
        let job = try #require(try library.claim(5).first)

        let turn = try library.finish(job, .made(product(1), content: hash(1)))

        #expect(turn.changedCategories.isEmpty)
        #expect(try library.store.operations.status().outdated == 0)
    }

    @Test func refusedRenewalKeepsTheOldFilesAndIsNotRepeated() throws {
        _ = try library.store.operations.renewOutdated(limit: 9)
        let job = try #require(try library.claim(5).first)
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        try library.finish(job, .refused(refusal, content: hash(1)))

        #expect(try library.store.operations.status().stickers == 3)
        #expect(try library.store.operations.renewOutdated(limit: 9).queued.isEmpty)
    }

    @Test func namedFileIsMadeAgainWhateverItsRevision() throws {
        let summary = try library.store.operations.renew("cats/c.png")

        #expect(summary.queued == ["cats/c.png"] && summary.skipped.isEmpty)
        let job = try #require(try library.claim().first)
        #expect(job.source == key("cats/c.png") && job.renewal == .requested && !job.isBulk)
        #expect(
            try library.store.operations.renew("cats/c.png").skipped.map(\.why) == [
                "it is being worked on"
            ])
        try library.finish(job, .made(product(3), content: hash(3)))
        let again = try #require(
            try library.store.operations.job(job.id)?.log.entries.first { $0.step == "redo" })
        #expect(again.detail == "an operator asked for it")
    }

    @Test func renewalIsForgottenWithTheJobThatDidIt() throws {
        _ = try library.store.operations.renew("cats/c.png")
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(3), content: hash(3)))

        try library.accept(sighting("cats/c.png", 4))
        library.time.advance(.seconds(1))

        #expect(try library.claim().first?.renewal == ClaimedJob.Renewal.none)
    }

    @Test func renewalOfAFileThatIsTouchedMeanwhileIsNotForgotten() throws {
        _ = try library.store.operations.renew("cats/c.png")
        let job = try #require(try library.claim().first)

        try library.accept(sighting("cats/c.png", 3, ctime: 9))
        try library.finish(job, .made(product(3), content: hash(3)))
        library.time.advance(.seconds(1))

        #expect(try library.claim().map(\.renewal) == [.requested])
    }

    @Test func manyReplacedFilesAreRemovedInOneCleaning() throws {
        let library = try Library()
        let housekeeper = try library.housekeeper()
        let publisher = try library.publisher()
        for number in 0..<130 {
            try library.make("cats/\(number).png", number)
            _ = try library.store.operations.renew("cats/\(number).png")
            let job = try #require(try library.claim().first)
            try library.finish(job, .made(product(number, files: 2), content: hash(number)))
        }
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        library.time.advance(.seconds(86401))

        _ = try housekeeper.prune()

        let left = try library.store.read { try $0.count("SELECT count(*) FROM output_file") }
        #expect(left == 130 * 4)
    }

    @Test func jobThatWaitsAlreadyBecomesTheRenewal() throws {
        try library.accept(sighting("cats/c.png", 5))

        #expect(try library.store.operations.renew("c").queued == ["cats/c.png"])

        library.time.advance(.seconds(1))
        #expect(try library.claim(5).map(\.renewal) == [.requested])
    }

    @Test func whatCannotBeMadeAgainIsSkippedWithTheReason() throws {
        try library.accept(sighting("cats/new.png", 9))
        try library.accept(gone: [key("cats/a.png")])

        #expect(
            try library.store.operations.renew("cats/new.png").skipped.map(\.why)
                == ["it is not published; see: stickerctl explain cats/new.png"])
        #expect(
            try library.store.operations.renew("cats/a.png").skipped.map(\.why) == [
                "the file is gone"
            ])
        #expect(try library.store.operations.renew("nobody.png") == RenewalSummary())
    }

    @Test func dryRunsQueueNothing() throws {
        #expect(
            try library.store.operations.renew("cats/c.png", dryRun: true).queued == ["cats/c.png"])
        #expect(
            try library.store.operations.renewOutdated(limit: 9, dryRun: true).queued.count == 1)

        #expect(try library.claim().isEmpty)
    }

    @Test func jobOfARenewalSharesNoFiles() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        _ = try library.store.operations.renew("cats/a.png")

        let job = try #require(try library.claim().first)
        let outlook = try library.store.queue.outlook(of: job, hash(1))

        #expect(job.renewal == .requested && outlook.products.isEmpty && outlook.live == nil)
        #expect(try library.outlook("cats/b.png", hash(1)).products == [product(1)])
    }

    @Test func whatAFileBecameIsKnownAlsoIfItIsLost() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.store.write { _ = try $0.run("UPDATE output SET is_lost = 1") }

        let live = try #require(try library.outlook("cats/a.png", hash(1)).live)
        #expect(live.isLost && live.content == hash(1) && live.product == product(1))
        #expect(try library.store.catalog.liveProduct(of: key("cats/a.png")) == nil)
        #expect(try library.outlook("cats/b.png", hash(1)).live == nil)
    }
}
