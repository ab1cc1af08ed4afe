import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerWatch

/// Believes what a watcher says, as the daemon does: what exists, and what was said.
struct Books: Sendable {
    private(set) var files: [SourceKey: Sighting] = [:]
    private var filesByFolder: [Folder: Set<SourceKey>] = [:]
    var events: [FolderEvent] = []
    var isReady = false

    /// The paths below the drop, sorted.
    var paths: [String] { files.keys.map(\.display).sorted() }

    mutating func enter(_ event: FolderEvent, by watcher: TreeWatcher?) {
        events.append(event)
        switch event {
        case .sighted(let sightings):
            for sighting in sightings {
                files[sighting.key] = sighting
                filesByFolder[Folder(sighting.key), default: []].insert(sighting.key)
            }
        case .gone(let keys):
            keys.forEach { remove($0) }
        case .folderGone(let drop, let directory):
            files.keys.filter { $0.isBelow(drop, directory) }.forEach { remove($0) }
        case .folderScanned(let drop, let directory):
            let names = filesByFolder[Folder(drop: drop, directory: directory), default: []].map(
                \.name)
            let missing = try? watcher?.missing(names, drop: drop, directory: directory)
            for name in missing ?? [] {
                remove(SourceKey(drop: drop, directory: directory, name: name))
            }
        case .dropScanned(let drop):
            for folder in filesByFolder.keys where folder.drop == drop {
                guard watcher?.isGone(drop: drop, directory: folder.directory) == true else {
                    continue
                }
                filesByFolder[folder, default: []].forEach { remove($0) }
            }
        case .startScanFinished: isReady = true
        case .folderFound, .rootLost, .rootBack, .scansFinished: break
        }
    }

    private mutating func remove(_ key: SourceKey) {
        files[key] = nil
        filesByFolder[Folder(key)]?.remove(key)
    }

    private struct Folder: Hashable {
        var drop: String
        var directory: [UInt8]

        init(drop: String, directory: [UInt8]) {
            (self.drop, self.directory) = (drop, directory)
        }

        init(_ key: SourceKey) {
            self.init(drop: key.drop, directory: key.directory)
        }
    }

    /// Every sighting of the file.
    func sightings(_ path: String) -> [Sighting] {
        events.flatMap(\.sightings).filter { $0.key.display == path }
    }
}

extension FolderEvent {
    /// The files of `.sighted`.
    var sightings: [Sighting] {
        if case .sighted(let sightings) = self { sightings } else { [] }
    }

    var isRootBack: Bool {
        if case .rootBack = self { true } else { false }
    }
}

extension SourceKey {
    fileprivate func isBelow(_ drop: String, _ directory: [UInt8]) -> Bool {
        self.drop == drop
            && (self.directory == directory
                || self.directory.starts(with: directory + [UInt8(ascii: "/")]))
    }
}

/// A watcher of the folder `drop` below a folder of the test's own, and books about it.
final class WatcherRig {
    let folder: TestFolder
    let books = Watched(Books())
    let metronome = ManualMetronome()
    let watcher: TreeWatcher
    var drop: String { "\(folder.path)/drop" }

    private let lookUp: LookUp

    /// Lets the sink ask the watcher, which is made after it.
    private final class LookUp: Sendable {
        let watcher = QueueConfined<TreeWatcher?>(nil, label: "test.lookup")
    }

    /// Makes the folder `drop`, unless told otherwise; `start` is left to the test.
    init(
        _ backend: WatchConfiguration.Backend = .inotify, namesMax: Int = Inbox.namesMax,
        makesDrop: Bool = true, isLarge: Bool = false, in given: TestFolder? = nil,
        isAvoided: @escaping @Sendable (Int64) -> Bool = { _ in false },
        beforeEach: @escaping @Sendable () -> Void = {}
    ) throws {
        folder = try given ?? TestFolder(isLarge: isLarge)
        if makesDrop, given == nil { try folder.makeFolder("drop") }
        var configuration = WatchConfiguration()
        configuration.backend = backend
        let (books, lookUp) = (books, LookUp())
        self.lookUp = lookUp
        watcher = TreeWatcher(
            drops: ["\(folder.path)/drop"], configuration: configuration,
            isAvoided: isAvoided,
            metronome: metronome, namesMax: namesMax
        ) { events in
            beforeEach()
            books.change { books in
                let watcher = lookUp.watcher.perform { $0 }
                for event in events { books.enter(event, by: watcher) }
            }
        }
        lookUp.watcher.perform { [watcher] in $0 = watcher }
    }

    deinit {
        watcher.stop()
        lookUp.watcher.perform { $0 = nil }
    }

    /// Starts, and waits for the end of the start scan.
    func start(
        factory: BackendFactory? = nil, at location: SourceLocation = #_sourceLocation
    ) throws {
        try watcher.start(factory: factory)
        expect("start scan", at: location) { $0.isReady }
    }

    /// Waits; the watcher's clock goes on meanwhile, except for full scans.
    func expect(
        _ what: Comment, at location: SourceLocation = #_sourceLocation,
        _ isReached: (Books) -> Bool
    ) {
        nudge()
        let isThere = books.wait(nudge: nudge, isReached)
        #expect(isThere, "\(what); books: \(books.current.paths)", sourceLocation: location)
    }

    /// Waits until the records hold just these files.
    func expectFiles(_ paths: [String], at location: SourceLocation = #_sourceLocation) {
        expect("files \(paths)", at: location) { $0.paths == paths.sorted() }
    }

    private func nudge() {
        metronome.beat(.poll)
        metronome.beat(.rootCheck)
    }

    /// Runs one line of script after the other; `= a b` waits until just these files are known.
    func play(_ script: String, at location: SourceLocation = #_sourceLocation) throws {
        for line in script.split(separator: "\n") {
            if line.hasPrefix("=") {
                expectFiles(line.dropFirst().split(separator: " ").map(String.init), at: location)
            } else {
                try folder.run(String(line))
            }
        }
    }
}
