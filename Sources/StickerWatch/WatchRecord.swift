import Synchronization

/// What others may know of the watcher at any time, from any thread.
final class WatchRecord: Sendable {
    struct State {
        var status = WatchStatus()
        var roots: [String: FileIdentity] = [:]
        var polledDrops: Set<String> = []
        var shades = Shades()
    }

    private let state = Mutex(State())

    func update(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    func read<Value: Sendable>(_ value: (State) -> Value) -> Value {
        state.withLock { value($0) }
    }
}
