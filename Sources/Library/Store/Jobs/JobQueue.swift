import GRDB
public import StickerValues
import Synchronization

/// The result of one turn of the queue.
public struct Turn: Sendable {
    /// How one finished attempt was recorded.
    public struct Booked: Hashable, Sendable {
        /// The job.
        public var id: JobID
        /// Its state now.
        public var state: JobState
        /// The shortest time in the new state, if it is one of the waiting states.
        public var delay: Duration?
        /// The code of the refusal or of the cancellation, if it ended that way.
        public var reason: String?
        /// The published sticker: one that came back may have another id than its job was given.
        public var sticker: StickerID?
    }

    /// Jobs to work on, already marked as executing on disk.
    public var claimed: [ClaimedJob] = []
    /// The finished attempts, in the order given.
    public var booked: [Booked] = []
    /// Stickers that a file of another format continues.
    public var renamed: [RenamedFile] = []
    /// Categories whose manifest is now out of date.
    public var changedCategories: Set<CategoryID> = []
    /// Milliseconds until the next waiting job is due; `nil` if none waits. Meaningful if fewer jobs were claimed than
    /// requested.
    public var nextDueMilliseconds: Int64?
}

/// Sightings become jobs, and jobs become products.
public final class JobQueue: Transacting {
    /// What is known since the start and is not stored.
    struct Memory {
        var rhythm = Rhythm()
        /// When a job was last seen to run alone, in boot time.
        var lastLone: Int64 = 0
    }

    let connection: StoreConnection
    let memory = Mutex(Memory())

    init(connection: StoreConnection) { self.connection = connection }

    /// Records finished attempts and claims jobs, in one transaction.
    ///
    /// Pictures dropped by hand come first, then the others, then large ones; side files have a lane of their own.
    /// Users take turns, and so do the categories of each. A job with a worker failure runs once nothing else waits,
    /// while no other large job runs. A job during which the daemon died twice runs alone; once it has waited for a
    /// minute, nothing else is claimed until it has run. The cost does not depend on the number of waiting jobs.
    ///
    /// - Parameters:
    ///   - finished: attempts that ended since the last turn.
    ///   - demand: how many jobs may start.
    ///   - shares: the lane time that each user has had so far.
    /// - Returns: the recorded attempts and the claimed jobs.
    /// - Throws: `StoreError`; nothing was recorded or claimed, and the call can be repeated.
    public func turn(
        finished: [FinishedJob], claiming demand: ClaimDemand, _ shares: LaneShares = LaneShares()
    ) throws(StoreError) -> Turn {
        try write { transaction in
            var booking = Booking(transaction)
            for attempt in finished { try booking.book(attempt) }
            try booking.end()
            var turn = booking.turn
            let waiting = try transaction.waitingJobs()
            var claim = try Claim(
                transaction, waiting,
                loneSince: booking.hasEndedLone
                    ? transaction.now.boot : memory.withLock { $0.lastLone }, shares)
            try claim.run(demand)
            turn.claimed = claim.claimed
            memory.withLock { [time = claim.loneSince] in $0.lastLone = time }
            if turn.claimed.count < demand.count {
                // Overdue jobs that could not start wait for a job that runs alone, not for the clock.
                turn.nextDueMilliseconds = waiting.values.compactMap(\.nextDue).min()
                    .map { $0 - transaction.now.boot }
            }
            return turn
        }
    }

    /// Milliseconds until the next waiting job is due, 0 if one is overdue; `nil` if none is waiting.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func nextDue() throws(StoreError) -> Int64? {
        try read { transaction in
            let waiting = try transaction.waitingJobs().values
            if waiting.contains(where: \.isDue) { return 0 }
            return waiting.compactMap(\.nextDue).min().map { $0 - transaction.now.boot }
        }
    }
}
