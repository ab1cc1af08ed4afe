import StickerStore
import StickerValues

/// The result of one turn of the pool.
struct PoolTurn: Sendable {
    /// When it began, before reading the store.
    var start: ContinuousClock.Instant
    /// The jobs that the store recorded and claimed.
    var turn: Turn
    /// The attempts that were recorded.
    var finished: [FinishedJob]
    /// Whether there was nothing to claim and nothing is running.
    var isIdle: Bool
    /// The system's shortage.
    var shortage: Shortage
}
