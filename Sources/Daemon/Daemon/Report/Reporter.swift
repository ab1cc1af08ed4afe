@preconcurrency import Dispatch
import Glibc
import Logging
import StickerConfiguration
import StickerMetrics
import StickerProgram
import StickerReports
import StickerStore
import StickerSystem
import StickerValues
import StickerWatch

/// Reports the daemon's state once a second: to systemd as one line, to tools through the store, to monitoring as
/// metrics.
final class Reporter: Sendable {
    /// Counts finished work, for the metrics.
    let work: WorkMetrics

    private let queue = DispatchQueue(label: "stickerd.report")
    private let state: QueueConfined<State>
    private let store: LibraryStore
    private let service: ServiceManager
    private let drops: Int
    private let terminal: Terminal?
    private let logger: Logger

    private struct State {
        var figures: LiveFigures
        var obstacles = Obstacles()
        var watch: @Sendable () -> WatchStatus = { WatchStatus() }
        var line = ""
        var batch = BatchTracker()
        var timer: (any DispatchSourceTimer)?
        var isStopped = false
        var missingLayers: [String] = []
        var attention: AttentionFile
        var metrics: MetricsFile
    }

    /// `terminal` shows the progress; `nil` for none.
    init(
        store: LibraryStore, service: ServiceManager, settings: Settings,
        terminal: Terminal?, logger: Logger
    ) {
        let configuration = settings.current
        let registry = MetricRegistry(DaemonFamilies.all)
        work = WorkMetrics(in: registry)
        (self.store, self.service) = (store, service)
        (self.terminal, self.logger) = (terminal, logger)
        drops = configuration.drops.count
        let figures = LiveFigures(
            version: Stickerd.version, startedAt: Timestamp(milliseconds: Int64(time(nil)) * 1000))
        state = QueueConfined(
            State(
                figures: figures, attention: AttentionFile(configuration),
                metrics: MetricsFile(registry, settings: settings)), on: queue)
    }

    /// Starts reporting; `watch` returns the watcher's figures.
    func start(watch: @escaping @Sendable () -> WatchStatus) {
        state.async { [self] state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: 1, leeway: .milliseconds(100))
            timer.setEventHandler { @Sendable [weak self] in self?.refresh() }
            timer.resume()
            (state.timer, state.watch) = (timer, watch)
        }
    }

    /// Stops reporting.
    func stop() {
        queue.sync { refresh() }
        state.perform { [logger] state in
            state.timer?.cancel()
            state.timer = nil
            state.isStopped = true
            for notice in state.batch.end(.now) { BatchLog(logger: logger).note(notice) }
        }
        terminal?.showFoot("")
    }

    /// Writes the list of problems once more: the last packs are made after reporting has stopped.
    func writeAttention() {
        attempt("the list of items that need attention is not written") { state in
            let watch = state.watch()
            try write(store.operations.status(countsOutdated: false), watch, &state)
        }
    }

    /// Writes the metrics once more, with the last work in them.
    func writeMetrics() {
        attempt("the last figures are not written") { state in
            try state.metrics.gauges.take(store.operations.status(countsOutdated: false))
            try state.metrics.write()
        }
    }

    /// Logs `failure` if `body` throws.
    private func attempt(_ failure: Logger.Message, _ body: (inout State) throws -> Void) {
        do {
            try state.perform(body)
        } catch {
            logger.warning(failure, metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Counts the results of a turn of the pool, and reports if the pool rests.
    func note(_ turn: PoolTurn) {
        work.note(turn)
        let lack = turn.shortage.lack
        queue.async { [self] in
            if !turn.finished.isEmpty { state.confined { $0.batch.count(turn) } }
            meet(.system, lack)
        }
    }

    /// Notes the sandbox layers that workers lack.
    func set(missingLayers: [String]) {
        state.async { $0.missingLayers = missingLayers }
    }

    /// Notes the unknown languages of the configuration, one line each.
    func set(unknownLanguages: [String]) {
        state.async {
            $0.figures.unknownLanguages = unknownLanguages.isEmpty ? nil : unknownLanguages
        }
    }

    /// Sets an obstacle, or removes it with `nil`.
    func set(_ obstacle: Obstacles.Kind, _ line: String?) {
        queue.async { [self] in meet(obstacle, line) }
    }

    private func meet(_ obstacle: Obstacles.Kind, _ line: String?) {
        let isNews = state.confined { state in
            guard !state.isStopped else { return false }
            let before = state.obstacles.pause
            tell(state.obstacles.set(obstacle, line, now: .now))
            return state.obstacles.pause != before
        }
        if isNews { refresh() }
    }

    private func tell(_ news: Obstacles.News?) {
        switch news {
        case .paused(let line):
            logger.error("paused, goes on by itself", metadata: [LogKey.detail: "\(line)"])
        case .resumed(let pause):
            let time = Int((pause.inMilliseconds / 1000).rounded()).asTime
            // Without the number if it cannot be read now.
            let waiting = try? store.operations.status(countsOutdated: false).waiting
            let jobs = waiting.map { ", \($0.counted("job", "jobs")) waiting" } ?? ""
            logger.notice("resumed after \(time)\(jobs)")
        case .failing(let line):
            logger.error("something failed and is retried", metadata: [LogKey.detail: "\(line)"])
        case .working:
            logger.notice("the failed part works again")
        case nil:
            break
        }
    }

    /// Everything is watched and all files found are recorded: the daemon is ready.
    func startScanFinished() {
        queue.async { [self] in
            state.confined { $0.figures.isReady = true }
            refresh()
            state.confined { service.ready(status: $0.line) }
        }
    }

    /// Calls back on the queue of the reports.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    private func refresh() {
        state.confined { state in
            guard !state.isStopped else { return }
            var trouble: String?
            do {
                // Read before the store: a file that leaves the watcher is in the store by then.
                let watch = state.watch()
                try tell(store.operations.status(countsOutdated: false), watch, &state)
            } catch {
                trouble = "no report: \(error)"
            }
            // Monitoring must learn of failures, too.
            do {
                state.metrics.gauges.take(state.obstacles)
                try state.metrics.writeIfDue(.now)
            } catch {
                trouble = trouble ?? "no figures: \(error)"
            }
            tell(state.obstacles.set(.figures, trouble, now: .now))
            tell(state.obstacles.look(now: .now))
        }
    }

    private func tell(
        _ status: StoreStatus, _ watch: WatchStatus, _ state: inout State
    ) throws {
        var away: [String: Int] = [:]
        for drop in store.sources.heldDrops {
            away[drop] = try store.sources.stickers(ofDrop: drop)
        }
        let line = StatusLine(
            store: status, watch: watch, drops: drops, away: away,
            isReady: state.figures.isReady,
            pause: state.obstacles.pause, missingLayers: state.missingLayers,
            unknownLanguages: state.figures.unknownLanguages ?? [])
        if line.text != state.line { service.status(line.text) }
        state.line = line.text
        let notices = try state.batch.look(
            waiting: status.waiting, working: status.working, now: .now,
            wall: Int64(time(nil)) * 1000, workLeft: store.queue.expectedWork)
        for notice in notices { BatchLog(logger: logger).note(notice) }
        state.figures.take(line, state.batch.current)
        terminal?.showFoot(state.batch.current?.shown ?? "")
        try store.operations.setLiveFigures(state.figures)
        state.metrics.gauges.take(status)
        state.metrics.gauges.take(line)
        try write(status, watch, &state)
    }

    /// Writes the problems.
    private func write(
        _ status: StoreStatus, _ watch: WatchStatus, _ state: inout State
    ) throws {
        let attention = try AttentionReport(
            store, refused: status.needAttention, live: state.figures)
        state.metrics.gauges.take(attention)
        let isDone =
            state.figures.isReady && status.waiting == 0 && status.working == 0
            && !watch.isBlind && watch.unknownFiles == 0
        try state.attention.write(
            attention, isDone: isDone, hasDismissed: store.operations.hasDismissed)
    }
}

extension LiveFigures {
    /// Copies the figures of other parts.
    fileprivate mutating func take(_ line: StatusLine, _ batch: Batch?) {
        let watch = line.watch
        folders = watch.folders
        ignoredFiles = watch.ignoredFiles
        scannedAt =
            watch.lastScanAt > 0
            ? Timestamp(milliseconds: Int64(watch.lastScanAt * 1000)) : nil
        paused = line.pause
        troubles = line.troubles
        awayDrops = line.away.keys.sorted()
        self.batch = batch
    }
}
