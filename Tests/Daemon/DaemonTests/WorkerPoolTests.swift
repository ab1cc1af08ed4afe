import StickerStore
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

/// The order of jobs, and their records. The lanes themselves are the business of `LanesTests`.
struct WorkerPoolTests {
    // MARK: Width

    @Test func noMoreJobsRunThanThereAreLanes() async throws {
        let stage = try PoolStage(width: 2)
        try stage.drop("a", "b", "c", "d", "e")
        for name in ["c", "d", "e"] { stage.finish(name) }

        stage.pool.start()
        #expect(await stage.begun.wait { Set($0) == ["a", "b"] } != nil)
        stage.finish("a")

        #expect(await stage.begun.wait { $0.count == 5 } != nil)
        stage.finish("b")
        #expect(await stage.isBooked(5))
        #expect(stage.mostAtOnce == 2)
    }

    @Test func moreLanesAreFilledAtOnce() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a", "b", "c")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)

        stage.pool.setWidth(3)

        #expect(await stage.begun.wait { Set($0) == ["a", "b", "c"] } != nil)
        for name in ["a", "b", "c"] { stage.finish(name) }
        #expect(await stage.isBooked(3))
    }

    @Test func laneThatWasTakenAwayEndsWithItsJob() async throws {
        let stage = try PoolStage(width: 2)
        try stage.drop("a", "b", "c")
        stage.pool.start()
        #expect(await stage.begun.wait { $0.count == 2 } != nil)

        stage.pool.setWidth(1)
        stage.finish("a")

        #expect(await stage.isBooked(1))
        #expect(Set(stage.begun.value) == ["a", "b"])
        stage.finish("b")
        #expect(await stage.begun.wait { $0.last == "c" } != nil)
        stage.finish("c")
        #expect(await stage.isBooked(3))
    }

    // MARK: Turns

    @Test func wakeDuringATurnIsNotLost() async throws {
        let stage = try PoolStage(width: 1)
        stage.finish("a")
        stage.atNextTurn { [unowned stage] in
            // The turn has looked already, and found nothing.
            #expect(throws: Never.self) { try stage.drop("a") }
            stage.pool.wake()
        }

        stage.pool.start()

        #expect(await stage.isBooked(1))
        #expect(stage.turns.value.first?.turn.claimed.isEmpty == true)
    }

    @Test func nothingStartsBeforeThePoolDoes() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        let answered = WaitableValue(false)

        stage.pool.wake()
        stage.pool.ping { answered.update { $0 = true } }

        #expect(await answered.wait { $0 } != nil)
        #expect(stage.begun.value.isEmpty)
        #expect(try stage.store.operations.status().waiting == 1)
    }

    @Test func jobIsClaimedOnTheDiskBeforeItBegins() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")

        stage.pool.start()

        #expect(await stage.begun.wait { $0 == ["a"] } != nil)
        #expect(try stage.store.operations.status().working == 1)
        stage.finish("a")
        #expect(await stage.isBooked(1))
        #expect(try stage.store.operations.status().stickers == 1)
    }

    @Test func jobThatWaitsStartsWhenItIsDueAndNobodyNeedsToSay() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        stage.finish("a", as: .arriving(delay: .milliseconds(50), why: "its end is missing"))

        stage.pool.start()

        #expect(await stage.begun.wait { $0 == ["a", "a"] } != nil)
        stage.finish("a")
        #expect(await stage.isBooked(2))
    }

    @Test func poolIsIdleOnlyWhileNothingRunsAndNothingWaits() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a", "b")

        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)
        #expect(stage.turns.value.allSatisfy { !$0.isIdle })
        for name in ["a", "b"] { stage.finish(name) }

        #expect(await stage.turns.wait { $0.last?.isIdle == true } != nil)
        #expect(try stage.store.operations.status().stickers == 2)
    }

    // MARK: Stopping

    @Test func stopWaitsForWhatIsClaimedAndClaimsNothingMore() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a", "b", "c", "d")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)
        let asked = WaitableValue(0)

        let stopped = stage.stop {
            asked.update { $0 += 1 }
            return true
        }
        #expect(await asked.wait { $0 > 1 } != nil)
        #expect(stopped.value == nil)
        for name in ["a", "b", "c", "d"] { stage.finish(name) }

        #expect(await stopped.wait { $0 != nil } == true)
        // Two are claimed ahead of the lane.
        #expect(stage.begun.value == ["a", "b", "c"])
        #expect(try stage.store.operations.status().stickers == 3)
        #expect(try stage.store.operations.status().waiting == 1)
    }

    @Test func stopThatCannotWaitSaysSoAndNothingIsBookedAfterIt() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a", "b")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)
        #expect(await stage.turns.wait { $0.contains { $0.turn.claimed.count == 2 } } != nil)

        let stopped = stage.stop { false }

        #expect(await stopped.wait { $0 != nil } == false)
        let answered = WaitableValue(false)
        stage.finish("a")
        stage.finish("b")
        stage.pool.wake()
        stage.pool.ping { answered.update { $0 = true } }
        #expect(await answered.wait { $0 } != nil)
        #expect(stage.begun.value == ["a"])
        #expect(try stage.store.operations.status().working == 2)
    }

    @Test func pausedPoolEndsWhatItClaimedAndGoesOnLater() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a", "b", "c", "d")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)

        stage.pool.pause()
        for name in ["a", "b", "c", "d"] { stage.finish(name) }

        #expect(await stage.isBooked(3))
        #expect(try stage.store.operations.status().waiting == 1)
        stage.pool.start()
        #expect(await stage.isBooked(4))
    }

    /// A busy database holds up the turn that claims.
    @Test func noJobIsClaimedOnceThePoolIsPaused() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        #expect(await stage.databaseIsBusy(for: 0.1))
        stage.pool.start()

        stage.pool.pause()

        let working = try stage.store.operations.status().working
        let answered = WaitableValue(false)
        stage.pool.ping { answered.update { $0 = true } }
        #expect(await answered.wait { $0 } != nil)
        #expect(try stage.store.operations.status().working == working)
        stage.finish("a")
        stage.pool.start()
        #expect(await stage.isBooked(1))
    }

    // MARK: Lanes

    @Test func smallFileIsMadeBesideALongOneThatHoldsTheOnlyLane() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("long", "small")
        stage.finish("small")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["long"] } != nil)

        let isAdmitted = stage.lane("long")?.admits(.long)

        #expect(isAdmitted == true)
        #expect(await stage.isBooked(1))
        #expect(stage.begun.value == ["long", "small"])
        #expect(stage.lane("long")?.shouldYield(.seconds(10)) == false)
        stage.finish("long")
        #expect(await stage.isBooked(2))
    }

    @Test func longJobOnTheSmallLaneYieldsAndRunsLaterAsALargeOne() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("long", "longer")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["long"] } != nil)
        #expect(stage.lane("long")?.admits(.long) == true)
        #expect(await stage.begun.wait { $0 == ["long", "longer"] } != nil)

        #expect(stage.lane("longer")?.isLarge == false)
        #expect(stage.lane("longer")?.admits(.long) == false)
        stage.finish("longer", as: .yielded(isForeseen: true))

        #expect(await stage.isBooked(1))
        #expect(stage.begun.value == ["long", "longer"])
        stage.finish("long")
        #expect(await stage.begun.wait { $0 == ["long", "longer", "longer"] } != nil)
        #expect(stage.lane("longer")?.isLarge == true)
        stage.finish("longer")
        #expect(await stage.isBooked(3))
    }

    // MARK: Trouble

    @Test func poolRestsWhileTheSystemLacksSomething() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)

        stage.finish("a", as: .released("no space left on device"))
        #expect(await stage.isBooked(1))
        let shortage = stage.turns.value.last?.shortage
        for _ in 0..<10 { stage.pool.wake() }

        #expect(await stage.begun.wait { $0 == ["a", "a"] } != nil)
        #expect(shortage?.lack == "no space left on device" && shortage?.rests == 1)
        let pause = try #require(stage.pause(before: "a"))
        #expect(pause >= .seconds(1))
        stage.finish("a")
        #expect(await stage.isBooked(2))
        #expect(await stage.turns.wait { $0.last?.shortage.lack == nil } != nil)
    }

    @Test func storeThatCannotBeWrittenIsToldAndTriedAgainLaterAndLater() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        try stage.refuseWrites()
        stage.finish("a")

        stage.pool.start()
        #expect(await stage.failures.wait { !$0.isEmpty } != nil)
        for _ in 0..<10 { stage.pool.wake() }
        #expect(await stage.failures.wait { $0.count > 1 } != nil)
        try stage.allowWrites()

        #expect(await stage.isBooked(1))
        let failures = try #require(await stage.failures.wait { $0.count > 2 })
        #expect(failures.map(\.inARow) == Array(1..<failures.count) + [0])
        #expect(failures.first?.error?.contains("the disk is full") == true)
        #expect(failures.last?.error == nil)
        // A failure is reported shortly after its pause has begun.
        #expect(failures[1].at - failures[0].at > .seconds(1.9))
        #expect(failures[2].at - failures[1].at > .seconds(3.9))
    }

    @Test func resultThatCannotBeBookedWaitsInMemory() async throws {
        let stage = try PoolStage(width: 1)
        try stage.drop("a")
        stage.pool.start()
        #expect(await stage.begun.wait { $0 == ["a"] } != nil)

        try stage.refuseWrites()
        stage.finish("a")
        #expect(await stage.failures.wait { !$0.isEmpty } != nil)
        #expect(try stage.store.operations.status().working == 1)
        try stage.allowWrites()

        #expect(await stage.isBooked(1))
        #expect(try stage.store.operations.status().stickers == 1)
        #expect(stage.begun.value == ["a"])
    }
}
