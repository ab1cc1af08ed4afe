import StickerStore
import StickerValues

/// The pauses of the pool while the system lacks space, descriptors, permissions or the like, which is no file's fault.
/// They last 1, 2, 4 ... 64 s.
struct Shortage: Sendable {
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(64))

    /// The last error, in the system's words; `nil` while nothing is lacking.
    private(set) var lack: String?
    /// How many pauses there have been since the shortage began.
    private(set) var rests = 0
    private var end = ContinuousClock.now

    /// The remaining pause; `nil` while work continues.
    var pause: Duration? {
        let left = end - .now
        return lack != nil && left > .zero ? left : nil
    }

    /// Learns from ended attempts. Those that end during a pause began before it.
    mutating func note(_ finished: [FinishedJob]) {
        guard pause == nil, !finished.isEmpty else { return }
        lack = finished.lazy.compactMap(\.outcome.lack).first
        rests = lack == nil ? 0 : rests + 1
        if lack != nil { end = .now + Self.backoff.delay(afterFailures: rests) }
    }
}

extension JobOutcome {
    /// Why an attempt could not complete, if that says nothing about the file.
    fileprivate var lack: String? { if case .released(let lack) = self { lack } else { nil } }
}
