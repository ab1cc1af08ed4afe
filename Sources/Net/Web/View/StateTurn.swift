import Glibc
import Synchronization

/// Tells whether one state was there all the while that something was read of several places: the number is odd while they
/// are being replaced (a sequence lock). Readers hold nobody up.
final class StateTurn: Sendable {
    private let number = Atomic<Int>(0)

    /// Begins to replace the state; once begun, it may be said again.
    func begin() {
        if number.load(ordering: .relaxed).isMultiple(of: 2) {
            number.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Everything is of one state again.
    func end() {
        if !number.load(ordering: .relaxed).isMultiple(of: 2) {
            number.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// What `body` reads of one state: it is called again if that was replaced meanwhile.
    ///
    /// - Throws: what `body` throws of one state.
    func reading<Value>(_ body: () throws -> Value) throws -> Value {
        while true {
            let before = number.load(ordering: .sequentiallyConsistent)
            guard before.isMultiple(of: 2) else {
                usleep(100)  // a commit takes milliseconds
                continue
            }
            let result = Result { try body() }
            if number.load(ordering: .sequentiallyConsistent) == before { return try result.get() }
        }
    }
}
