import Logging
import StickerConfiguration
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerStore

/// Which stickers are made again after a change of settings, and when.
struct RedoTests {
    private let workshop: Workshop
    private let redo: Redo

    init() throws {
        workshop = try Workshop()
        redo = Redo(
            store: workshop.store, settings: workshop.settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for category in ["cats", "dogs"] {
            try workshop.drop("\(category)/a.png", category)
            try workshop.work()
        }
    }

    private func waiting() throws -> Int { try workshop.store.operations.status().waiting }

    @Test func stickersOfAChangedCategoryAloneAreQueuedAndPassedByFreshFiles() throws {
        workshop.change("dogs", quality: 50)

        #expect(try redo.queue())

        #expect(try waiting() == 1)
        try workshop.drop("birds/a.png", "a bird")
        let jobs = [try workshop.claim(), try workshop.claim()]
        #expect(jobs.map(\.category.rawValue) == ["birds", "dogs"])
        #expect(jobs.map(\.isBulk) == [false, true])
    }

    @Test func oldStickerIsServedUntilTheNewOneIsMade() throws {
        let key = workshop.key("cats/a.png")
        let old = try workshop.store.catalog.liveProduct(of: key)?.product
        workshop.change("cats", quality: 50)
        #expect(try redo.queue())
        let meanwhile = try workshop.store.catalog.liveProduct(of: key)?.product

        let made = try workshop.work()

        #expect(meanwhile == old && old != nil)
        let ids = workshop.settings.current.recipe(of: CategoryNames(folder: Array("cats".utf8)))
            .ids
        #expect(made.product?.recipe == ids.still.whole)
        #expect(try workshop.store.catalog.liveProduct(of: key)?.product == made.product)
    }

    // MARK: Looks

    private func say(_ text: String, _ category: String = "cats") throws {
        try workshop.drop("\(category)/category.json", text)
        try workshop.work()
    }

    @Test func changedLookMakesItsCategoryAgainAndOnlyIt() throws {
        try say(#"{"look": {"outline": {"pixels": 9}}}"#)

        #expect(try redo.queueOnDemand())

        #expect(try waiting() == 1)
        let made = try workshop.work()
        #expect(made.job.category.rawValue == "cats")
        #expect(workshop.maker.recipes.last?.settings.outline.pixels == 9)
        #expect(try !redo.queueOnDemand())
    }

    @Test func wordsWithoutLookMakeNothingAgain() throws {
        try say(#"{"title": "Cats"}"#)

        #expect(try !redo.queueOnDemand())

        #expect(try waiting() == 0)
    }

    @Test func unknownMarkLeavesTheFormerLook() throws {
        try say(#"{"look": {"trim": true}}"#)
        try say(#"{"look": {"watermarks": [{"id": "l", "image": "logo.png"}]}}"#)

        let look = try workshop.store.catalog.look(of: CategoryID(rawValue: "cats"))
        #expect(look?.watermarks == nil && look?.trim == nil)
        var filter = JobFilter()
        filter.needingAttention = true
        #expect(try workshop.store.operations.jobs(filter).count == 1)
    }

    @Test func withoutItsMarkNoStickerIsMadeAndPublishedOnesStay() throws {
        let picture = FileContent(bytes: [1], hash: ContentHash(of: [1]))
        workshop.change {
            $0.marks = MarkFolder(path: "/marks")
            $0.marks?.pictures["logo.png"] = picture
        }
        try say(#"{"look": {"watermarks": [{"id": "l", "image": "logo.png"}]}}"#)
        #expect(try redo.queueOnDemand())
        try workshop.work()
        let orders = workshop.maker.recipes.count

        workshop.change { $0.marks?.pictures = [:] }
        redo.demand()
        _ = try redo.queueOnDemand()
        try workshop.drop("cats/new.png", "new")
        let waits = try workshop.work()

        guard case .arriving(_, let why) = waits.outcome else {
            Issue.record("\(waits.outcome)")
            return
        }
        #expect(why.contains("logo.png"))
        #expect(workshop.maker.recipes.count == orders)
        #expect(try workshop.store.catalog.liveProduct(of: workshop.key("cats/a.png")) != nil)
    }

    @Test func whatIsUpToDateIsLeftAlone() throws {
        #expect(try !redo.queue())

        #expect(try waiting() == 0)
    }

    @Test func whatIsQueuedOrUnderWayIsNotQueuedAgain() throws {
        workshop.change("cats", quality: 50)
        #expect(try redo.queue())

        #expect(try !redo.queue())
        #expect(try waiting() == 1)
        _ = try workshop.claim()
        #expect(try !redo.queue())
        #expect(try waiting() == 0)
    }

    @Test func whatThisRecipeRefusedIsNotTriedAgainButByAnother() throws {
        workshop.change("cats", quality: 50)
        #expect(try redo.queue())
        workshop.maker.fail(.refused(Refusal(.willNotFit, "it is too large", remedy: "none")))
        try workshop.work()

        #expect(try !redo.queue())
        workshop.change("cats", quality: 60)
        #expect(try redo.queue())
    }

    @Test func nothingIsQueuedWithoutADemandAndOnceForIt() throws {
        workshop.change("cats", quality: 50)

        #expect(try !redo.queueOnDemand())
        redo.demand()
        #expect(try redo.queueOnDemand())
        workshop.change("dogs", quality: 50)
        #expect(try !redo.queueOnDemand())
        #expect(try waiting() == 1)
    }

    @Test func turnCountsOnlyIfItBeganAfterTheJobsOfADemandWereQueued() throws {
        workshop.change("cats", quality: 50)
        #expect(!redo.isDue(since: .now))

        let before = ContinuousClock.now
        redo.demand()
        #expect(redo.isDue(since: .now))
        #expect(try redo.queueOnDemand())

        #expect(redo.isDue(since: before))
        #expect(!redo.isDue(since: .now))
    }

    @Test func demandOutlivesAFailure() throws {
        workshop.change("cats", quality: 50)
        redo.demand()
        _ = try workshop.store.write {
            try $0.run(
                "CREATE TRIGGER full BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(throws: StoreError.self) { try redo.queueOnDemand() }
        #expect(redo.isDue(since: .now))

        _ = try workshop.store.write { try $0.run("DROP TRIGGER full") }

        #expect(try redo.queueOnDemand())
    }

    // MARK: Inks

    @Test func pictureInCMYKAloneIsMadeAgainByAnotherProfile() throws {
        let cyan = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0)
        try workshop.drop("cats/cyan.jpg", cyan.bytes)
        let plain = try workshop.work().product?.recipe
        let made = workshop.maker.sources.count

        for hash in ["1", "2"] {
            workshop.change { $0.color.cmykProfile = .read(hash: hash) }
            #expect(try redo.queue())
            #expect(try waiting() == 1)
            let product = try workshop.work().product
            let ids = workshop.settings.current.recipe(
                of: CategoryNames(folder: Array("cats".utf8))
            ).ids
            #expect(product?.recipe == ids.cmyk?.whole && product?.recipe != plain)
            #expect(try !redo.queue())
        }

        #expect(workshop.maker.sources.count == made + 2)
    }

    @Test func pictureInCMYKThatBeganWithoutTheProfileIsMadeAgain() throws {
        let cyan = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0)
        try workshop.drop("cats/cyan.jpg", cyan.bytes)
        let finished = try workshop.work()
        workshop.change { $0.color.cmykProfile = .read() }

        redo.note(.ended(finished))

        #expect(try redo.queueOnDemand())
    }

    // MARK: Targets

    private func setTargets(_ category: String, _ targets: [String]) {
        workshop.change { $0.categories[category, default: StickerSettings()].targets = targets }
    }

    @Test func furtherTargetIsMadeAloneAndPublishedBesideTheSticker() throws {
        let key = workshop.key("cats/a.png")
        let old = try #require(try workshop.store.catalog.liveProduct(of: key)?.product)
        setTargets("cats", ["whatsapp", "discord"])

        #expect(try redo.queue())
        let finished = try workshop.work()

        let order = try #require(workshop.maker.recipes.last)
        #expect(!order.makesSticker && order.targetsToMake.map(\.name) == ["discord"])
        let product = try #require(try workshop.store.catalog.liveProduct(of: key)?.product)
        #expect(product == finished.product)
        #expect(product.files.map(\.target) == ["whatsapp", "discord"])
        #expect(product.files.map(\.role) == [.sticker, .rendition])
        #expect(product.files[0] == old.files[0])
        #expect(try !redo.queue())
    }

    @Test func targetThatIsLeftOutIsNotPublishedAnyMoreAndNothingIsMade() throws {
        setTargets("cats", ["whatsapp", "discord"])
        #expect(try redo.queue())
        try workshop.work()
        let made = workshop.maker.sources.count
        setTargets("cats", ["whatsapp"])

        #expect(try redo.queue())
        let finished = try workshop.work()

        #expect(workshop.maker.sources.count == made)
        #expect(finished.product?.files.map(\.target) == ["whatsapp"])
    }

    @Test func targetWithoutAFileHoldsNobodyBackAndIsNotTriedAgain() throws {
        setTargets("cats", ["whatsapp", "discord"])
        workshop.maker.makeNothing(for: "discord")
        #expect(try redo.queue())

        let finished = try workshop.work()

        #expect(finished.product?.shortfalls.map(\.target) == ["discord"])
        #expect(finished.product?.files.map(\.role) == [.sticker])
        #expect(finished.steps == ["read", "fake"])
        #expect(try !redo.queue())
    }

    @Test func shortfallOfAChangedLimitIsTriedAgain() throws {
        setTargets("cats", ["whatsapp", "discord"])
        workshop.maker.makeNothing(for: "discord", .tooComplex)
        #expect(try redo.queue())
        try workshop.work()
        workshop.maker.makeEverything()
        let before = workshop.settings.current
        workshop.change { $0.limits.cpuSecondsMax += 1 }

        try workshop.store.retryRefused(whereChanged: workshop.settings.current, from: before)
        let finished = try workshop.work()

        #expect(finished.product?.files.map(\.target) == ["whatsapp", "discord"])
        #expect(finished.product?.shortfalls == [])
    }

    @Test func changedDefaultIsNoChangedRule() throws {
        try workshop.drop("cats/b.png", "b")
        workshop.maker.fail(.refused(Refusal(.willNotFit, "it is too large", remedy: "none")))
        try workshop.work()
        let now = workshop.settings.current
        try workshop.store.operations.setConfigurationRecord(
            ConfigurationRecord(
                path: nil, loadedAt: workshop.store.now,
                settings: now.before(ChangedDefault.all).settings))

        #expect(
            try workshop.store.retryRefused(
                whereChangedSinceTheLastRun: now, butFor: ChangedDefault.all) == 0)
        #expect(
            try workshop.store.retryRefused(whereChangedSinceTheLastRun: now, butFor: []) == 1)
    }

    @Test func changedRuleOfOneTargetMakesThatAlone() throws {
        setTargets("cats", ["whatsapp", "discord", "slack"])
        #expect(try redo.queue())
        try workshop.work()
        workshop.change { $0.targets["slack"]?.still?.bytesMax = 5000 }

        #expect(try redo.queue())
        try workshop.work()

        let order = try #require(workshop.maker.recipes.last)
        #expect(!order.makesSticker && order.targetsToMake.map(\.name) == ["slack"])
    }

    @Test func renewalMakesEverythingAgain() throws {
        setTargets("cats", ["whatsapp", "discord"])
        #expect(try redo.queue())
        try workshop.work()

        _ = try workshop.store.operations.renew("cats/a.png")
        try workshop.work()

        let order = try #require(workshop.maker.recipes.last)
        #expect(order.makesSticker && order.targets.map(\.name) == ["whatsapp", "discord"])
    }

    // MARK: An older release

    private func outdate() throws {
        try workshop.store.write { transaction in
            _ = try transaction.run(
                "UPDATE output SET revision = 1, product = json_set(product, '$.revision', 1)")
        }
    }

    @Test func whatAnOlderReleaseMadeWaitsUntilSomebodyAsks() throws {
        try outdate()

        #expect(try !redo.queueWhenIdle() && !redo.queue())
        #expect(try workshop.store.operations.status().outdated == 2)
    }

    @Test func whatAnOlderReleaseMadeIsRenewedWhenNothingElseWaits() throws {
        try outdate()
        workshop.change { $0.renew = .idle }
        try workshop.drop("birds/a.png", "a bird")

        let whileBusy = try redo.queueWhenIdle()
        try workshop.work()

        #expect(!whileBusy)
        #expect(try redo.queueWhenIdle())
        #expect(try waiting() == 2)
        #expect(try !redo.queueWhenIdle())
        try workshop.work()
        try workshop.work()
        #expect(try workshop.store.operations.status().outdated == 0)
        #expect(try !redo.queueWhenIdle())
    }

    @Test func jobThatBeganUnderOlderSettingsIsADemand() throws {
        try workshop.drop("cats/b.png", "another cat")
        let finished = try workshop.work()

        redo.note(.ended(finished))
        let whileCurrent = try redo.queueOnDemand()
        workshop.change("cats", quality: 50)
        redo.note(.ended(finished))

        #expect(!whileCurrent)
        #expect(try redo.queueOnDemand())
    }
}

extension PoolTurn {
    fileprivate static func ended(_ job: FinishedJob) -> PoolTurn {
        PoolTurn(
            start: .now, turn: Turn(), finished: [job], isIdle: false, shortage: Shortage())
    }
}
