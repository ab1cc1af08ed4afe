import StickerValues
import Testing

struct BackoffTests {
    @Test func pausesDoubleUpToTheLongest() {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(64))

        let delays = (1...9).map { backoff.delay(afterFailures: $0) }

        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
    }

    @Test func longestPauseNeedNotBeAPowerOfTheFactor() {
        let backoff = Backoff(first: .milliseconds(100), factor: 3, longest: .seconds(1))

        let delays = (1...5).map { backoff.delay(afterFailures: $0) }

        #expect(delays == [100, 300, 900, 1000, 1000].map { .milliseconds($0) })
    }

    @Test func failuresWithoutEndDoNotOverflow() {
        let backoff = Backoff(first: .seconds(2), longest: .seconds(64))

        #expect(backoff.delay(afterFailures: .max) == .seconds(64))
    }

    @Test func listedPausesAreTakenInOrder() {
        let backoff = Backoff(pauses: [.seconds(2), .seconds(30), .seconds(8)])

        let delays = (1...4).map { backoff.delay(afterFailures: $0) }

        #expect(delays == [.seconds(2), .seconds(30), .seconds(8), .seconds(8)])
    }

    @Test func jitterTakesAwayNoMoreThanTheSpread() {
        let backoff = Backoff(pauses: [.seconds(8)], spread: 0.5)

        let delays = [0, 0.5, 1].map { backoff.delay(afterFailures: 1, jitter: $0) }

        #expect(delays == [.seconds(4), .seconds(6), .seconds(8)])
    }

    @Test func withoutASpreadJitterChangesNothing() {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(4))

        #expect(backoff.delay(afterFailures: 1, jitter: 0) == .seconds(1))
    }
}
