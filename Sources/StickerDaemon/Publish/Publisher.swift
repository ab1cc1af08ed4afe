import Dispatch
import Logging
import StickerModel
import StickerStore

/// Replaces manifests when categories change, not more often than the disk likes.
///
/// The first change of a quiet category is published at once. Then it rests for 1 s, or for twenty
/// times as long as the write took, so that a flood of changes costs a twentieth of the time. A write
/// that hung for a minute is an exception: no rest is longer than 30 s.
final class Publisher: Sendable {
    private static let restMin = Duration.seconds(1)
    private static let restMax = Duration.seconds(30)
    private static let restPerWrite = 20
    private static let retryAfterFailure = Duration.seconds(5)

    private let queue = DispatchQueue(label: "stickerd.publish")
    private let state: QueueConfined<State>
    private let catalog: CatalogPublisher
    private let report: @Sendable (_ trouble: String?) -> Void
    private let logger: Logger

    private struct State {
        var waiting: Set<CategoryID> = []
        var restsUntil: [CategoryID: ContinuousClock.Instant] = [:]
        var timer: (any DispatchSourceTimer)?
        var failures: [CategoryID: String] = [:]
        var isStopped = false
    }

    /// `report` is told that a manifest cannot be written, or with `nil` that all can be.
    init(
        catalog: CatalogPublisher, logger: Logger,
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        self.catalog = catalog
        self.logger = logger
        self.report = report
        state = QueueConfined(State(), on: queue)
    }

    /// Says that these categories have a newer generation than their manifest.
    func changed(_ categories: Set<CategoryID>) {
        guard !categories.isEmpty else { return }
        queue.async { [self] in
            state.confined { $0.waiting.formUnion(categories) }
            publishRested()
        }
    }

    /// Calls back on the queue that publishes.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    /// Publishes everything that waits, now, and nothing afterwards.
    ///
    /// - Returns: what could not be written, and why.
    func stop() -> [CategoryID: String] {
        state.perform { $0.restsUntil = [:] }
        queue.sync { publishRested() }
        return state.perform { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
            return state.failures
        }
    }

    /// Runs `body` between two publications; what cleans up among published files belongs here.
    func betweenPublications<Result>(_ body: () throws -> Result) rethrows -> Result {
        try queue.sync(execute: body)
    }

    private func publishRested() {
        state.confined { state in
            guard !state.isStopped else { return }
            let now = ContinuousClock.now
            for category in state.waiting.sorted(by: { $0.rawValue < $1.rawValue })
            where state.restsUntil[category, default: now] <= now {
                publish(category, &state)
            }
            state.restsUntil = state.restsUntil.filter { $0.value > now }
            report(state.failures.first.map { "the manifest of \($0) stays as it was: \($1)" })
            scheduleNext(&state)
        }
    }

    private func publish(_ category: CategoryID, _ state: inout State) {
        let start = ContinuousClock.now
        do {
            let written = try publishIfBehind(category)
            let took = ContinuousClock.now - start
            state.waiting.remove(category)
            state.failures[category] = nil
            state.restsUntil[category] = .now + Self.rest(after: took)
            guard let written else { return }
            logger.info(
                "manifest published",
                metadata: [
                    LogKey.category: "\(category)", LogKey.generation: "\(written.generation)",
                    LogKey.count: "\(written.stickers)",
                    LogKey.milliseconds: "\(Int(took.inMilliseconds.rounded()))",
                ])
        } catch {
            state.restsUntil[category] = .now + Self.retryAfterFailure
            state.failures[category] = "\(error)"
        }
    }

    /// A change that came while the manifest was written may stand in it already.
    private func publishIfBehind(_ category: CategoryID) throws -> PublishedManifest? {
        guard try catalog.isBehind(category) else {
            try catalog.publishIndex()
            return nil
        }
        return try catalog.publish(category)
    }

    /// How long a category rests whose manifest took `took` to write.
    static func rest(after took: Duration) -> Duration {
        min(restMax, max(restMin, took * restPerWrite))
    }

    private func scheduleNext(_ state: inout State) {
        state.timer?.cancel()
        state.timer = nil
        let rests = state.waiting.compactMap { state.restsUntil[$0] }
        guard let next = rests.min() else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + max(0.001, (next - .now).inMilliseconds / 1000))
        timer.setEventHandler { @Sendable [weak self] in self?.publishRested() }
        timer.resume()
        state.timer = timer
    }
}
