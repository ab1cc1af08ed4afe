import Dispatch
import Glibc
import StickerSystem
import Testing

@testable import StickerWatch

/// The backends that the contract is held against.
enum BackendKind: String, CaseIterable, Sendable {
    case inotify, polling
    #if InotifyTools
        case inotifytools
    #endif

    /// Whether the kernel tells who closed a file.
    var seesClosing: Bool { self != .polling }
}

/// A backend, a folder, and everything the backend said.
final class BackendRig {
    let folder: TestFolder
    let queue = DispatchQueue(label: "test.watch")
    let backend: any WatchBackend
    let events: Watched<[WatchEvent]>
    private let metronome = ManualMetronome()
    private var lastID = 0

    init(_ kind: BackendKind, vanishedMax: Int = 1000) throws {
        folder = try TestFolder()
        let events = Watched<[WatchEvent]>([])
        self.events = events
        let sink: WatchBackend.Sink = { new in events.change { $0 += new } }
        switch kind {
        case .inotify:
            backend = try InotifyBackend(queue: queue, sink: sink)
        case .polling:
            backend = PollingBackend(queue: queue, every: 1, metronome: metronome, sink: sink)
        #if InotifyTools
            case .inotifytools:
                backend = try InotifyToolsBackend(
                    queue: queue, vanishedMax: vanishedMax, sink: sink)
        #endif
        }
    }

    deinit {
        backend.stop()
    }

    /// Watches a folder below the test's own, or that itself.
    func watch(_ directory: String = "") throws -> FolderID {
        lastID += 1
        let root = try Descriptor.root(folder.path)
        let opened = try root.descend(Array(directory.utf8))
        let place = FolderPlace(
            id: FolderID(rawValue: lastID), drop: folder.path, rootIdentity: try root.identity(),
            directory: Array(directory.utf8), identity: try opened.identity())
        let descriptor = opened.raw
        try queue.sync { try backend.add(place, descriptor: descriptor) }
        return place.id
    }

    func forget(_ folder: FolderID) {
        queue.sync { backend.remove(folder) }
    }

    /// Waits for events; polled folders are looked at meanwhile.
    func expect(
        _ what: Comment, at location: SourceLocation = #_sourceLocation,
        _ isReached: ([WatchEvent]) -> Bool
    ) {
        metronome.beat(.poll)
        let isThere = events.wait(nudge: { metronome.beat(.poll) }, isReached)
        #expect(isThere, "\(what); heard \(events.current)", sourceLocation: location)
    }

    /// Waits for an event about `name` of one of the kinds.
    func expect(
        _ folder: FolderID, _ name: String, _ changes: Set<WatchEvent.Change>,
        isDirectory: Bool = false, at location: SourceLocation = #_sourceLocation
    ) {
        expect("\(name): one of \(changes)", at: location) { events in
            events.contains { event in
                guard case .entry(folder, Array(name.utf8), let change, isDirectory) = event else {
                    return false
                }
                return changes.contains(change)
            }
        }
    }

    /// Forgets what was heard.
    func clear() {
        events.change { $0 = [] }
    }
}
