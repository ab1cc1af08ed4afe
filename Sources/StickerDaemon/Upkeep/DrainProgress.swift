import StickerStore
import Synchronization

/// Finds out when a drain has nothing left to do: the start scan is in the books, and after that a
/// turn found nothing to claim, nothing that waits and nothing that runs.
///
/// A turn that began before the end of the scan does not count: it may have looked before the last
/// file was in the books.
final class DrainProgress: Sendable {
    /// After so many rests the system still lacks something, and nobody will mend it.
    private static let restsMax = 3

    private let ending: Ending
    private let isDraining: Bool
    private let scanned = Mutex<ContinuousClock.Instant?>(nil)

    init(ending: Ending, isDraining: Bool) {
        self.ending = ending
        self.isDraining = isDraining
    }

    /// Whether everything that lay in the drops at the start is in the books.
    var isScanned: Bool { scanned.withLock { $0 } != nil }

    /// Takes note of what was recorded.
    func note(_ report: Registrar.Report) {
        if case .startScanFinished = report { scanned.withLock { $0 = .now } }
    }

    /// Takes note that so many turns in a row could not be written.
    func note(failures: Int) {
        if isDraining, failures > Self.restsMax { ending.decide(.stuck) }
    }

    /// Takes note of a turn.
    func note(_ turn: PoolTurn) {
        guard isDraining else { return }
        if turn.shortage.rests > Self.restsMax { ending.decide(.stuck) }
        guard turn.isIdle, turn.turn.nextDueMilliseconds == nil,
            let scannedAt = scanned.withLock({ $0 }), turn.start > scannedAt
        else { return }
        ending.decide(.drained)
    }
}
