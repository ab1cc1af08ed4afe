import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerStore

struct BatchTrackerTests {
    private let start = ContinuousClock.now

    /// A batch of files so small that their size hardly counts.
    private static let work = 500_000.0

    /// A turn that booked these ends, one job each, of files with this name and size.
    private func turn(
        _ states: JobState..., name: String = "a.png", bytes: Int64 = 0
    ) -> PoolTurn {
        var turn = Turn()
        turn.booked = states.enumerated().map { index, state in
            Turn.Booked(id: JobID(rawValue: Int64(index)), state: state)
        }
        let finished = turn.booked.map { booked in
            FinishedJob(
                job: ClaimedJob(
                    id: booked.id,
                    source: SourceKey(drop: "/drop", directory: [], name: Array(name.utf8)),
                    version: FileVersion(inode: 1, size: bytes, mtime: 1, ctime: 1),
                    origin: .scan, attempt: 1, ageMilliseconds: 0,
                    category: CategoryID(rawValue: "c"), sticker: nil),
                outcome: .failed("a state is all that counts here"), log: StepLog())
        }
        return PoolTurn(
            start: start, turn: turn, finished: finished, isIdle: false, shortage: Shortage())
    }

    private func look(
        _ tracker: inout BatchTracker, waiting: Int, after seconds: Int = 0, work: Double? = nil
    ) -> [BatchTracker.Notice] {
        tracker.look(
            waiting: waiting, working: 0, now: start + .seconds(seconds), wall: 1000,
            workLeft: { work ?? Self.work * Double(waiting) })
    }

    @Test func singleDropsMakeNoBatch() {
        var tracker = BatchTracker()

        #expect(look(&tracker, waiting: 20).isEmpty)
        #expect(tracker.current == nil)
        #expect(look(&tracker, waiting: 0).isEmpty)
    }

    @Test func tellsItsStartEveryTenthAndItsEnd() throws {
        var tracker = BatchTracker()
        var notices = look(&tracker, waiting: 30)
        for step in 1...30 {
            tracker.count(turn(step == 30 ? .discarded : .completed))
            notices += look(&tracker, waiting: 30 - step, after: step)
        }
        for second in 31...33 { notices += look(&tracker, waiting: 0, after: second) }

        #expect(notices.first == .started(found: 30))
        let percents = notices.compactMap { notice in
            if case .reached(let percent, _) = notice { percent } else { nil }
        }
        #expect(percents == [10, 20, 30, 40, 50, 60, 70, 80, 90])
        guard case .finished(let batch, let summary)? = notices.last else {
            Issue.record("no end in \(notices)")
            return
        }
        #expect(batch.found == 30 && batch.done == 29 && batch.needAttention == 1)
        #expect(summary.seconds >= 30)
        #expect(tracker.current == nil)
    }

    @Test func estimatesTheRestByWhatIsDone() {
        var tracker = BatchTracker()
        _ = look(&tracker, waiting: 100)
        tracker.count(turn(.completed, .completed))

        _ = look(&tracker, waiting: 98, after: 10)

        #expect(tracker.current?.secondsLeft == 490)
        #expect(
            tracker.current?.shown
                == "100 found · 2 done · 0 working · 98 waiting · about 8 min left")
    }

    /// Four in five are done, and most of the work is left.
    @Test func estimatesTheRestByItsWork() throws {
        var tracker = BatchTracker()
        _ = look(&tracker, waiting: 100)
        for _ in 1...80 { tracker.count(turn(.completed)) }

        let notices = look(&tracker, waiting: 20, after: 10, work: Self.work * 120)

        #expect(tracker.current?.secondsLeft == 15)
        #expect(tracker.current?.workDone == 0.4)
        guard case .reached(percent: 40, _)? = notices.last else {
            Issue.record("not at 40 % in \(notices)")
            return
        }
    }

    @Test func animationsAreMoreWork() {
        var (stills, animations) = (BatchTracker(), BatchTracker())
        _ = look(&stills, waiting: 60)
        _ = look(&animations, waiting: 60)
        for _ in 1...30 {
            stills.count(turn(.completed, name: "a.png", bytes: 100_000))
            animations.count(turn(.completed, name: "a.GIF", bytes: 100_000))
        }

        _ = look(&stills, waiting: 30, after: 60)
        _ = look(&animations, waiting: 30, after: 60)

        #expect(stills.current?.secondsLeft == 50)
        #expect(animations.current?.secondsLeft == 5)
    }

    /// Files that became nothing are counted and reported.
    @Test func saysHowManyWereCancelled() throws {
        var tracker = BatchTracker()
        _ = look(&tracker, waiting: 33)
        for _ in 1...11 { tracker.count(turn(.cancelled)) }
        for second in 1...2 { _ = look(&tracker, waiting: 0, after: second) }

        let notices = look(&tracker, waiting: 0, after: 3)

        guard case .finished(let batch, _)? = notices.first else {
            Issue.record("no end in \(notices)")
            return
        }
        #expect(batch.found == 33 && batch.done == 0 && batch.cancelled == 33)
        #expect(batch.shown == "33 found · 0 done · 0 working · 0 waiting · 33 cancelled")
    }

    /// The database is asked at another moment than turns are counted.
    @Test func jobThatEndsDuringALookIsNotCancelled() throws {
        var tracker = BatchTracker()
        for second in 0...2 { _ = look(&tracker, waiting: 33, after: second) }
        // Booked and not counted yet, and then counted while it seems to be left.
        _ = look(&tracker, waiting: 30, after: 3)
        for _ in 1...33 { tracker.count(turn(.completed)) }
        _ = look(&tracker, waiting: 3, after: 4)
        for second in 5...6 { _ = look(&tracker, waiting: 0, after: second) }

        let notices = look(&tracker, waiting: 0, after: 7)

        guard case .finished(let batch, _)? = notices.first else {
            Issue.record("no end in \(notices)")
            return
        }
        #expect(batch.done == 33 && batch.cancelled == nil)
    }

    @Test func whatWaitedLongBeforeItIsNoPartOfItsTime() throws {
        var tracker = BatchTracker()
        for second in 0..<60 { _ = look(&tracker, waiting: 1, after: second) }
        _ = look(&tracker, waiting: 101, after: 60)
        for _ in 1...50 { tracker.count(turn(.completed)) }

        _ = look(&tracker, waiting: 51, after: 70)

        let left = try #require(tracker.current?.secondsLeft)
        #expect((10...14).contains(left))
    }

    @Test func stopEndsItAsItStands() throws {
        var tracker = BatchTracker()
        _ = tracker.look(
            waiting: 26, working: 4, now: start, wall: 1000, workLeft: { Self.work * 30 })

        let notices = tracker.end(start + .seconds(2))

        guard case .finished(let batch, _)? = notices.first else {
            Issue.record("no end in \(notices)")
            return
        }
        #expect(batch.waiting == 30 && batch.done == 0 && batch.cancelled == nil)
        #expect(tracker.end(start + .seconds(3)).isEmpty)
    }

    @Test func nothingWorksInARest() {
        var tracker = BatchTracker()
        _ = tracker.look(
            waiting: 25, working: 5, now: start, wall: 1000, workLeft: { Self.work * 30 })
        for _ in 1...30 { tracker.count(turn(.completed)) }

        _ = look(&tracker, waiting: 0, after: 1)

        #expect(tracker.current?.shown == "30 found · 30 done · 0 working · 0 waiting")
    }

    @Test func aShortRestDoesNotEndIt() {
        var tracker = BatchTracker()
        _ = look(&tracker, waiting: 30)

        #expect(look(&tracker, waiting: 0, after: 1).isEmpty)
        #expect(look(&tracker, waiting: 5, after: 2).isEmpty)
        #expect(tracker.current != nil)
    }
}
