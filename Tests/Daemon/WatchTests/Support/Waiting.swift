import Dispatch
import StickerSystem

@testable import StickerWatch

/// A value that others change, and that a test waits for.
final class Watched<Value: Sendable>: Sendable {
    private let value: QueueConfined<Value>
    private let changed = DispatchSemaphore(value: 0)

    init(_ value: Value) {
        self.value = QueueConfined(value, label: "test.watched")
    }

    func change(_ body: (inout Value) -> Void) {
        value.perform(body)
        changed.signal()
    }

    var current: Value { value.perform { $0 } }

    /// Waits until `isReached` holds; `false` after 30 s, or as long as is given.
    ///
    /// `nudge` is called now and then: it beats the clock of a caller that waits for one.
    func wait(
        seconds: Double = 30, nudge: () -> Void = {}, _ isReached: (Value) -> Bool
    ) -> Bool {
        let deadline = DispatchTime.now() + seconds
        while DispatchTime.now() < deadline {
            if value.perform({ isReached($0) }) { return true }
            if changed.wait(timeout: .now() + .milliseconds(50)) == .timedOut { nudge() }
        }
        return value.perform { isReached($0) }
    }
}
