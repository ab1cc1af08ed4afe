import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

/// Files that end workers, or the daemon itself.
struct BlameTests {
    private let crash = Refusal(
        .decoderCrashed, "the worker was ended by SIGSEGV", measured: "decode", remedy: "save again"
    )

    private func fail(_ job: ClaimedJob, _ library: Library, content: Int = 1) throws -> Turn {
        try library.finish(job, .workerFailed(crash, content: hash(content)))
    }

    // MARK: Workers

    @Test func failedWorkerIsFollowedByOneMoreAndThenByTheRefusal() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let first = try #require(try library.claim().first)

        let turn = try fail(first, library)
        let between = try #require(try library.store.operations.job(first.id)).job
        let second = try #require(try library.claim().first)
        let end = try fail(second, library)

        #expect(first.workerFailures == 0 && !first.isLarge)
        #expect(turn.booked.map(\.state) == [.available])
        #expect(between.attempt == 1 && between.refusal == crash && !between.needsAttention)
        #expect(second.workerFailures == 1 && second.isLarge && second.attempt == 2)
        #expect(end.booked.map(\.reason) == ["decoder-crashed"])
        #expect(try library.store.operations.job(first.id)?.job.refusal == crash)
    }

    @Test func jobThatEndsWellAfterAFailedWorkerIsForgiven() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        _ = try fail(try #require(try library.claim().first), library)
        let second = try #require(try library.claim().first)

        try library.finish(second, .made(product(1), content: hash(1)))
        try library.accept(sighting("cats/a.png", 1, ctime: 9, .changed))
        library.time.advance(.seconds(1))

        #expect(try library.store.operations.job(second.id)?.job.refusal == nil)
        let next = try #require(try library.claim().first)
        #expect(next.workerFailures == 0 && !next.isLarge)
    }

    /// A touch changes the stamps, never the size.
    @Test func touchingAFileForgivesNothing() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        _ = try fail(try #require(try library.claim().first), library)

        // Waiting for its second attempt, then after its refusal.
        try library.accept(sighting("cats/a.png", 1, ctime: 8, .changed))
        library.time.advance(.seconds(1))
        let second = try #require(try library.claim().first)
        _ = try fail(second, library)
        try library.accept(sighting("cats/a.png", 1, ctime: 9, .changed))
        library.time.advance(.seconds(1))
        let third = try #require(try library.claim().first)
        let end = try fail(third, library)

        #expect(second.workerFailures == 1 && second.isLarge)
        #expect(third.id != second.id && third.workerFailures == 1 && third.isLarge)
        #expect(end.booked.map(\.state) == [.discarded])
    }

    @Test func touchingAFileWhileItsWorkerFailsForgivesNothing() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        let first = try #require(try library.claim().first)
        try library.accept(sighting("cats/a.png", 1, ctime: 8))

        let turn = try fail(first, library)

        #expect(turn.booked.map(\.reason) == ["superseded"])
        let heir = try #require(try library.claim().first)
        #expect(heir.workerFailures == 1 && heir.isLarge)
    }

    @Test func otherBytesStartOver() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png", 1))
        _ = try fail(try #require(try library.claim().first), library)

        // Another size, and then the same size with other bytes.
        try library.accept(sighting("cats/a.png", 2))
        let larger = try #require(try library.claim().first)
        let turn = try fail(larger, library, content: 2)
        let again = try #require(try library.claim().first)
        let other = try fail(again, library, content: 3)

        #expect(larger.workerFailures == 0 && !larger.isLarge)
        #expect(turn.booked.map(\.state) == [.available])
        #expect(other.booked.map(\.state) == [.available])
    }

    @Test func operatorsRetryForgives() throws {
        let library = try Library()
        try library.accept(sighting("cats/a.png"))
        for _ in 1...2 { _ = try fail(try #require(try library.claim().first), library) }
        var filter = JobFilter()
        filter.needingAttention = true

        _ = try library.store.operations.retry(filter)

        let job = try #require(try library.claim().first)
        #expect(job.workerFailures == 0 && !job.isLarge)
    }

    // MARK: Large jobs

    @Test func yieldedJobWaitsForALargeLaneAndTheAttemptDoesNotCount() throws {
        let library = try Library()
        try library.accept(sighting("cats/long.png"))
        let long = try #require(try library.claim().first)
        try library.finish(long, .yielded(isForeseen: true))
        try library.accept(sighting("cats/short.png", 1, .scan))
        library.time.advance(.seconds(1))

        let small = try library.store.queue.turn(
            finished: [], claiming: ClaimDemand(fresh: 5, ordinary: 5)
        ).claimed
        let large = try library.store.queue.turn(finished: [], claiming: ClaimDemand(large: 5))
            .claimed

        #expect(small.map(\.source) == [key("cats/short.png")])
        #expect(small.map(\.isLarge) == [false])
        #expect(large.map(\.id) == [long.id])
        #expect(large.map(\.isLarge) == [true] && large.map(\.attempt) == [1])
        #expect(large.map(\.workerFailures) == [0])
    }

    @Test func largeJobsAreCountedApart() throws {
        let library = try Library()
        for name in ["a", "b", "c"] {
            try library.accept(sighting("cats/\(name).png"))
            try library.finish(try #require(try library.claim().first), .yielded(isForeseen: true))
        }
        try library.accept(sighting("cats/x.png"), sighting("cats/y.png"))

        let demand = ClaimDemand(fresh: 1, ordinary: 1, large: 1)
        let counted = try library.store.queue.turn(finished: [], claiming: demand).claimed
        let rest = try library.store.queue.turn(finished: [], claiming: .any(3)).claimed

        #expect(counted.map(\.source) == [key("cats/x.png"), key("cats/a.png")])
        #expect(rest.map(\.source) == ["cats/y.png", "cats/b.png", "cats/c.png"].map { key($0) })
    }

    @Test func secondAttemptWaitsUntilNothingElseDoes() throws {
        let library = try Library()
        try library.accept(sighting("cats/long.png"))
        let long = try #require(try library.claim().first)
        try library.finish(long, .yielded(isForeseen: true))
        try library.accept(sighting("cats/crash.png"))
        let crashed = try #require(try library.claim().first)
        _ = try fail(crashed, library)
        func large() throws -> [JobID] {
            let demand = ClaimDemand(fresh: 1, ordinary: 1, large: 4, again: true)
            return try library.store.queue.turn(finished: [], claiming: demand).claimed.map(\.id)
        }

        let first = try large()
        let besideALargeOne = try large()
        try library.finish(long, .made(product(1), content: hash(1)))
        try library.accept(sighting("cats/small.png"))
        let small = try large()
        let second = try large()
        let besideTheSecond = try large()

        #expect(first == [long.id] && besideALargeOne.isEmpty)
        #expect(small.count == 1 && small != [crashed.id])
        #expect(second == [crashed.id] && besideTheSecond.isEmpty)
    }

    @Test func largeJobsStartBesideASecondAttempt() throws {
        let library = try Library()
        try library.accept(sighting("cats/crash.png"))
        let crashed = try #require(try library.claim().first)
        _ = try fail(crashed, library)
        let again = try library.claim(4)
        try library.accept(sighting("cats/long.png"))
        let long = try #require(try library.claim().first)
        try library.finish(long, .yielded(isForeseen: true))

        #expect(again.map(\.id) == [crashed.id] && again.map(\.isAgain) == [true])
        #expect(try library.claim(4).map(\.id) == [long.id])
    }

    // MARK: Crashes of the daemon

    /// A thread of the daemon crashes while it reads the file of a job.
    private func crash(_ library: Library, reading job: ClaimedJob?) throws -> Recovery {
        try library.reopen()
        return try library.store.queue.recover(after: .job(try #require(job).id.rawValue))
    }

    @Test func onlyJobsThatWereReadAreBlamedForACrash() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"), sighting("cats/ahead.png"))
        let claimed = try library.claim(2)
        _ = try crash(library, reading: claimed.first { $0.source == key("cats/killer.png") })

        let next = try library.claim(2)

        #expect(next.map(\.source) == [key("cats/ahead.png")])
        #expect(next.map(\.isLarge) == [false])
    }

    @Test func afterThreeCrashesAFileIsHeld() throws {
        let library = try Library()
        try library.make("cats/killer.png", 1)
        try library.accept(sighting("cats/killer.png", 7), sighting("cats/innocent.png"))
        library.time.advance(.seconds(1))
        let killer = try #require(
            try library.claim(2).first { $0.source == key("cats/killer.png") })
        var recovery = try crash(library, reading: killer)
        let innocent = try library.claim(2)
        #expect(innocent.map(\.source) == [key("cats/innocent.png")])
        try library.finish(innocent[0], .made(product(2), content: hash(2)))
        var crashes = 1
        while recovery.held.isEmpty, crashes < 10 {
            let alone = try library.claim(2)
            #expect(alone.map(\.id) == [killer.id])
            recovery = try crash(library, reading: alone.first)
            crashes += 1
        }

        #expect(crashes == 3)
        #expect(recovery.held.map(\.source) == [key("cats/killer.png")])
        let details = try #require(try library.store.operations.job(recovery.held[0].job))
        #expect(details.job.state == .discarded && details.job.reason == "daemon-crashed")
        #expect(details.job.refusal?.measured == "3 crashes")
        #expect(details.log.entries.map(\.step) == ["crash", "crash", "crash"])
        #expect(try library.claim().isEmpty)
        // Its sticker stays.
        let live = try #require(try library.store.catalog.liveProduct(of: key("cats/killer.png")))
        #expect(live.content == hash(1))

        var filter = JobFilter()
        filter.reason = "daemon-crashed"
        #expect(try library.store.operations.retry(filter).requeued.count == 1)
        #expect(try library.claim().map(\.source) == [key("cats/killer.png")])
    }

    @Test func touchingAFileThatCrashedTheDaemonForgivesNothing() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"))
        for touch in 1...2 {
            let job = try #require(try library.claim().first)
            try library.accept(sighting("cats/killer.png", 1, ctime: 10 + Int64(touch)))
            _ = try crash(library, reading: job)
        }
        try library.accept(sighting("cats/b.png"))

        let first = try library.claim(5)
        try library.finish(first[0], .made(product(2), content: hash(2)))
        let alone = try library.claim(5)
        let recovery = try crash(library, reading: alone.first)

        #expect(first.map(\.source) == [key("cats/b.png")])
        #expect(alone.map(\.source) == [key("cats/killer.png")])
        #expect(recovery.held.map(\.source) == [key("cats/killer.png")])
    }

    @Test func innocentBesideAKillerIsForgivenOnceItIsDone() throws {
        let library = try Library()
        try library.accept(sighting("cats/innocent.png"))
        for _ in 1...2 { _ = try crash(library, reading: try library.claim().first) }
        try library.finish(
            try #require(try library.claim().first), .made(product(1), content: hash(1)))

        try library.accept(sighting("cats/innocent.png", 1, ctime: 9, .changed))
        library.time.advance(.seconds(1))

        #expect(try library.claim().map(\.isLarge) == [false])
    }

    @Test func filesWithoutANameOfAPictureAreCountedByTheirMarks() throws {
        let library = try Library()
        _ = try library.store.queue.recover()
        var seen = sighting("cats/poison")
        let mark = seen.key.mark(size: seen.version.size)
        var avoided: [Bool] = []
        for _ in 1...3 {
            try library.store.queue.note(.file(mark))
            try library.reopen()
            _ = try library.store.queue.recover()
            avoided.append(try library.store.queue.isAvoided(mark))
        }
        #expect(avoided == [false, false, true])
        // It was touched.
        seen.version.mtime += 1
        #expect(try library.store.queue.isAvoided(seen.key.mark(size: seen.version.size)))
        seen.stranger = .crashing
        let refused = try library.accept(seen).refused
        #expect(refused.map(\.refusal.reason) == [.daemonCrashed])

        var filter = JobFilter()
        filter.reason = "daemon-crashed"
        #expect(try library.store.operations.retry(filter).requeued.count == 1)
        #expect(try !library.store.queue.isAvoided(mark))
        #expect(try library.claim().isEmpty)
        seen.stranger = .misnamed(MisnamedPicture(seen.key, format: .png) { _ in false })
        #expect(try library.accept(seen).refused.map(\.refusal.reason) == [.misnamed])
    }

    /// An earlier release knew why.
    @Test func aFileThatIsHeldNowIsNoLongerRefusedForItsName() throws {
        let library = try Library()
        var seen = sighting("cats/y.png.1")
        seen.stranger = .misnamed(MisnamedPicture(seen.key, format: .png) { _ in false })
        try library.accept(seen)
        seen.stranger = .crashing
        #expect(try library.accept(seen).refused.map(\.refusal.reason) == [.daemonCrashed])
        #expect(try library.accept(seen).refused.isEmpty)
        #expect(try library.store.operations.status().needAttention == 1)
    }

    @Test func touchingAFileWhileItCrashesTheDaemonDoesNotHelpIt() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"))
        var held: [RefusedFile] = []
        for touch in 1...5 where held.isEmpty {
            let job = try #require(try library.claim().first)
            try library.accept(sighting("cats/killer.png", 1, ctime: 10 + Int64(touch)))
            held = try crash(library, reading: job).held
        }
        #expect(held.map(\.source) == [key("cats/killer.png")])
        #expect(try library.claim().isEmpty)
    }

    /// Fresh files keep coming, and two lanes are never both idle.
    @Test func jobThatRunsLastRunsWithinAMinuteHoweverMuchIsDropped() throws {
        let library = try Library()
        for name in ["one", "two"] {
            try library.accept(sighting("cats/\(name).png"))
            _ = try crash(library, reading: try library.claim().first)
        }
        var running: [(job: ClaimedJob, end: Int)] = []
        var lone: [Int] = []
        for second in 0..<140 {
            try library.accept(sighting("cats/\(second).png"))
            for (job, _) in running.filter({ $0.end <= second }) {
                try library.finish(job, .made(product(1), content: hash(1)))
            }
            running.removeAll { $0.end <= second }
            let claimed = try library.claim(2 - running.count)
            if claimed.contains(where: \.isLarge) {
                lone.append(second)
                #expect(running.isEmpty && claimed.count == 1)
            }
            running += claimed.map { ($0, second + 2) }
            library.time.advance(.seconds(1))
        }

        // A minute lies between them, so that others go on.
        #expect(lone == [61, 123])
    }

    @Test func databaseOfAnEarlierReleaseKeepsItsJobsThatRunLast() throws {
        let library = try Library()
        try library.accept(sighting("cats/killer.png"), sighting("cats/other.png"))
        try library.store.write { transaction in
            try transaction.run("UPDATE job SET priority = 2, deaths = 2 WHERE id = 1")
            try transaction.undoMigration()
        }

        try library.reopen()

        #expect(try library.claim(5).map(\.source) == [key("cats/other.png")])
        #expect(
            try library.store.read { try $0.job(1)?.priority } == .last)
    }
}
