import Logging
import StickerProgram
import StickerStore
import StickerValues
import StickerWatch

/// Records the watcher's findings in the store, one batch after another.
///
/// The watcher waits for each batch, so that a slow disk slows down scanning but never the reading of events.
struct Registrar: Sendable {
    /// How many names are compared with the disk at once.
    private static let page = 1000

    private let store: LibraryStore
    /// The folders that the configuration lists.
    private let drops: [String]
    private let settle: @Sendable () -> SettleTime
    private let logger: Logger
    private let journal: JobJournal
    private let report: @Sendable (Report) -> Void
    private var identity: DropIdentity
    private var startScan: StartScan
    /// Events that no rescan repeats, from batches that could not be recorded: drops lost or back, and folders found.
    private var untold: [FolderEvent] = []

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

    /// `settle` is queried for every batch; `report` is called on the queue of the caller.
    init(
        store: LibraryStore, drops: [String], settle: @escaping @Sendable () -> SettleTime,
        logger: Logger, report: @escaping @Sendable (Report) -> Void
    ) {
        (self.store, self.drops, self.settle) = (store, drops, settle)
        (self.logger, self.report) = (logger, report)
        journal = JobJournal(logger: logger)
        identity = DropIdentity(store: store, drops: drops, logger: logger, report: report)
        startScan = StartScan(of: drops)
    }

    /// Records a batch that `watcher` handed out.
    ///
    /// - Returns: `false` if something could not be recorded; only a rescan brings it again.
    mutating func record(_ events: [FolderEvent], by watcher: TreeWatcher) -> Bool {
        identity.isLookDue = false
        let isRecorded = take(exchange(&untold, with: []) + events, watcher)
        return isRecorded && !identity.isLookDue
    }

    /// Whether an operator accepted another folder as a drop; all of it must then be scanned.
    mutating func reconsider() throws -> Bool { try identity.reconsider() }

    private mutating func take(_ events: [FolderEvent], _ watcher: TreeWatcher) -> Bool {
        do {
            // Both halves of a rename belong in one transaction, the old name first.
            var gone = events.flatMap(\.goneKeys)
            for event in events { try record(event, &gone, watcher) }
            if !gone.isEmpty { finish(try store.queue.accept([], gone: gone)) }
            for drop in Set(events.compactMap(\.lessenedDrop)) where !identity.isReplaced(drop) {
                guard watcher.isEmpty(drop: drop),
                    let hold = try store.catalog.holdEmptied(drop: drop)
                else { continue }
                DeletionJournal(logger: logger).noteHeld(hold)
            }
            report(.failing(nil))
            return true
        } catch {
            untold = events.filter(\.isToldOnce)
            report(.failing("files could not be recorded, and will be looked for again: \(error)"))
            return false
        }
    }

    private mutating func record(
        _ event: FolderEvent, _ gone: inout [SourceKey], _ watcher: TreeWatcher
    ) throws {
        switch event {
        case .sighted(let sightings):
            for (drop, sightings) in Dictionary(grouping: sightings, by: \.key.drop)
            where try identity.isDrop(drop, showing: sightings) {
                try record(sightings, of: drop, &gone, watcher)
            }
        case .folderScanned(let drop, let directory) where !identity.isReplaced(drop):
            try reconcile(drop, directory, watcher)
        case .folderFound(let drop, let name, let inode):
            try identity.meet(FolderName(drop: drop, name: name), inode)
        case .folderGone(let drop, let directory) where !identity.isReplaced(drop):
            identity.miss(FolderName(drop: drop, name: directory))
            finish(try store.queue.folderGone(drop: drop, directory: directory))
        case .dropScanned(let drop) where !identity.isReplaced(drop):
            if !identity.isAdopted(drop) { try compareFolders(drop, watcher) }
            try recordPostponed(of: drop, watcher)
            store.sources.scanEnded(ofDrop: drop)
        case .scansFinished:
            for drop in drops { store.sources.scanEnded(ofDrop: drop) }
        case .startScanFinished:
            tellStartScan()
            report(.startScanFinished)
        case .rootLost(let drop):
            identity.lose(drop)
            store.sources.scanEnded(ofDrop: drop)
            try store.sources.disbelieveMissing(inDrop: drop)
            report(.returned)
        case .rootBack(let drop, let inode):
            try identity.welcome(drop, inode)
        case .gone, .folderScanned, .folderGone, .dropScanned:
            break
        }
    }

    /// Records files of a drop, together with the old names in `gone`.
    private mutating func record(
        _ sightings: [Sighting], of drop: String, _ gone: inout [SourceKey], _ watcher: TreeWatcher
    ) throws {
        let settle = settleTime(in: [drop], watcher)
        guard gone.isEmpty else {
            // If the old name were recorded without the new one, its sticker would be missing for a moment.
            let old = exchange(&gone, with: [])
            return finish(try store.queue.accept(sightings, gone: old, settle: settle))
        }
        let news = try store.sources.news(among: sightings)
        if news.count < sightings.count {
            var summary = IntakeSummary()
            summary.known = sightings.count - news.count
            finish(summary)
        }
        for part in try store.queue.parts(
            of: try startScan.postponing(news, of: drop, in: store.sources))
        {
            finish(try store.queue.accept(part, settle: settle))
        }
    }

    /// Records the postponed sightings once all of a drop is scanned.
    private mutating func recordPostponed(of drop: String, _ watcher: TreeWatcher) throws {
        for part in try store.queue.parts(of: startScan.allPostponed) {
            let settle = settleTime(in: Set(part.map(\.key.drop)), watcher)
            finish(try store.queue.accept(part, settle: settle))
        }
        startScan.end(of: drop)
    }

    private func settleTime(in drops: Set<String>, _ watcher: TreeWatcher) -> Duration {
        let time = settle()
        return drops.contains(where: watcher.isPolled) ? time.polling : time.watching
    }

    /// Marks the recorded files of a listed folder that are no longer on disk.
    private mutating func reconcile(
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
    private mutating func compareFolders(_ drop: String, _ watcher: TreeWatcher) throws {
        for directory in try store.sources.presentDirectories(drop: drop)
        where watcher.isGone(drop: drop, directory: directory) {
            try reconcile(drop, directory, watcher)
        }
    }

    private mutating func finish(_ summary: IntakeSummary) {
        startScan.add(summary)
        for file in summary.refused { journal.note(file) }
        for file in summary.renamed { journal.note(file) }
        report(.recorded(summary.changedCategories))
        if summary.returned > 0 { report(.returned) }
    }

    private mutating func tellStartScan() {
        guard let figures = startScan.figures() else { return }
        // Only now is it known which of them were moved. A database error here would show elsewhere first.
        for drop in (try? store.sources.unlistedDrops(drops)) ?? [] { journal.note(drop) }
        logger.notice("start scan finished", metadata: figures)
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
