/// The states of a job.
public enum JobState: String, Sendable, Codable, CaseIterable {
    /// Ready to be claimed.
    case available
    /// Waiting for its file to settle or to be complete.
    case scheduled
    /// Claimed by a worker.
    case executing
    /// Waiting for the next attempt after a transient error.
    case retryable
    /// Its sticker is published, or was found unchanged.
    case completed
    /// Superseded by a newer version, or its file vanished. Needs no attention.
    case cancelled
    /// Refused with a reason. Needs attention.
    case discarded

    /// Whether the job never leaves the state by itself.
    public var isFinal: Bool { self == .completed || self == .cancelled || self == .discarded }
}

/// The life of one job as a pure value: an event gives the next state, or traps if it is impossible.
///
/// ```
///  sighted ─▶ scheduled ─due─▶ available ─claim─▶ executing ─publish─▶ completed
///                 ▲  ▲                                │ │ │
///                 │  └───────── not whole yet ────────┘ │ ├─ refuse ──▶ discarded ─retry─▶ available
///                 │       retryable ◀─ transient error ─┘ └─ superseded, vanished ─▶ cancelled
///                 └─ newer version      └─due─▶ available
/// ```
public struct JobLifecycle: Hashable, Sendable {
    /// An event in the life of a job.
    public enum Event: Hashable, Sendable {
        /// The file was seen in a newer state before work began: wait `delay` for it to settle.
        case sighted(delay: Duration)
        /// The waiting time is over.
        case due
        /// A worker claimed it; this is on disk before the work starts.
        case claimed
        /// The file is not complete yet: look again after `delay`. The attempt does not count.
        case arriving(delay: Duration)
        /// The disk is full or similar; the file is not at fault. The attempt does not count.
        case released
        /// The daemon died during the attempt. The attempt does not count.
        case rescued
        /// Its worker crashed, hung or exceeded a limit. It gets one more attempt with another worker.
        case workerFailed
        /// The sticker is published, or nothing had changed.
        case published
        /// The file is bad; another attempt would end the same.
        case refused
        /// A transient error, such as an I/O error while reading.
        case failed
        /// A newer version took its place, or the file vanished.
        case cancelled
        /// An operator asked for another attempt.
        case retried
    }

    /// The effect of an event on the job.
    public struct Change: Hashable, Sendable {
        /// The state after the event.
        public var state: JobState
        /// Attempts that count, after the event.
        public var attempt: Int
        /// The shortest time in the new state, if it is one of the waiting states.
        public var delay: Duration?
    }

    /// The state before the event.
    public var state: JobState
    /// Attempts that count, 0 before the first claim.
    public var attempt: Int

    /// Creates a job in `state` after `attempt` attempts.
    public init(state: JobState, attempt: Int) {
        self.state = state
        self.attempt = attempt
    }

    /// The state after `event`.
    ///
    /// - Parameters:
    ///   - event: an impossible one is a programming error and traps.
    ///   - retryDelays: the pauses between attempts; when they are used up, the job is discarded.
    ///   - jitter: 0...1, spreads retries over half to all of the pause.
    /// - Returns: the effect on the job.
    public func after(_ event: Event, retryDelays: [Duration] = [], jitter: Double = 1) -> Change {
        switch (event, state) {
        case (.sighted(let delay), .available), (.sighted(let delay), .scheduled),
            (.sighted(let delay), .retryable):
            Change(state: .scheduled, attempt: 0, delay: delay)
        case (.due, .scheduled), (.due, .retryable):
            Change(state: .available, attempt: attempt)
        case (.claimed, .available):
            Change(state: .executing, attempt: attempt + 1)
        case (.arriving(let delay), .executing):
            Change(state: .scheduled, attempt: attempt - 1, delay: delay)
        case (.released, .executing), (.rescued, .executing):
            Change(state: .available, attempt: attempt - 1)
        case (.workerFailed, .executing):
            Change(state: .available, attempt: attempt)
        case (.published, .executing):
            Change(state: .completed, attempt: attempt)
        case (.refused, .executing):
            Change(state: .discarded, attempt: attempt)
        case (.failed, .executing):
            failed(retryDelays, jitter)
        case (.cancelled, .executing), (.cancelled, .available), (.cancelled, .scheduled),
            (.cancelled, .retryable), (.cancelled, .discarded):
            Change(state: .cancelled, attempt: attempt)
        case (.retried, .discarded), (.retried, .retryable), (.retried, .scheduled),
            (.retried, .cancelled), (.retried, .completed):
            Change(state: .available, attempt: 0)
        default:
            preconditionFailure("a job that is \(state) cannot become \(event)")
        }
    }

    private func failed(_ retryDelays: [Duration], _ jitter: Double) -> Change {
        guard attempt <= retryDelays.count else {
            return Change(state: .discarded, attempt: attempt)
        }
        let backoff = Backoff(pauses: retryDelays, spread: 0.5)
        return Change(
            state: .retryable, attempt: attempt,
            delay: backoff.delay(afterFailures: attempt, jitter: jitter))
    }
}
