import Glibc
import Synchronization

/// Detects whether a state was replaced while several places were read: the number is odd during a replacement (a
/// sequence lock). Readers block nobody.
final class StateTurn: Sendable {
    private let number = Atomic<Int>(0)

    /// Begins to replace the state; may be called repeatedly.
    func begin() {
        if number.load(ordering: .relaxed).isMultiple(of: 2) {
            number.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// The state is consistent again.
    func end() {
        if !number.load(ordering: .relaxed).isMultiple(of: 2) {
            number.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// The result of `body` for one state; it is repeated if the state was replaced meanwhile.
    ///
    /// - Throws: the errors of `body` for one state.
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
