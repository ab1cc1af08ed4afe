import Dispatch
import Logging
import StickerConfiguration
import StickerProgram
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// Runs recurring tasks: the operator's changes, missing files, space.
final class Upkeep: Sendable {
    /// How many refused files are retried in one look.
    private static let filesPerLook = 500
    /// A look ends after this time, as a failing disk is slow.
    private static let lookMax = Duration.seconds(2)
    /// The longest wait of the first full look for the end of the start scan: a share may hang.
    private static let firstLookMax = Duration.seconds(120)
    /// After this many failures in a row a drain gives up queueing outdated stickers.
    private static let unmetDemandsMax = 10

    private let queue = DispatchQueue(label: "stickerd.upkeep")
    private let state: QueueConfined<State>
    private let settings: Settings
    private let store: LibraryStore
    private let housekeeper: Housekeeper
    private let pool: WorkerPool
    private let listeners: Listeners
    private let watching: Watching
    private let ending: Ending?
    private let isOfUploads: Bool
    private let logger: Logger

    private struct State {
        var timer: (any DispatchSourceTimer)?
        var chores = ChoreList()
        var dataVersion = 0
        var isPaused = false
        var lastUnreadable: JobID?
        /// Whether the full look after the start scan is still due.
        var isFirstLookDue: Bool
        /// Whether the log of an upgrade may still have to be written back.
        var isLogDue = true
        /// Whether the first cleaning succeeded; each later one is followed by a repair.
        var hasCleaned = false
        var start = ContinuousClock.now
        var isRepairDue = false
        var unmetDemands = 0
        var templates: TemplateRenewal
        var examination: Examination
        /// Writes status files for uploaders; `nil` without uploads.
        var uploads: UploadStatusKeeper?
    }

    /// `ending` is notified when a drain cannot continue; `nil` for a daemon, which waits.
    init(
        settings: Settings, store: LibraryStore, housekeeper: Housekeeper, pool: WorkerPool,
        listeners: Listeners, watching: Watching, templates: TemplateRenewal,
        uploads: UploadStatusKeeper?, ending: Ending?, logger: Logger
    ) {
        (self.settings, self.store, self.housekeeper) = (settings, store, housekeeper)
        (self.pool, self.listeners, self.watching) = (pool, listeners, watching)
        (self.ending, self.logger) = (ending, logger)
        isOfUploads = uploads != nil
        let examination = Examination(
            catalog: store.catalog, settings: settings, logger: logger)
        // A drain did this before it began.
        var first = State(
            isFirstLookDue: ending == nil, templates: templates, examination: examination,
            uploads: uploads)
        if ending != nil { first.chores.hurry(.cleaning) }
        state = QueueConfined(first, on: queue)
    }

    /// Starts the recurring tasks, twice a second.
    func start() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(500), leeway: .milliseconds(50))
        timer.setEventHandler { @Sendable [weak self] in self?.round() }
        state.perform { ($0.timer, $0.start) = (timer, .now) }
        timer.resume()
    }

    /// Stops the recurring tasks.
    func stop() {
        state.perform {
            $0.timer?.cancel()
            $0.timer = nil
        }
    }

    /// Calls back on the queue of the rounds.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    private func round() {
        state.confined { state in
            for chore in state.chores.due() {
                do {
                    try perform(chore, &state)
                    state.chores.succeeded(chore)
                } catch {
                    state.chores.failed(chore, "\(error)")
                }
            }
            listeners.reporter.set(.upkeep, state.chores.trouble)
        }
    }

    private func perform(_ chore: Chore, _ state: inout State) throws {
        switch chore {
        case .place: checkPlace(&state)
        case .memory: Memory.giveBack()
        case .alive: try store.queue.noteAlive()
        case .database: try store.checkPlace()
        case .operatorsChanges: try noticeOperator(&state)
        case .redo: try meetDemand(&state)
        case .fonts: state.templates.lookAtFonts()
        case .moments: if try state.templates.renew(at: store.now) { pool.wake() }
        case .uploads:
            try state.uploads?.write()
            try state.uploads?.compare()
        case .renewal where !isScanned || state.isFirstLookDue || ending != nil: break
        case .renewal where state.isPaused: break
        case .renewal: if try listeners.redo.queueWhenIdle() { pool.wake() }
        case .graces: if isScanned { try endGraces() }
        case .faults: if isScanned { try state.examination.step() }
        case .packs: if isScanned, !state.isPaused { listeners.packs.look() }
        case .repair: try mendPublished(&state)
        case .unreadable: try retryReadable(&state)
        case .deletions where isOfUploads:
            // A user's deletion does not wait for the cleaning.
            try housekeeper.checkPlace()
            _ = try listeners.publisher.betweenPublications { try housekeeper.prune() }
        case .deletions: break
        case .cleaning:
            try clean()
            // The look after the start scan repairs anyway.
            if state.hasCleaned { state.isRepairDue = true }
            state.hasCleaned = true
        }
    }

    private var isScanned: Bool { listeners.progress.isScanned }

    /// Queues outdated stickers. A drain waits for this and ends with the next turn, whether or not there is new work.
    private func meetDemand(_ state: inout State) throws {
        do {
            if try listeners.redo.queueOnDemand() { pool.wake() }
            state.unmetDemands = 0
        } catch {
            state.unmetDemands += 1
            if state.unmetDemands >= Self.unmetDemandsMax { ending?.decide(.stuck) }
            throw error
        }
    }

    /// Removes stickers whose grace has ended, and lets conflict copies of them take part.
    private func endGraces() throws {
        _ = try expire()
        if try store.operations.releaseCopies() > 0 { pool.wake() }
    }

    /// Notices changes by operators' commands, which write to the database.
    private func noticeOperator(_ state: inout State) throws {
        let version = try store.dataVersion()
        guard version != state.dataVersion else { return }
        state.dataVersion = version
        if !state.isPaused { pool.wake() }
        watching.reconsider()
        listeners.publisher.changed(Set(try store.catalog.dirtyCategories()))
        listeners.packs.steered()
    }

    /// Repairs published files that were removed: at once if all were, after the next cleaning if only some were. After
    /// the start scan come a repair, a cleaning, and a search for stickers outdated since the last run: in a large library
    /// they take seconds, and the service is ready without them.
    private func mendPublished(_ state: inout State) throws {
        let isStarted = isScanned || .now > state.start + Self.firstLookMax
        if state.isLogDue, isStarted {
            state.isLogDue = false
            // A slow disk takes minutes for it, and nothing else waits.
            DispatchQueue.global(qos: .utility).async { [store] in store.mergeLog() }
        }
        try housekeeper.checkPlace()
        if state.isFirstLookDue, isStarted {
            (state.isFirstLookDue, state.isRepairDue) = (false, true)
            state.chores.hurry(.cleaning)
            listeners.redo.demand()
        }
        if try housekeeper.folderWasReplaced() { state.isRepairDue = true }
        guard state.isRepairDue else { return }
        try listeners.repair.run()
        state.isRepairDue = false
    }

    /// Retries unreadable files, which may become readable without any event when permissions of a folder, a disk or a
    /// share change. Each look reads one page of them, and starts over after the last.
    private func retryReadable(_ state: inout State) throws {
        let page = try store.operations.unreadable(
            after: state.lastUnreadable, limit: Self.filesPerLook)
        let end = ContinuousClock.now + Self.lookMax
        var readable: Set<JobID> = []
        var looked = 0
        for (job, file) in page where ContinuousClock.now < end {
            looked += 1
            if SourceReader.canRead(file) { readable.insert(job) }
        }
        let isLast = looked == page.count && looked < Self.filesPerLook
        state.lastUnreadable = isLast ? nil : page.prefix(looked).last?.job
        guard !readable.isEmpty else { return }
        var filter = JobFilter()
        filter.ids = readable
        let retried = try store.operations.retry(filter)
        logger.notice(
            "files can be read now", metadata: [LogKey.count: "\(retried.requeued.count)"])
        pool.wake()
    }

    /// Removes old jobs and files that are no longer needed.
    private func clean() throws {
        try housekeeper.checkPlace()
        if let earlier = try store.forgetEarlierDatabase(onlyExpired: true) {
            logger.notice(
                "the database of the previous release was removed, rollback is no longer possible",
                metadata: ["from": "\(earlier.record.from)", "copy": "\(earlier.path)"])
        }
        let (pruned, swept) = try listeners.publisher.betweenPublications {
            (try housekeeper.prune(), try housekeeper.sweep())
        }
        listeners.packs.clean()
        ReviewFolder(state: settings.current.state)
            .clean(keeping: try store.operations.jobsInReview())
        guard !pruned.isEmpty || !swept.isEmpty else { return }
        logger.notice(
            "cleaned up",
            metadata: [
                "jobs": "\(pruned.jobs)", "files": "\(pruned.objects + swept.objects)",
                "pages": "\(pruned.pages)",
            ])
    }

    /// Writes the status of every upload, for the end of a drain.
    func tellUsers() throws { try state.perform { try $0.uploads?.writeAll() } }

    /// Examines every picture whose sticker an earlier release made, for the end of a drain, until a signal arrives.
    func examineAll(_ ending: Ending) throws {
        try state.perform { try $0.examination.finish { ending.isInterrupted } }
    }

    /// Ends every grace that is over, for the end of a drain.
    func expireAll() throws {
        while try expire(isEnd: true) == 0 {}
    }

    /// Removes stickers whose file has been missing for longer than the grace. Not before the start scan: a file may
    /// have come back while the daemon was not running.
    ///
    /// - Returns: milliseconds until the next grace ends, 0 if there is more to do.
    private func expire(isEnd: Bool = false) throws -> Int64? {
        let expiry = try store.catalog.expireMissing(isEnd: isEnd)
        let journal = DeletionJournal(logger: logger, hasUndo: !isOfUploads)
        for file in expiry.renamed { JobJournal(logger: logger).note(file) }
        for hold in expiry.lifted { journal.noteLifted(hold) }
        for hold in expiry.held { journal.noteHeld(hold) }
        for sticker in expiry.removed { journal.note(sticker) }
        listeners.publisher.changed(expiry.changedCategories)
        return expiry.nextMilliseconds
    }

    /// Pauses work while its results have no place, and resumes it afterwards.
    private func checkPlace(_ state: inout State) {
        let absence = absence
        let lack = absence == nil ? lackOfSpace : nil
        let isPaused = absence != nil || lack != nil
        let isNew = exchange(&state.isPaused, with: isPaused) != isPaused
        // "paused" is not said while a job may still be claimed.
        if isNew, isPaused { pool.pause() }
        // New obstacles are reported before ended ones.
        if let absence { listeners.reporter.set(.out, absence) }
        listeners.reporter.set(.space, lack)
        if absence == nil { listeners.reporter.set(.out, nil) }
        guard isNew else { return }
        if isPaused { ending?.decide(.stuck) } else { pool.start() }
    }

    /// Why nothing can be published, if `out` is not where it was.
    private var absence: String? {
        do throws(FileError) {
            try housekeeper.checkPlace()
            return nil
        } catch {
            guard error.kind == .vanished else { return "\(error)" }
            return "\(FileName.escaped(settings.current.out)) is away: put it back; "
                + "or make an empty folder there and restart stickerd: all stickers are made again"
        }
    }

    /// `/srv/out has less than the reserve of 256 MB free (publish.freeSpaceReserveBytes)`. Without the free space,
    /// which changes.
    private var lackOfSpace: String? {
        let configuration = settings.current
        let reserve = Int64(configuration.publish.freeSpaceReserveBytes)
        let lacking = [configuration.out, configuration.state].first { folder in
            // A folder that cannot be queried reports its error on the next write.
            (try? FreeSpace.bytes(at: folder)).map { $0 < reserve } ?? false
        }
        return lacking.map {
            "\(FileName.escaped($0)) has less than the reserve of \(Int(reserve).asBytes) free "
                + "(publish.freeSpaceReserveBytes)"
        }
    }
}
