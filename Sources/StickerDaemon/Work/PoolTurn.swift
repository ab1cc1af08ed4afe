import StickerModel
import StickerStore

/// What one turn of the pool did.
struct PoolTurn: Sendable {
    /// When it began, before it looked at the store.
    var start: ContinuousClock.Instant
    /// What the store booked and claimed.
    var turn: Turn
    /// The attempts that were booked.
    var finished: [FinishedJob]
    /// Whether there was nothing to claim, and nothing runs.
    var isIdle: Bool
    /// What the system lacks.
    var shortage: Shortage
}
