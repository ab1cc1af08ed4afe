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
    private let logger: Logger

    private struct State {
        var figures: LiveFigures
        var obstacles: [Obstacle: String] = [:]
        var watch: @Sendable () -> WatchStatus = { WatchStatus() }
        var line = ""
        var timer: (any DispatchSourceTimer)?
        var isFailing = false
    }

    init(store: JobStore, service: ServiceManager, drops: Int, logger: Logger) {
        self.store = store
        self.service = service
        self.drops = drops
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
        state.perform {
            $0.timer?.cancel()
            $0.timer = nil
        }
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
            do {
                let watch = state.watch()
                let line = StatusLine(
                    store: try store.status(), watch: watch, drops: drops,
                    isReady: state.figures.isReady,
                    pause: state.obstacles[.space] ?? state.obstacles[.system])
                if line.text != state.line { service.status(line.text) }
                state.line = line.text
                state.figures.take(watch, line)
                try store.setLiveFigures(state.figures)
                state.isFailing = false
            } catch {
                if !state.isFailing {
                    logger.warning("no report", metadata: [LogKey.error: "\(error)"])
                }
                state.isFailing = true
            }
        }
    }
}

extension LiveFigures {
    /// Takes over what the watcher counts.
    fileprivate mutating func take(_ watch: WatchStatus, _ line: StatusLine) {
        folders = watch.folders
        ignoredFiles = watch.ignoredFiles
        scannedAt = watch.lastScanAt > 0 ? Int64(watch.lastScanAt * 1000) : nil
        paused = line.pause
        troubles = line.troubles
    }
}
