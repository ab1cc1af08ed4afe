import Testing

@testable import StickerDaemon
@testable import StickerStore

struct DrainProgressTests {
    private let ending = Ending()

    private func idleTurn(_ start: ContinuousClock.Instant) -> PoolTurn {
        PoolTurn(start: start, turn: Turn(), finished: [], isIdle: true, shortage: Shortage())
    }

    @Test func turnThatBeganBeforeTheEndOfTheScanDoesNotEndTheDrain() {
        let progress = DrainProgress(ending: ending, isDraining: true)
        let before = ContinuousClock.now

        progress.startScanFinished()
        progress.note(idleTurn(before), isMoreDue: false)

        #expect(!ending.isDecided)
        progress.note(idleTurn(.now), isMoreDue: false)
        #expect(ending.isDecided)
    }

    @Test func drainWaitsForWhatIsAboutToBeQueued() {
        let progress = DrainProgress(ending: ending, isDraining: true)
        progress.startScanFinished()

        progress.note(idleTurn(.now), isMoreDue: true)

        #expect(!ending.isDecided)
        progress.note(idleTurn(.now), isMoreDue: false)
        #expect(ending.wait() == .drained)
    }

    @Test func drainGivesUpWhereTheStoreCannotBeWrittenForTheFourthTime() {
        let progress = DrainProgress(ending: ending, isDraining: true)

        for failures in 1...3 { progress.note(failures: failures) }

        #expect(!ending.isDecided)
        progress.note(failures: 4)
        #expect(ending.wait() == .stuck)
    }

    @Test func daemonWaitsHoweverOftenTheStoreCannotBeWritten() {
        let progress = DrainProgress(ending: ending, isDraining: false)

        progress.note(failures: 1000)

        #expect(!ending.isDecided)
    }

    @Test func daemonIsNeverDrained() {
        let progress = DrainProgress(ending: ending, isDraining: false)

        progress.startScanFinished()
        progress.note(idleTurn(.now), isMoreDue: false)

        #expect(!ending.isDecided)
    }
}
