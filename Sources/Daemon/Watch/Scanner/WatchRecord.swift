import StickerModel
import StickerSystem

/// The state of the watcher, readable at any time from any thread.
final class WatchRecord: Sendable {
    struct State: Sendable {
        var status = WatchStatus()
        var roots: [String: FileIdentity] = [:]
        var polledDrops: Set<String> = []
        var hiddenMounts = HiddenMounts()
    }

    private let state = QueueConfined(State(), label: "stickerd.watch.record")

    func update(_ change: (inout State) -> Void) {
        state.perform { change(&$0) }
    }

    func read<Value: Sendable>(_ value: (State) -> Value) -> Value {
        state.perform { value($0) }
    }
}
