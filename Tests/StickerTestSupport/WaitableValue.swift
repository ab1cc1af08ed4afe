import Dispatch
import Synchronization

/// A value that callbacks change and a test waits for.
///
/// Every change wakes the tests whose condition it meets, so nobody sleeps and looks again.
public final class WaitableValue<Value: Sendable>: Sendable {
    private struct Waiter {
        var id: Int
        var isMet: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastID = 0
    }

    private let state: Mutex<State>

    /// Starts with `value`.
    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value at this moment.
    public var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes the waiters whose condition now holds. May be called anywhere.
    public func update(_ change: (inout Value) -> Void) {
        let (value, met) = state.withLock { state in
            change(&state.value)
            let value = state.value
            let met = state.waiters.filter { $0.isMet(value) }
            state.waiters.removeAll { waiter in met.contains { $0.id == waiter.id } }
            return (value, met)
        }
        for waiter in met { waiter.continuation.resume(returning: value) }
    }

    /// Waits until the value meets a condition.
    ///
    /// - Parameters:
    ///   - limit: how long to wait at most.
    ///   - isMet: the condition; called under a lock, so it must not touch this object.
    /// - Returns: the value that met the condition, `nil` when the time was over first.
    public func wait(
        upTo limit: Duration = .seconds(120), until isMet: @escaping @Sendable (Value) -> Bool
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            guard let id = register(continuation, isMet) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) {
                self.giveUp(id)
            }
        }
    }

    /// The number of the new waiter, `nil` where the condition is met already.
    private func register(
        _ continuation: CheckedContinuation<Value?, Never>,
        _ isMet: @escaping @Sendable (Value) -> Bool
    ) -> Int? {
        let (value, id): (Value, Int?) = state.withLock { state in
            guard !isMet(state.value) else { return (state.value, nil) }
            state.lastID += 1
            state.waiters.append(
                Waiter(id: state.lastID, isMet: isMet, continuation: continuation))
            return (state.value, state.lastID)
        }
        if id == nil { continuation.resume(returning: value) }
        return id
    }

    private func giveUp(_ id: Int) {
        let late = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        late?.continuation.resume(returning: nil)
    }
}

/// Looks every 20 ms until a condition holds: for what nobody announces, such as a file that
/// another process writes. Where there is a callback, use `WaitableValue`.
///
/// - Parameters:
///   - limit: how long to wait at most.
///   - isMet: the condition.
/// - Returns: whether it held in time.
/// - Throws: what the condition throws.
public func waitUntil(
    upTo limit: Duration = .seconds(600), _ isMet: () throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while clock.now < end {
        if try isMet() { return true }
        await pause(.milliseconds(20))
    }
    return try isMet()
}

private func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + duration.dispatchInterval) {
            continuation.resume()
        }
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        .nanoseconds(Int(clamping: attoseconds / 1_000_000_000))
    }
}
