import Dispatch

/// Reads every watched folder periodically, for file systems whose changes the kernel does not report.
///
/// It cannot see a writer close a file: files are reported as `.created` and `.altered`.
final class PollingBackend: WatchBackend, @unchecked Sendable {
    // Unchecked because everything that changes is used only on `queue`.
    let name = "polling"
    let queue: DispatchQueue
    private let sink: Sink
    private var folders: [FolderID: (place: FolderPlace, snapshot: FolderSnapshot)] = [:]
    private var round: [FolderID] = []
    private var cancelBeat: @Sendable () -> Void = {}
    private static let handOverCount = 1000

    /// Creates a backend that polls every `seconds`; events go to `sink` on `queue`.
    init(
        queue: DispatchQueue, every seconds: Double, metronome: any Metronome = DispatchMetronome(),
        sink: @escaping Sink
    ) {
        self.queue = queue
        self.sink = sink
        cancelBeat = metronome.start(.poll, every: seconds, on: queue) { [weak self] in
            self?.beginRound()
        }
    }

    func add(_ place: FolderPlace, descriptor: CInt) throws(WatchError) {
        dispatchPrecondition(condition: .onQueue(queue))
        folders[place.id] = (place, try FolderSnapshot(place.open()))
    }

    func remove(_ folder: FolderID) {
        dispatchPrecondition(condition: .onQueue(queue))
        folders[folder] = nil
    }

    func stop() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {
            cancelBeat()
            folders = [:]
            round = []
        }
    }

    /// Starts a round unless the last one is still running.
    private func beginRound() {
        guard round.isEmpty else { return }
        round = Array(folders.keys)
        pollNext()
    }

    /// One folder at a time, so that other work on the queue gets its turn.
    private func pollNext() {
        guard let folder = round.popLast() else { return }
        poll(folder)
        queue.async { @Sendable [weak self] in self?.pollNext() }
    }

    private func poll(_ folder: FolderID) {
        guard let (place, old) = folders[folder] else { return }
        do throws(WatchError) {
            let new = try FolderSnapshot(place.open())
            report(place, new, since: old)
            folders[folder] = (place, new)
        } catch {
            // An unreadable folder may still exist: its known contents stay until it can be read again.
            guard error.code == .vanished else { return }
            folders[folder] = nil
            sink([.folderGone(folder)])
        }
    }

    private func report(_ place: FolderPlace, _ new: FolderSnapshot, since old: FolderSnapshot) {
        var events: [WatchEvent] = []
        new.differences(since: old) { difference in
            events.append(
                .entry(
                    folder: place.id, name: difference.name, change: difference.change,
                    isDirectory: difference.isDirectory))
            if events.count == Self.handOverCount { sink(exchange(&events, with: [])) }
        }
        if !events.isEmpty { sink(events) }
    }
}
