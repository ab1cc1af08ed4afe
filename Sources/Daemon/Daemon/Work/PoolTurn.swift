import StickerModel
import StickerStore

/// What one turn of the pool did.
struct PoolTurn: Sendable {
    /// When it began, before it looked at the store.
    var start: ContinuousClock.Instant
    /// What the store recorded and claimed.
    var turn: Turn
    /// The attempts that were recorded.
    var finished: [FinishedJob]
    /// Whether there was nothing to claim and nothing is running.
    var isIdle: Bool
    /// What the system lacks.
    var shortage: Shortage
}
