import StickerModel
import StickerStore

/// The rests of the pool while the system lacks something that is no file's fault: space, descriptors,
/// permissions. They last 1, 2, 4 ... 64 s.
struct Shortage: Sendable {
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(64))

    /// What went wrong last, in the system's words; `nil` while nothing is lacking.
    private(set) var lack: String?
    /// How many rests there have been since something was lacking.
    private(set) var rests = 0
    private var end = ContinuousClock.now

    /// The remaining rest; `nil` while work continues.
    var pause: Duration? {
        let left = end - .now
        return lack != nil && left > .zero ? left : nil
    }

    /// Learns from attempts that ended. Those that end during a rest began before it.
    mutating func note(_ finished: [FinishedJob]) {
        guard pause == nil, !finished.isEmpty else { return }
        lack = finished.lazy.compactMap(\.outcome.lack).first
        rests = lack == nil ? 0 : rests + 1
        if lack != nil { end = .now + Self.backoff.delay(afterFailures: rests) }
    }
}

extension JobOutcome {
    /// What kept an attempt from completing, if that says nothing about the file.
    fileprivate var lack: String? { if case .released(let lack) = self { lack } else { nil } }
}
