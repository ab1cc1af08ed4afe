import Dispatch
import Glibc
import Logging
import StickerConfiguration
import StickerSystem
import StickerValues

/// Turns hints into facts: examines the reported names, lists folders, and delivers its findings, one batch after
/// another.
///
/// Its queue also calls the sink, so a slow consumer slows down the scanner and never the readers of events. It works
/// in short steps, alternating between a batch of names and a part of a listing: fresh files do not wait for the end of
/// a large scan.
final class TreeScanner: @unchecked Sendable {
    // Unchecked because everything that changes is used only on `queue`.
    typealias Sink = @Sendable ([FolderEvent]) -> Void

    let queue = DispatchQueue(label: "stickerd.scanner")
    let configuration: WatchConfiguration
    /// Whether the bytes of a file with this mark must not be read.
    let isAvoided: @Sendable (Int64) -> Bool
    let logger: Logger
    let record: WatchRecord
    let metronome: any Metronome
    private let sink: Sink
    private let namesMax: Int

    var tree = FolderTree()
    var roots: [Root]
    var outbox = Outbox()
    /// New or changed files whose names are not those of pictures. They are examined at a later beat, when a program
    /// that uses such a name only temporarily is done.
    var strangers: [NameQueue.Key: ContinuousClock.Instant] = [:]
    /// When the file being examined was noted.
    var notedSince: ContinuousClock.Instant?
    /// Whether there are more than can be noted; the next scan examines them.
    var hasMoreStrangers = false
    /// Folders to be read again after a failure.
    var doubtful = RetryList()
    var scans = ScanQueue()
    var scan: Scan?
    let mountAlarm = MountAlarm()
    var mounts: Set<MountTable.Mount> = []
    var watchSet: WatchSet?
    private(set) lazy var inbox = Inbox(namesMax: namesMax) { [weak self] in self?.scheduleWork() }
    private(set) var isStartFinished = false
    private var isRepeatDue = false
    /// Scans repeated since the last successful one.
    private var repeats = 0
    private static let repeatBackoff = Backoff(first: .seconds(1), longest: .seconds(64))
    private var isScanningAll = false
    /// Drops that are newly watched, or whose scan was lost: the end of the scan must be reported.
    var newlyServed: Set<String> = []
    /// Whether folders were listed since the end of the last scan was reported.
    var hasScanned = false
    private var timers: [Beat: @Sendable () -> Void] = [:]
    private var isStopped = false

    /// The most names examined, or entries listed, in one step.
    static let stepEntriesMax = 1000
    /// The events of one file come in quick succession; this wait combines them into one sighting.
    private static let gatherMilliseconds = 5
    private static let rootCheckSeconds = RetryList.beatSeconds

    init(
        drops: [String], _ configuration: WatchConfiguration,
        isAvoided: @escaping @Sendable (Int64) -> Bool,
        _ logger: Logger,
        _ metronome: any Metronome, _ record: WatchRecord, namesMax: Int, sink: @escaping Sink
    ) {
        roots = drops.map { Root(path: $0) }
        (self.configuration, self.isAvoided, self.logger) = (configuration, isAvoided, logger)
        (self.metronome, self.record, self.namesMax) = (metronome, record, namesMax)
        self.sink = sink
    }

    /// Begins with a full scan; watches are set before the folders are listed.
    func begin(factory: BackendFactory?) throws(WatchError) {
        let result = queue.sync {
            Result { () throws(WatchError) in
                start(
                    try WatchSet(
                        configuration, logger, metronome, factory: factory,
                        sink: { [inbox] in inbox.push($0) }))
            }
        }
        try result.get()
    }

    /// Lists everything again.
    func rescan() {
        queue.async { @Sendable [self] in
            guard !isStopped else { return }
            scanAll()
            inbox.wakeUp()
        }
    }

    /// Lists everything again because delivered events were lost: after 1 s and, if that recurs, after 2, 4, ... 64 s.
    /// The start scan is finished only after that. Must be called from the sink.
    func repeatScan() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isRepeatDue else { return }
        isRepeatDue = true
        repeats += 1
        let pause = Self.repeatBackoff.delay(afterFailures: repeats)
        queue.asyncAfter(deadline: .now() + pause.inMilliseconds / 1000) { @Sendable [weak self] in
            guard let self, !isStopped else { return }
            (isRepeatDue, isStartFinished) = (false, false)
            newlyServed.formUnion(roots.filter { $0.folder != nil }.map(\.path))
            scanAll()
            inbox.wakeUp()
        }
    }

    /// Calls back on the queue.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    private func start(_ watchSet: WatchSet) {
        precondition(self.watchSet == nil && !isStopped, "a watcher starts once")
        self.watchSet = watchSet
        record.perform { $0.status.backend = watchSet.name }
        logger.notice("watching", metadata: [LogKey.backend: "\(watchSet.name)"])
        beat(.rescan, every: configuration.rescanSeconds) { $0.scanAll() }
        beat(.rootCheck, every: Self.rootCheckSeconds) { scanner in
            scanner.checkRoots()
            scanner.retry()
            scanner.lookAtStrangers()
        }
        mounts = mountAlarm.mounts(below: roots.map(\.path))
        scanAll()
        inbox.wakeUp()
    }

    /// Stops everything; waits for the step in progress. The sink is not called any more.
    func stop() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        let ending = queue.sync { () -> WatchSet? in
            isStopped = true
            for cancel in timers.values { cancel() }
            timers = [:]
            scan = nil
            return exchange(&watchSet, with: nil)
        }
        ending?.stop()
    }

    /// Repeats an action; a second call for the same beat replaces the first.
    func beat(
        _ beat: Beat, every seconds: Double, _ body: @escaping @Sendable (TreeScanner) -> Void
    ) {
        timers[beat]?()
        timers[beat] = metronome.start(beat, every: seconds, on: queue) { [weak self] in
            guard let self, !isStopped else { return }
            body(self)
            inbox.wakeUp()
        }
    }

    // MARK: Steps

    private func scheduleWork() {
        let deadline = DispatchTime.now() + .milliseconds(Self.gatherMilliseconds)
        queue.asyncAfter(deadline: deadline) { @Sendable [weak self] in self?.work() }
    }

    private func work() {
        guard !isStopped else { return }
        let batch = inbox.take(namesMax: Self.stepEntriesMax)
        if batch.isOverflowed {
            logger.warning("event queue overflowed, rescanning everything, nothing is lost")
        }
        if batch.isOverflowed || batch.isRestarted { scanAll() }
        batch.folders.forEach(folderLeft)
        batch.listings.forEach { scans.insert($0) }
        look(at: batch.names)
        handOut()
        scanStep()
        finishScans()
        publishStatus()
        handOut()
        if isIdle && inbox.sleepIfEmpty() { return }
        queue.async { @Sendable [weak self] in self?.work() }
    }

    private func handOut() {
        let events = outbox.drain()
        if !events.isEmpty { sink(events) }
    }

    /// Lists every folder again, beginning with the roots.
    func scanAll() {
        isScanningAll = true
        hasMoreStrangers = false
        checkRoots()
        for root in roots {
            if let folder = root.folder { scans.insert(folder) }
        }
    }

    private func finishScans() {
        guard isIdle else { return }
        if !newlyServed.isEmpty {
            // A mount may have disappeared meanwhile: its files must not be taken for deleted.
            checkRoots()
            guard isIdle else { return }
            for drop in exchange(&newlyServed, with: []).sorted() {
                outbox.add(.dropScanned(drop: drop))
            }
            hasScanned = false
        }
        if exchange(&hasScanned, with: false) { outbox.add(.scansFinished) }
        guard exchange(&isScanningAll, with: false) else { return }
        record.perform { state in
            state.status.scans += 1
            state.status.lastScanAt = Self.secondsSince1970()
        }
        guard !isRepeatDue else { return }
        repeats = 0
        if !exchange(&isStartFinished, with: true) { outbox.add(.startScanFinished) }
    }

    private var isIdle: Bool { scan == nil && scans.isEmpty }

    static func secondsSince1970() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    // MARK: Folders

    /// Forgets a folder and everything below it, and reports that unless it is hidden by a mount.
    func forget(_ folder: Folder) {
        forgetSilently(folder)
        if !isHidden(folder.place) {
            outbox.add(.folderGone(drop: folder.place.drop, directory: folder.place.directory))
        }
    }

    /// Forgets a folder and everything below it.
    func forgetSilently(_ folder: Folder) {
        let removed = tree.remove(folder.place.id)
        watchSet?.forget(removed)
        for folder in removed { doubtful.remove(folder.place.id) }
        if let current = scan?.folder.id, removed.contains(where: { $0.place.id == current }) {
            scan = nil
        }
    }

    /// Whether a mount hides the folder's earlier contents.
    func isHidden(_ place: FolderPlace) -> Bool {
        record.perform { $0.hiddenMounts.cover(drop: place.drop, directory: place.directory) }
    }

    /// Records the device under a path now, and the one while the folder was known.
    func noteMount(_ path: [UInt8], _ parent: FolderPlace, _ device: UInt64, _ known: FolderPlace?)
    {
        record.perform { state in
            state.hiddenMounts.note(
                drop: parent.drop, directory: path, device: device, before: known?.identity.device)
        }
    }

    /// Defers a failed folder to a later root check, and logs the failure once.
    func failed(_ id: FolderID, _ error: WatchError) {
        doubtful.insert(id)
        guard let folder = tree[id], error.code != .vanished, !folder.isUnreadable else { return }
        tree.update(id) { $0.isUnreadable = true }
        logger.warning(
            "folder not readable, trying again",
            metadata: [
                LogKey.folder: "\(folder.place.display)", LogKey.reason: "\(error.description)",
            ])
    }

    private func publishStatus() {
        let (figures, overflows, unknown) = (tree.figures, inbox.overflows, unknownFiles)
        let unreadable = figures.unreadable.first.flatMap { tree[$0] }?.place.display
        let lostDrops = roots.filter { $0.folder == nil }.map(\.path)
        record.perform { state in
            state.status.folders = figures.folders
            state.status.foldersDegraded = figures.degraded
            state.status.foldersUnreadable = figures.unreadable.count
            state.status.unreadableExample = unreadable
            state.status.foldersTooDeep = figures.tooDeep
            state.status.ignoredFiles = figures.ignoredFiles
            state.status.unknownFiles = unknown
            state.status.overflows = overflows
            state.status.lostDrops = lostDrops
        }
    }
}
