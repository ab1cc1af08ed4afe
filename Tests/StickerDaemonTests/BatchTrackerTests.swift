import StickerModel
import StickerTestSupport
import Testing

@testable import StickerDaemon
@testable import StickerStore

struct BatchTrackerTests {
    private let start = ContinuousClock.now

    /// A turn that booked these ends, one job each.
    private func turn(_ states: JobState...) -> PoolTurn {
        var turn = Turn()
        turn.booked = states.enumerated().map { index, state in
            Turn.Booked(id: JobID(rawValue: Int64(index)), state: state)
        }
        return PoolTurn(
            start: start, turn: turn, finished: [], isIdle: false, shortage: Shortage())
    }

    private func look(
        _ tracker: inout BatchTracker, waiting: Int, after seconds: Int = 0
    ) -> [BatchTracker.Notice] {
        tracker.look(
            waiting: waiting, working: 0, now: start + .seconds(seconds), wall: 1000)
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
        _ = look(&tracker, waiting: 30)

        let notices = tracker.end(start + .seconds(2))

        guard case .finished(let batch, _)? = notices.first else {
            Issue.record("no end in \(notices)")
            return
        }
        #expect(batch.waiting == 30 && batch.done == 0)
        #expect(tracker.end(start + .seconds(3)).isEmpty)
    }

    @Test func nothingWorksInARest() {
        var tracker = BatchTracker()
        _ = tracker.look(waiting: 25, working: 5, now: start, wall: 1000)
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
