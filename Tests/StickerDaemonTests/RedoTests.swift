import Logging
import StickerModel
import StickerTestSupport
import Testing

@testable import StickerDaemon
@testable import StickerStore

/// Which stickers are made anew after a change of settings, and when.
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

    private func waiting() throws -> Int { try workshop.store.status().waiting }

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
        let old = try workshop.store.liveProduct(of: key)?.product
        workshop.change("cats", quality: 50)
        #expect(try redo.queue())
        let meanwhile = try workshop.store.liveProduct(of: key)?.product

        let made = try workshop.work()

        #expect(meanwhile == old && old != nil)
        #expect(made.product?.recipe == workshop.settings.recipe(ofFolder: Array("cats".utf8)))
        #expect(try workshop.store.liveProduct(of: key)?.product == made.product)
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

    @Test func demandOutlivesAFailure() throws {
        workshop.change("cats", quality: 50)
        redo.demand()
        _ = try workshop.store.write {
            try $0.run(
                "CREATE TRIGGER full BEFORE INSERT ON job BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(throws: StoreError.self) { try redo.queueOnDemand() }

        _ = try workshop.store.write { try $0.run("DROP TRIGGER full") }

        #expect(try redo.queueOnDemand())
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
