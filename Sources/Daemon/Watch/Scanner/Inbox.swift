import StickerSystem

/// Connects the readers of events with the scanner; neither waits for the other.
///
/// Bounded: names that do not fit turn into a request to list their folder.
final class Inbox: Sendable {
    /// The events that the scanner takes at once.
    struct Batch: Sendable {
        var isOverflowed = false
        var isRestarted = false
        var folders: [FolderID] = []
        var listings: [FolderID] = []
        var names: [(key: NameQueue.Key, hint: NameHint)] = []
    }

    /// The most waiting names: 25 MB if every name has 255 bytes.
    static let namesMax = 65_536

    private struct State: Sendable {
        var names: NameQueue
        var folders: Set<FolderID> = []
        var listings: Set<FolderID> = []
        var isOverflowed = false
        var isRestarted = false
        var isAwake = false
        var overflows = 0
    }

    private let state: QueueConfined<State>
    private let notify: @Sendable () -> Void

    /// `notify` is called when an event comes in while the scanner sleeps.
    init(namesMax: Int = Inbox.namesMax, notify: @escaping @Sendable () -> Void) {
        state = QueueConfined(
            State(names: NameQueue(capacity: namesMax)), label: "stickerd.watch.inbox")
        self.notify = notify
    }

    /// Adds events; called by the backends.
    func push(_ events: [WatchEvent]) {
        let wasAsleep = state.perform { state in
            for event in events { Self.note(event, &state) }
            return !exchange(&state.isAwake, with: true)
        }
        if wasAsleep { notify() }
    }

    private static func note(_ event: WatchEvent, _ state: inout State) {
        switch event {
        case .overflow:
            state.isOverflowed = true
            state.overflows += 1
        case .restarted:
            state.isRestarted = true
        case .folderGone(let folder):
            state.folders.insert(folder)
        case .entry(let folder, let name, let change, let isDirectory):
            guard !state.listings.contains(folder) else { return }
            let hint = NameHint(change, isDirectory: isDirectory)
            if !state.names.note(NameQueue.Key(folder: folder, name: name), hint) {
                state.listings.insert(folder)
            }
        }
    }

    /// Takes out waiting events, with at most `namesMax` names.
    func take(namesMax: Int) -> Batch {
        state.perform { state in
            Batch(
                isOverflowed: exchange(&state.isOverflowed, with: false),
                isRestarted: exchange(&state.isRestarted, with: false),
                folders: Array(exchange(&state.folders, with: [])),
                listings: Array(exchange(&state.listings, with: [])),
                names: state.names.take(namesMax))
        }
    }

    /// Wakes the scanner without an event.
    func wakeUp() {
        push([])
    }

    /// Lets the scanner sleep if nothing waits; `false` if it must go on.
    func sleepIfEmpty() -> Bool {
        state.perform { state in
            let isEmpty =
                state.names.isEmpty && state.folders.isEmpty && state.listings.isEmpty
                && !state.isOverflowed && !state.isRestarted
            state.isAwake = !isEmpty
            return isEmpty
        }
    }

    /// Overflows since the start.
    var overflows: Int { state.perform { $0.overflows } }
}
