@preconcurrency import Dispatch
import StickerStore
import StickerSystem
import StickerValues

/// A fixed number of lanes that pull jobs from the database.
///
/// One serial queue owns the pool. Results gather in a group, whose files are put in place together on a separate
/// queue. A *turn* then records the group and claims as many jobs as the lanes can take, in one transaction, on a queue
/// of its own. A few jobs are claimed ahead, so that no lane waits for the disk.
final class WorkerPool: Sendable {
    /// How often to check whether a running job has become a long one.
    private static let laneMilliseconds = 250
    /// The pauses between turns while the database cannot be written.
    private static let storeBackoff = Backoff(first: .seconds(2), longest: .seconds(64))

    private let state: QueueConfined<State>
    private let queue: DispatchQueue
    private let threads = DispatchQueue(label: "stickerd.lanes", attributes: .concurrent)
    private let placing = DispatchQueue(label: "stickerd.place")
    private let recording = DispatchQueue(label: "stickerd.record")
    private let arrivals: any DispatchSourceUserDataAdd
    private let jobs: JobQueue
    private let laneTimer: any DispatchSourceTimer
    private let execute: @Sendable (ClaimedJob, WorkLane) -> JobResult
    private let place: @Sendable ([JobResult]) -> [FinishedJob]
    private let onTurn: @Sendable (PoolTurn) -> Void
    private let onFailure: @Sendable (StoreError?, _ inARow: Int) -> Void
    private let recorded = DispatchSemaphore(value: 0)

    private struct State {
        var lanes: Lanes
        var isClaiming = false
        var isStopped = false
        var outstanding = 0
        var ready: [ClaimedJob] = []
        var group = ResultGroup()
        var isPlacing = false
        /// Whether the database records a turn.
        var isTurning = false
        /// Whether another turn was asked for meanwhile.
        var isTurnDue = false
        var finished: [FinishedJob] = []
        /// How many of `finished` the shortage has counted.
        var noted = 0
        var storeFailures = 0
        /// No turn before this time, after one failed.
        var retryAt: ContinuousClock.Instant?
        var shortage = Shortage()
        var timer: (any DispatchSourceTimer)?

        /// A stop does not wait for the next attempt.
        var mayTurn: Bool { !isClaiming || (retryAt ?? .now) <= .now }
    }

    /// Creates a pool of `width` lanes that is idle until `start`; see `Lanes` for `patience`. `execute` does one job
    /// on a lane; `place` puts the files of several in place; `onTurn` receives, on the pool's queue, the result of
    /// each turn; `onFailure` is called when another turn in a row could not be written, and with `nil` once one could
    /// be again.
    init(
        width: Int, patience: Duration = Lanes.patience, jobs: JobQueue,
        execute: @escaping @Sendable (ClaimedJob, WorkLane) -> JobResult,
        place: @escaping @Sendable ([JobResult]) -> [FinishedJob],
        onTurn: @escaping @Sendable (PoolTurn) -> Void,
        onFailure: @escaping @Sendable (StoreError?, _ inARow: Int) -> Void
    ) {
        queue = DispatchQueue(label: "stickerd.pool")
        state = QueueConfined(State(lanes: Lanes(width: width, patience: patience)), on: queue)
        laneTimer = DispatchSource.makeTimerSource(queue: queue)
        arrivals = DispatchSource.makeUserDataAddSource(queue: queue)
        (self.jobs, self.execute, self.place) = (jobs, execute, place)
        (self.onTurn, self.onFailure) = (onTurn, onFailure)
        arrivals.setEventHandler { @Sendable [weak self] in self?.turn() }
        arrivals.resume()
        laneTimer.schedule(
            deadline: .now(), repeating: .milliseconds(Self.laneMilliseconds),
            leeway: .milliseconds(100))
        laneTimer.setEventHandler { @Sendable [weak self] in self?.turnIfLanesAreFull() }
        laneTimer.resume()
    }

    /// Starts claiming, or continues after a pause.
    func start() {
        state.perform { $0.isClaiming = true }
        wake()
    }

    /// Changes the number of lanes; running jobs continue.
    func setWidth(_ width: Int) {
        state.perform { $0.lanes.width = width }
        wake()
    }

    /// Stops claiming; jobs that are claimed are done. No job is claimed once it returns.
    func pause() {
        state.perform { $0.isClaiming = false }
        // The turn under way may claim.
        recording.sync {}
    }

    /// Signals that there may be something to claim.
    func wake() { arrivals.add(data: 1) }

    /// Calls back on the pool's queue once the database has recorded the turn under way.
    func ping(_ answer: @escaping @Sendable () -> Void) {
        recording.async { [queue] in queue.async(execute: answer) }
    }

    /// Stops claiming, and waits until every claimed job is recorded, for as long as `isPatient` returns
    /// `true`. Nothing is recorded afterwards.
    ///
    /// - Returns: whether all of them are recorded.
    func stop(waitingWhile isPatient: () -> Bool) -> Bool {
        pause()
        while state.perform({ $0.outstanding }) > 0, isPatient() {
            _ = recorded.wait(timeout: .now() + .milliseconds(100))
        }
        state.perform { state in
            state.isStopped = true
            state.ready = []
        }
        recording.sync {}
        return state.perform { $0.outstanding == 0 }
    }

    /// Records finished jobs and claims as many as the lanes can take. Meanwhile the lanes take jobs that are ready, and
    /// those that end are recorded together by the next turn.
    ///
    /// - Parameter readsWords: whether side files are claimed, too.
    private func turn(readsWords: Bool = true) {
        let start = ContinuousClock.now
        state.confined { state in
            guard !state.isStopped, state.mayTurn else { return }
            guard !state.isTurning else { return state.isTurnDue = true }
            state.shortage.note(Array(state.finished.dropFirst(state.noted)))
            state.noted = state.finished.count
            var wanted = state.shortage.pause == nil ? wanted(state, start) : ClaimDemand()
            if !readsWords { wanted.words = 0 }
            guard wanted != ClaimDemand() || !state.finished.isEmpty else { return }
            let (finished, shares) = (state.finished, state.lanes.shares(start))
            (state.finished, state.noted, state.isTurning) = ([], 0, true)
            recording.async { [self, wanted] in
                let result = Result { () throws(StoreError) in
                    try jobs.turn(finished: finished, claiming: wanted, shares)
                }
                queue.async { [self] in
                    end(result, start: start, of: finished, isSearch: wanted.large > 0)
                }
            }
        }
    }

    /// Ends a turn; `isSearch` says whether it would have claimed any job.
    private func end(
        _ result: Result<Turn, StoreError>, start: ContinuousClock.Instant,
        of finished: [FinishedJob], isSearch: Bool
    ) {
        state.confined { state in
            state.isTurning = false
            switch result {
            case .success(let turn):
                recover(&state)
                state.outstanding += turn.claimed.count - finished.count
                if !state.isStopped { goOn(&state, with: turn) }
                if !finished.isEmpty { recorded.signal() }
                onTurn(
                    PoolTurn(
                        start: start, turn: turn, finished: finished,
                        isIdle: isSearch && state.outstanding == 0, shortage: state.shortage))
            case .failure(let error):
                state.noted = finished.count
                state.finished = finished + state.finished
                retryLater(&state, after: error)
            }
            if exchange(&state.isTurnDue, with: false) { wake() }
        }
    }

    private func goOn(_ state: inout State, with turn: Turn) {
        Lanes.merge(turn.claimed, into: &state.ready)
        fillLanes(&state)
        let rest = state.shortage.pause.map { Int64($0.inMilliseconds) }
        scheduleNextTurn(&state, at: rest ?? turn.nextDueMilliseconds)
    }

    /// How many jobs to claim. A lane that becomes free takes a ready job, and more are claimed once two, or half of
    /// those ahead, are missing, unless a turn is due for finished jobs.
    private func wanted(_ state: State, _ now: ContinuousClock.Instant) -> ClaimDemand {
        guard state.isClaiming else { return ClaimDemand() }
        let words = ClaimDemand(words: state.lanes.wordsDemand(besides: state.ready))
        guard !state.group.isFull else { return words }
        let demand = state.lanes.demand(besides: state.ready, now)
        let few = max(Lanes.lookahead, state.lanes.lookahead / 2)
        if demand.ordinary >= few || !state.finished.isEmpty { return demand }
        // Side files go before the ready jobs.
        var first = words
        first.guestOf = demand.guestOf
        if demand.fresh >= Lanes.lookahead { first.fresh = demand.fresh }
        return first
    }

    /// Starts ready jobs on free lanes.
    private func fillLanes(_ state: inout State) {
        while let job = state.lanes.start(from: &state.ready, .now) {
            let lane = WorkLane(
                isLarge: job.isLarge, isFirstAttempt: job.workerFailures == 0,
                admits: { [self] cost in
                    self.state.perform { $0.lanes.admits(job.id, cost, .now) }
                },
                shouldYield: { [self] used in
                    self.state.perform { $0.lanes.mustYield(job.id, .now, used) }
                })
            threads.async { [self] in
                let result = execute(job, lane)
                queue.async { [self] in end(job, result) }
            }
        }
    }

    private func end(_ job: ClaimedJob, _ result: JobResult) {
        state.confined { state in
            state.lanes.end(job.id, .now, isStrike: result.finished.outcome.isStrike)
            fillLanes(&state)
            if result.staged == nil {
                state.finished.append(result.finished)
            } else {
                state.group.add(result, at: .now)
                queue.asyncAfter(deadline: .now() + ResultGroup.quiet.inMilliseconds / 1000) {
                    [weak self] in self?.placeGroup()
                }
            }
        }
        placeGroup()
        wake()
    }

    /// Puts the files of a group in place when it is time; meanwhile the next one gathers.
    private func placeGroup() {
        state.confined { state in
            guard !state.isPlacing,
                let results = state.group.take(at: .now, isLast: state.lanes.isEmpty)
            else { return }
            state.isPlacing = true
            placing.async { [self] in
                let finished = place(results)
                queue.async { [self] in
                    self.state.confined { state in
                        state.isPlacing = false
                        state.finished += finished
                    }
                    placeGroup()
                    wake()
                }
            }
        }
    }

    /// Only the passing of time can open the small lane.
    private func turnIfLanesAreFull() {
        let isFull = state.confined { state in
            guard state.lanes.isFull else { return false }
            fillLanes(&state)
            return true
        }
        // New side files wake the pool themselves.
        if isFull { turn(readsWords: false) }
    }

    /// Wakes when the next waiting job is due.
    private func scheduleNextTurn(_ state: inout State, at milliseconds: Int64?) {
        state.timer?.cancel()
        state.timer = nil
        guard let milliseconds else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + .milliseconds(Int(min(milliseconds, 60_000)) + 1))
        timer.setEventHandler { @Sendable [weak self] in self?.turnInTime() }
        timer.resume()
        state.timer = timer
    }

    /// The timer decides, not another clock.
    private func turnInTime() {
        state.confined { $0.retryAt = nil }
        turn()
    }

    /// The database could not be written, for example because of a full disk: no result is lost, all wait.
    private func retryLater(_ state: inout State, after error: StoreError) {
        state.storeFailures += 1
        let pause = Self.storeBackoff.delay(afterFailures: state.storeFailures)
        state.retryAt = .now + pause
        scheduleNextTurn(&state, at: Int64(pause.inMilliseconds))
        onFailure(error, state.storeFailures)
    }

    private func recover(_ state: inout State) {
        if state.storeFailures > 0 { onFailure(nil, 0) }
        (state.storeFailures, state.retryAt) = (0, nil)
    }
}
