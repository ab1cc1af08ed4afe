import Logging
import StickerLogs
import StickerModel
import StickerStore
import StickerWatch
import Synchronization

/// Records the watcher's findings in the store.
///
/// Called on the watcher's queue, one batch after another, so that a slow disk slows down scanning but never the
/// reading of events.
final class Registrar: Sendable {
    /// How many names are compared with the disk at once.
    private static let page = 1000

    private let store: LibraryStore
    /// The folders that the configuration lists.
    private let drops: [String]
    private let settle: @Sendable () -> SettleTime
    private let logger: Logger
    private let journal: JobJournal
    private let report: @Sendable (Report) -> Void
    /// Drops whose path leads to another folder.
    private let strangers = Mutex<[String: StrangeFolder]>([:])
    /// Drops that were a different folder before. Files in subfolders that the new folder lacks are kept until the drop
    /// comes back again, or until the next start.
    private let adopted = Mutex<Set<String>>([])
    /// Folders found while another folder was in the drop's place, with their inodes.
    private let unmet = Mutex<[FolderName: UInt64]>([:])
    /// Folders found in the drops and not missed since.
    private let met = Mutex<Set<FolderName>>([])
    /// Events that no rescan repeats, from batches that could not be recorded: drops lost or back, and folders found.
    private let untold = Mutex<[FolderEvent]>([])
    /// Whether unrecorded files must be examined again.
    private let isLookDue = Mutex(false)
    /// Files found by the start scan under names of other files, by drop. Those others may have moved to folders not
    /// yet listed, and would then take their ids along.
    private let postponed: Mutex<[String: [Sighting]]>
    /// The findings of the start scan; `nil` once reported.
    private let startScan: Mutex<Found?> = Mutex(Found())

    /// The result of a batch for other parts.
    enum Report: Sendable {
        /// There may be new work; these categories changed.
        case recorded(Set<CategoryID>)
        /// Files that were missing are back unchanged.
        case returned
        /// Findings cannot be recorded, or with `nil`, they can be again.
        case failing(String?)
        /// The contents of the drops at startup have been recorded.
        case startScanFinished
    }

    /// `settle` is queried for every batch; `report` is called on the watcher's queue.
    init(
        store: LibraryStore, drops: [String], settle: @escaping @Sendable () -> SettleTime,
        logger: Logger,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.store = store
        self.drops = drops
        self.settle = settle
        self.logger = logger
        journal = JobJournal(logger: logger)
        self.report = report
        postponed = Mutex(Dictionary(uniqueKeysWithValues: drops.map { ($0, []) }))
    }

    /// Records a batch that `watcher` handed out.
    ///
    /// - Returns: `false` if something could not be recorded; only a rescan brings it again.
    func record(_ events: [FolderEvent], by watcher: TreeWatcher) -> Bool {
        let untold = untold.withLock { untold in
            defer { untold = [] }
            return untold
        }
        isLookDue.withLock { $0 = false }
        let isRecorded = take(untold + events, watcher)
        return isRecorded && !isLookDue.withLock { $0 }
    }

    private func take(_ events: [FolderEvent], _ watcher: TreeWatcher) -> Bool {
        do {
            // Both halves of a rename belong in one transaction, the old name first.
            var gone = events.flatMap(\.goneKeys)
            for event in events { try record(event, &gone, watcher) }
            if !gone.isEmpty { finish(try store.queue.accept([], gone: gone)) }
            for drop in Set(events.compactMap(\.lessenedDrop)) where !isStrange(drop) {
                guard watcher.isEmpty(drop: drop),
                    let hold = try store.catalog.holdEmptied(drop: drop)
                else { continue }
                DeletionJournal(logger: logger).noteHeld(hold)
            }
            report(.failing(nil))
            return true
        } catch {
            untold.withLock { $0 = events.filter(\.isToldOnce) }
            report(.failing("files could not be recorded, and will be looked for again: \(error)"))
            return false
        }
    }

    private func record(
        _ event: FolderEvent, _ gone: inout [SourceKey], _ watcher: TreeWatcher
    ) throws {
        switch event {
        case .sighted(let sightings):
            let settle = settle()
            for (drop, sightings) in Dictionary(grouping: sightings, by: \.key.drop) {
                guard try isDrop(drop, showing: sightings) else { continue }
                let settle = watcher.isPolled(drop) ? settle.polling : settle.watching
                guard gone.isEmpty else {
                    // If the old name were recorded without the new one, its sticker would be missing for a
                    // moment.
                    finish(
                        try store.queue.accept(
                            sightings, gone: exchange(&gone, with: []), settle: settle)
                    )
                    continue
                }
                let news = try store.sources.news(among: sightings)
                if news.count < sightings.count {
                    var summary = IntakeSummary()
                    summary.known = sightings.count - news.count
                    finish(summary)
                }
                for part in try store.queue.parts(of: try postponing(news, of: drop)) {
                    finish(try store.queue.accept(part, settle: settle))
                }
            }
        case .folderScanned(let drop, let directory) where !isStrange(drop):
            try reconcile(drop, directory, watcher)
        case .folderFound(let drop, let name, let inode):
            let folder = FolderName(drop: drop, name: name)
            // Whether it is a folder of the drop is known only once a file is seen.
            guard !isStrange(drop) else { return unmet.withLock { $0[folder] = inode } }
            try meet(folder, inode)
        case .folderGone(let drop, let directory) where !isStrange(drop):
            met.withLock { _ = $0.remove(FolderName(drop: drop, name: directory)) }
            finish(try store.queue.folderGone(drop: drop, directory: directory))
        case .dropScanned(let drop) where !isStrange(drop):
            if !isAdopted(drop) { try compareFolders(drop, watcher) }
            try recordPostponed(of: drop, watcher)
            store.sources.scanEnded(ofDrop: drop)
        case .scansFinished:
            for drop in drops { store.sources.scanEnded(ofDrop: drop) }
        case .startScanFinished:
            tellStartScan()
            report(.startScanFinished)
        case .rootLost(let drop):
            store.sources.hold(drop: drop, isAbsent: true)
            store.sources.scanEnded(ofDrop: drop)
            met.withLock { met in met = met.filter { $0.drop != drop } }
            unmet.withLock { unmet in unmet = unmet.filter { $0.key.drop != drop } }
            try store.sources.disbelieveMissing(inDrop: drop)
            report(.returned)
        case .rootBack(let drop, let inode):
            try welcome(drop, inode, watcher)
        case .gone, .folderScanned, .folderGone, .dropScanned:
            break
        }
    }

    /// The sightings that can be recorded now; during the start scan the others wait for its end.
    private func postponing(_ sightings: [Sighting], of drop: String) throws -> [Sighting] {
        guard postponed.withLock({ $0[drop] != nil }) else { return sightings }
        let replacements = try store.sources.replacements(among: sightings)
        guard !replacements.isEmpty else { return sightings }
        postponed.withLock { $0[drop]?.append(contentsOf: replacements) }
        let keys = Set(replacements.map(\.key))
        return sightings.filter { !keys.contains($0.key) }
    }

    /// Records the postponed sightings once all drops are scanned, as files may have moved from one to another.
    private func recordPostponed(of drop: String, _ watcher: TreeWatcher) throws {
        let sightings = postponed.withLock { $0.values.flatMap(\.self) }
        let settle = settle()
        for part in try store.queue.parts(of: sightings) {
            let isPolled = part.contains { watcher.isPolled($0.key.drop) }
            finish(
                try store.queue.accept(part, settle: isPolled ? settle.polling : settle.watching))
        }
        postponed.withLock { postponed in
            postponed = postponed.mapValues { _ in [] }
            postponed[drop] = nil
        }
    }

    /// Records a folder of a drop. A renamed category is published with its new title and may have other settings.
    private func meet(_ folder: FolderName, _ inode: UInt64) throws {
        let renamed = try store.catalog.meet(folder, inode: inode) { other in
            met.withLock { $0.contains(other) }
        }
        _ = met.withLock { $0.insert(folder) }
        guard let renamed else { return }
        journal.note(renamed)
        report(.recorded([renamed.category]))
        report(.returned)
    }

    /// Marks the recorded files of a listed folder that are no longer on disk.
    private func reconcile(
        _ drop: String, _ directory: [UInt8], _ watcher: TreeWatcher
    ) throws {
        var last: [UInt8]?
        repeat {
            let names = try store.sources.presentNames(
                drop: drop, directory: directory, after: last, limit: Self.page)
            let gone = try watcher.missing(names, drop: drop, directory: directory)
            if !gone.isEmpty {
                let keys = gone.map { SourceKey(drop: drop, directory: directory, name: $0) }
                finish(try store.queue.accept([], gone: keys, byScanOf: drop))
            }
            last = names.count == Self.page ? names.last : nil
        } while last != nil
    }

    /// Marks recorded folders as missing that vanished while unwatched; a scan does not encounter them.
    private func compareFolders(_ drop: String, _ watcher: TreeWatcher) throws {
        for directory in try store.sources.presentDirectories(drop: drop)
        where watcher.isGone(drop: drop, directory: directory) {
            try reconcile(drop, directory, watcher)
        }
    }

    // MARK: Drops that are lost and return

    /// A drop is watched, for the first time or again.
    ///
    /// If its path now leads to another folder, for example an empty mount point, missing files are ignored until a
    /// file is seen in it.
    private func welcome(_ drop: String, _ inode: UInt64, _ watcher: TreeWatcher) throws {
        if let moved = try store.sources.formerDrop(of: drop, inode: inode, listed: drops) {
            try store.sources.move(moved, inode: inode)
            journal.note(moved)
        }
        let known = try store.sources.inode(ofDrop: drop)
        guard known == nil || known == inode else {
            strangers.withLock { $0[drop] = StrangeFolder(inode: inode) }
            return journal.noteUnmounted(drop, stickers: try store.sources.stickers(ofDrop: drop))
        }
        strangers.withLock { $0[drop] = nil }
        _ = adopted.withLock { $0.remove(drop) }
        logger.notice("drop folder found", metadata: [LogKey.path: "\(drop)"])
        store.sources.hold(drop: drop, isAbsent: false)
        if known == nil { try store.sources.note(inode: inode, ofDrop: drop) }
    }

    private func isStrange(_ drop: String) -> Bool { strangers.withLock { $0[drop] != nil } }

    private func isAdopted(_ drop: String) -> Bool { adopted.withLock { $0.contains(drop) } }

    /// Whether sighted files belong to the drop. Another folder in its place becomes the drop if it holds the same
    /// files, or as many pictures as the library has from it; a few files saved on a bare mount point change nothing.
    private func isDrop(_ drop: String, showing sightings: [Sighting]) throws -> Bool {
        let stranger = strangers.withLock { strangers in
            let pictures = sightings.map(\.key).filter { SideFile($0) == nil }
            strangers[drop]?.seen.formUnion(pictures)
            return strangers[drop]
        }
        guard let stranger else { return true }
        let isEnough = try stranger.seen.count >= store.sources.stickers(ofDrop: drop)
        guard try isEnough || store.sources.isAlike(drop: drop, inode: stranger.inode) else {
            return false
        }
        try adopt(drop, stranger)
        if stranger.seen.count > sightings.count { isLookDue.withLock { $0 = true } }
        return true
    }

    /// Accepts another folder as the drop if an operator says so; all of it must then be scanned.
    ///
    /// - Returns: whether one was accepted.
    func reconsider() throws -> Bool {
        var isOne = false
        for (drop, stranger) in strangers.withLock({ $0 })
        where try store.sources.inode(ofDrop: drop) == stranger.inode {
            try adopt(drop, stranger)
            // The operator confirmed that files missing from it are gone.
            _ = adopted.withLock { $0.remove(drop) }
            isOne = true
        }
        return isOne
    }

    /// Makes the folder in a drop's place the drop.
    private func adopt(_ drop: String, _ stranger: StrangeFolder) throws {
        try store.sources.note(inode: stranger.inode, ofDrop: drop)
        store.sources.hold(drop: drop, isAbsent: false)
        strangers.withLock { $0[drop] = nil }
        _ = adopted.withLock { $0.insert(drop) }
        logger.warning(
            "another folder holds a drop's files, or as many others; it is the drop from now on",
            metadata: [LogKey.path: "\(drop)"])
        for (folder, inode) in unmet.withLock({ $0 }) where folder.drop == drop {
            try meet(folder, inode)
            unmet.withLock { $0[folder] = nil }
        }
    }

    private func finish(_ summary: IntakeSummary) {
        startScan.withLock { $0?.add(summary) }
        for file in summary.refused { journal.note(file) }
        for file in summary.renamed { journal.note(file) }
        report(.recorded(summary.changedCategories))
        if summary.returned > 0 { report(.returned) }
    }

    private func tellStartScan() {
        let found = startScan.withLock { found in
            defer { found = nil }
            return found
        }
        guard let found else { return }
        // Only now is it known which of them were moved. A database error here would show elsewhere first.
        for drop in (try? store.sources.unlistedDrops(drops)) ?? [] { journal.note(drop) }
        logger.notice(
            "start scan finished",
            metadata: [
                "new": "\(found.new)", "unchanged": "\(found.unchanged)",
                "gone": "\(found.gone)", "refused": "\(found.refused)",
            ])
    }
}

extension FolderEvent {
    /// Whether no rescan repeats it.
    fileprivate var isToldOnce: Bool {
        switch self {
        case .rootLost, .rootBack, .folderFound: true
        case .sighted, .gone, .folderScanned, .folderGone, .dropScanned, .scansFinished,
            .startScanFinished:
            false
        }
    }

    /// The drop, if files may have left it.
    fileprivate var lessenedDrop: String? {
        switch self {
        case .gone(let keys): keys.first?.drop
        case .folderGone(let drop, _), .folderScanned(let drop, _), .dropScanned(let drop): drop
        case .sighted, .folderFound, .rootLost, .rootBack, .scansFinished, .startScanFinished: nil
        }
    }

    /// The files that the event reports as gone.
    fileprivate var goneKeys: [SourceKey] { if case .gone(let keys) = self { keys } else { [] } }
}

/// Another folder in a drop's place.
private struct StrangeFolder {
    var inode: UInt64
    /// The files that were seen in it.
    var seen: Set<SourceKey> = []
}

/// The findings of a scan.
private struct Found {
    var new = 0
    var unchanged = 0
    var gone = 0
    var refused = 0

    mutating func add(_ summary: IntakeSummary) {
        new += summary.accepted + summary.renewed
        unchanged += summary.known
        gone += summary.vanished
        refused += summary.refused.count
    }
}
