import StickerValues
import Testing

/// Changes of attempts and pauses when an event happens. The states alone, and the events that trap,
/// are the business of `JobLifecycleTableTests`.
struct JobLifecycleTests {
    typealias Change = JobLifecycle.Change

    @Test(arguments: [JobState.available, .scheduled, .retryable])
    func newerVersionStartsOver(state: JobState) {
        let change = after(.sighted(delay: .seconds(1)), state, attempt: 3)

        #expect(change == (.scheduled, 0, .seconds(1)))
    }

    @Test(arguments: [JobState.scheduled, .retryable])
    func waitingEnds(state: JobState) {
        #expect(after(.due, state, attempt: 2) == (.available, 2, nil))
    }

    @Test func claimCountsAnAttempt() {
        #expect(after(.claimed, .available, attempt: 0) == (.executing, 1, nil))
        #expect(after(.claimed, .available, attempt: 4) == (.executing, 5, nil))
    }

    @Test func arrivingFileIsLookedAtAgainForFree() {
        let change = after(.arriving(delay: .seconds(5)), .executing, attempt: 2)

        #expect(change == (.scheduled, 1, .seconds(5)))
    }

    @Test(arguments: [JobLifecycle.Event.released, .rescued])
    func whatIsNotTheFilesFaultDoesNotCount(event: JobLifecycle.Event) {
        #expect(after(event, .executing, attempt: 1) == (.available, 0, nil))
        #expect(after(event, .executing, attempt: 3) == (.available, 2, nil))
    }

    @Test func failedWorkerCountsAsAnAttempt() {
        #expect(after(.workerFailed, .executing, attempt: 1) == (.available, 1, nil))
    }

    @Test func workEnds() {
        #expect(after(.published, .executing, attempt: 1) == (.completed, 1, nil))
        #expect(after(.refused, .executing, attempt: 1) == (.discarded, 1, nil))
    }

    @Test(arguments: [
        JobState.executing, .available, .scheduled, .retryable, .discarded,
    ])
    func jobIsCancelled(state: JobState) {
        #expect(after(.cancelled, state, attempt: 1) == (.cancelled, 1, nil))
    }

    @Test(arguments: [
        JobState.discarded, .retryable, .scheduled, .cancelled, .completed,
    ])
    func operatorStartsOver(state: JobState) {
        #expect(after(.retried, state, attempt: 5) == (.available, 0, nil))
    }

    @Test func transientErrorsWaitLongerAndLonger() {
        let delays: [Duration] = [.seconds(2), .seconds(8), .seconds(30)]
        for (index, delay) in delays.enumerated() {
            let attempt = index + 1

            let longest = after(.failed, .executing, attempt: attempt, delays: delays, jitter: 1)
            let shortest = after(.failed, .executing, attempt: attempt, delays: delays, jitter: 0)

            #expect(longest == (.retryable, attempt, delay))
            #expect(shortest == (.retryable, attempt, delay / 2))
        }
    }

    @Test func usedUpAttemptsDiscard() {
        let delays: [Duration] = [.seconds(2), .seconds(8)]

        #expect(after(.failed, .executing, attempt: 3, delays: delays) == (.discarded, 3, nil))
        #expect(after(.failed, .executing, attempt: 1, delays: []) == (.discarded, 1, nil))
    }

    @Test func finalStatesAreThoseThatOnlyAnOperatorLeaves() {
        let final = JobState.allCases.filter(\.isFinal)

        #expect(final == [.completed, .cancelled, .discarded])
    }

    private func after(
        _ event: JobLifecycle.Event, _ state: JobState, attempt: Int, delays: [Duration] = [],
        jitter: Double = 1
    ) -> Change {
        JobLifecycle(state: state, attempt: attempt)
            .after(event, retryDelays: delays, jitter: jitter)
    }
}

private func == (
    change: JobLifecycle.Change, expected: (state: JobState, attempt: Int, delay: Duration?)
) -> Bool {
    change.state == expected.state && change.attempt == expected.attempt
        && change.delay == expected.delay
}
