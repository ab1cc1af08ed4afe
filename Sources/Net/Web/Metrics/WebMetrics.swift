import CoreMetrics
import NIOCore
import StickerHTTP
import StickerMetrics
import StickerServices
import StickerValues
import Synchronization

/// Counts answers, and publishes them with the daemon's metrics.
final class WebMetrics: Sendable {
    /// The counters of one kind of request.
    private struct Handles {
        let requests: Counter
        let times: Timer
        let bytes: Counter
    }

    private struct Kind: Hashable {
        var route: WebRoute
        var status: Int
    }

    private let registry: MetricRegistry
    private let connections: Meter
    private let waiting: Meter
    private let process: ProcessMetrics
    private let daemon: DaemonFigures
    private let uploadDaemon: DaemonFigures?
    /// A request is answered in microseconds: nothing is looked up by name.
    private let handles = Mutex<[Kind: Handles]>([:])

    /// Creates metrics without requests.
    ///
    /// - Parameters:
    ///   - run: the folder of a daemon's metrics on this machine.
    ///   - uploadDaemon: the metrics of the daemon for uploads; `nil` without uploads.
    init(run: String, uploadDaemon: DaemonFigures? = nil) {
        self.uploadDaemon = uploadDaemon
        registry = MetricRegistry(WebFamilies.all)
        connections = WebFamilies.connections.gauge(in: registry)
        waiting = WebFamilies.waiting.gauge(in: registry)
        process = ProcessMetrics(WebFamilies.prefix, version: Stickerd.version, in: registry)
        daemon = DaemonFigures(path: "\(run)/metrics.prom")
    }

    /// Counts an answered request.
    func note(_ asked: RoutedRequest, _ answer: Answer, took: Duration) {
        let handles = handles(of: Kind(route: WebRoute(asked), status: answer.status))
        handles.requests.increment()
        handles.times.recordMilliseconds(took.inMilliseconds)
        guard asked.request.method != "HEAD", let count = answer.count else { return }
        handles.bytes.increment(by: count)
    }

    /// Counts an event of the server.
    func note(_ event: ServerEvent) {
        switch event {
        case .connections(let count): connections.set(count)
        case .waiting(let bytes): waiting.set(bytes)
        case .cut(let why): WebFamilies.cuts.counter(why.rawValue, in: registry).increment()
        }
    }

    private func handles(of kind: Kind) -> Handles {
        handles.withLock { handles in
            if let known = handles[kind] { return known }
            let route = kind.route.rawValue
            let made = Handles(
                requests: WebFamilies.requests.counter(route, "\(kind.status)", in: registry),
                times: WebFamilies.times.timer(route, in: registry),
                bytes: WebFamilies.bytes.counter(route, in: registry))
            handles[kind] = made
            return made
        }
    }

    /// Counts a request to an upstream. Names of categories are those of the configuration, so that clients cannot add
    /// any.
    func note(_ event: UpstreamDesk.Event, of upstream: CategoryID) {
        func count(_ family: MetricFamily, _ word: String, by number: Int = 1) {
            family.counter(upstream.rawValue, word, in: registry).increment(by: number)
        }
        switch event {
        case .answered(let leftOut, _):
            count(WebFamilies.upstreamCalls, "answered")
            for (reason, number) in leftOut {
                count(WebFamilies.upstreamLeftOut, reason.rawValue, by: number)
            }
        case .failed(let fault, _): count(WebFamilies.upstreamCalls, fault.kind.rawValue)
        }
    }

    /// All metrics in Prometheus' format.
    ///
    /// - Parameters:
    ///   - library: the served library.
    ///   - troubles: the upstreams' categories, and whether each has a problem.
    /// - Returns: the answer.
    func answer(_ library: LibraryView, troubles: [CategoryID: Bool]) -> Answer {
        process.refresh()
        show(library.now)
        for (id, isTroubled) in troubles {
            WebFamilies.upstreamTrouble.gauge(id.rawValue, in: registry).set(isTroubled ? 1 : 0)
        }
        WebFamilies.pages.gauge(in: registry).set(library.changes.count)
        let lines = daemon.lines()
        WebFamilies.hasDaemon.gauge(in: registry).set(lines == nil ? 0 : 1)
        if let uploadDaemon {
            WebFamilies.hasUploadDaemon.gauge(in: registry).set(uploadDaemon.isWritten ? 1 : 0)
        }
        return Answer(
            200,
            [
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"),
                ("Cache-Control", "no-store"),
            ], .bytes(ByteBuffer(bytes: (lines ?? []) + Array(registry.text.utf8))))
    }

    private func show(_ library: LibraryView.Facts) {
        func set(_ family: MetricFamily, _ value: Int) { family.gauge(in: registry).set(value) }
        set(WebFamilies.ready, library.isReady ? 1 : 0)
        set(WebFamilies.generation, library.generation)
        set(WebFamilies.stickers, library.stickers)
        set(WebFamilies.categories, library.categories.count)
        set(WebFamilies.removed, library.removed.count)
        set(WebFamilies.trouble, library.trouble == nil ? 0 : 1)
        WebFamilies.published.gauge(in: registry).set(Double(library.publishedAt) / 1e9)
    }
}
