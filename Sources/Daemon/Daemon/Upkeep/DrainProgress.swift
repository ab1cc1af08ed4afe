import StickerStore
import Synchronization

/// Detects when a drain has nothing left to do: the start scan is recorded, nothing outdated is to be queued, and a
/// later turn found no job to claim, none waiting and none running.
///
/// A turn that began before the end of the scan does not count: it may have looked before the last file was recorded.
final class DrainProgress: Sendable {
    /// After this many rests the drain gives up on the shortage.
    private static let restsMax = 3

    private let ending: Ending
    private let isDraining: Bool
    private let scanned = Mutex<ContinuousClock.Instant?>(nil)

    init(ending: Ending, isDraining: Bool) {
        (self.ending, self.isDraining) = (ending, isDraining)
    }

    /// Whether the contents of the drops at startup have been recorded.
    var isScanned: Bool { scanned.withLock { $0 } != nil }

    /// The contents of the drops at startup have been recorded.
    func startScanFinished() { scanned.withLock { $0 = .now } }

    /// Notes how many turns in a row could not be written.
    func note(failures: Int) {
        if isDraining, failures > Self.restsMax { ending.decide(.stuck) }
    }

    /// Notes a turn; `isMoreDue` means that it may have looked before outdated stickers were queued.
    func note(_ turn: PoolTurn, isMoreDue: Bool) {
        guard isDraining else { return }
        if turn.shortage.rests > Self.restsMax { ending.decide(.stuck) }
        guard turn.isIdle, !isMoreDue, turn.turn.nextDueMilliseconds == nil,
            let scannedAt = scanned.withLock({ $0 }), turn.start > scannedAt
        else { return }
        ending.decide(.drained)
    }
}
