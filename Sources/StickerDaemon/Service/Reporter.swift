@preconcurrency import Dispatch
import Glibc
import Logging
import StickerModel
import StickerStore
import StickerWatch

/// Tells others how the daemon is doing, once a second: systemd in one line, tools in the store.
final class Reporter: Sendable {
    /// Why the daemon starts no jobs.
    enum Obstacle: Hashable, Sendable { case space, system }

    private let queue = DispatchQueue(label: "stickerd.report")
    private let state: QueueConfined<State>
    private let store: JobStore
    private let service: ServiceManager
    private let drops: Int
    private let terminal: Terminal?
    private let logger: Logger

    private struct State {
        var figures: LiveFigures
        var obstacles: [Obstacle: String] = [:]
        var watch: @Sendable () -> WatchStatus = { WatchStatus() }
        var line = ""
        var batch = BatchTracker()
        var timer: (any DispatchSourceTimer)?
        var isFailing = false
        var isStopped = false
    }

    /// `terminal` is where progress is shown while it runs; `nil` for none.
    init(
        store: JobStore, service: ServiceManager, drops: Int, terminal: Terminal?, logger: Logger
    ) {
        self.store = store
        self.service = service
        self.drops = drops
        self.terminal = terminal
        self.logger = logger
        let figures = LiveFigures(
            version: Stickerd.version, startedAt: Int64(time(nil)) * 1000)
        state = QueueConfined(State(figures: figures), on: queue)
    }

    /// Begins to tell; `watch` gives the watcher's figures.
    func start(watch: @escaping @Sendable () -> WatchStatus) {
        queue.async { [self] in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: 1, leeway: .milliseconds(100))
            timer.setEventHandler { @Sendable [weak self] in self?.refresh() }
            timer.resume()
            state.confined { ($0.timer, $0.watch) = (timer, watch) }
        }
    }

    /// Tells no more.
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

    /// Counts what a turn of the pool booked, and tells when it rests.
    func note(_ turn: PoolTurn) {
        let pause = turn.shortage.lack
        queue.async { [self] in
            if !turn.finished.isEmpty { state.confined { $0.batch.count(turn) } }
            tellShortage(pause)
        }
    }

    /// Every attempt may fail at another file; only the first and the last are news.
    private func tellShortage(_ pause: String?) {
        let (before, isStopped) = state.confined { ($0.obstacles[.system], $0.isStopped) }
        guard (before == nil) != (pause == nil), !isStopped else { return }
        state.confined { $0.obstacles[.system] = pause }
        if let pause {
            logger.error("paused, goes on by itself", metadata: [LogKey.detail: "\(pause)"])
        } else {
            logger.notice("resumed: nothing lacks any more")
        }
        refresh()
    }

    /// Everything is watched and what lay there is in the books: the daemon is ready.
    func startScanFinished() {
        queue.async { [self] in
            state.confined { $0.figures.isReady = true }
            refresh()
            state.confined { service.ready(status: $0.line) }
        }
    }

    /// Something keeps the daemon from starting jobs, or with `nil` does not any more.
    func set(_ obstacle: Obstacle, _ line: String?) {
        queue.async { [self] in
            state.confined { $0.obstacles[obstacle] = line }
            refresh()
        }
    }

    /// Calls back on the queue of the reports.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    private func refresh() {
        state.confined { state in
            guard !state.isStopped else { return }
            do {
                try tell(store.status(), &state)
                state.isFailing = false
            } catch {
                if !state.isFailing {
                    logger.warning("no report", metadata: [LogKey.error: "\(error)"])
                }
                state.isFailing = true
            }
        }
    }

    private func tell(_ status: StoreStatus, _ state: inout State) throws {
        let line = StatusLine(
            store: status, watch: state.watch(), drops: drops, away: store.heldDrops,
            isReady: state.figures.isReady,
            pause: state.obstacles[.space] ?? state.obstacles[.system])
        if line.text != state.line { service.status(line.text) }
        state.line = line.text
        let notices = state.batch.look(
            waiting: status.waiting, working: status.working, now: .now,
            wall: Int64(time(nil)) * 1000)
        for notice in notices { BatchLog(logger: logger).note(notice) }
        state.figures.take(line, state.batch.current)
        terminal?.showFoot(state.batch.current?.shown ?? "")
        try store.setLiveFigures(state.figures)
    }
}

extension LiveFigures {
    /// Takes over what others count.
    fileprivate mutating func take(_ line: StatusLine, _ batch: Batch?) {
        let watch = line.watch
        folders = watch.folders
        ignoredFiles = watch.ignoredFiles
        scannedAt = watch.lastScanAt > 0 ? Int64(watch.lastScanAt * 1000) : nil
        paused = line.pause
        troubles = line.troubles
        self.batch = batch
    }
}
