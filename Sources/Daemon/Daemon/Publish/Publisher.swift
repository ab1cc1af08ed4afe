import Dispatch
import Logging
import StickerProgram
import StickerStore
import StickerSystem
import StickerValues
import Synchronization

/// Replaces manifests when categories change, at a rate that the disk can handle.
///
/// The first change of a quiet category is published at once. Then the category rests for 1 s, or for twenty times as
/// long as the write took, so that a flood of changes costs a twentieth of the time, but never longer than 30 s.
final class Publisher: Sendable {
    private static let restMin = Duration.seconds(1)
    private static let restMax = Duration.seconds(30)
    private static let restPerWrite = 20
    /// How long entries wait for the start scan at most, in seconds.
    private static let startMax = 120.0
    /// How long one round encodes entries: other work waits for the queue.
    private static let settlingPerRound = Duration.milliseconds(250)
    /// How long a stop encodes entries.
    private static let settlingMax = Duration.seconds(5)
    private static let retryAfterFailure = Duration.seconds(5)
    /// How long a new category may be missing from the index while many manifests are written.
    private static let bookingPause = Duration.milliseconds(200)

    private let queue = DispatchQueue(label: "stickerd.publish")
    private let state: QueueConfined<State>
    private let catalog: CatalogPublisher
    private let onWritten: @Sendable (PublishedManifest, _ took: Duration) -> Void
    private let report: @Sendable (_ trouble: String?) -> Void
    private let logger: Logger

    private let writes = Atomic<Int>(0)
    /// Until when a stop encodes entries; the next start does the rest.
    private let settlesUntil = Mutex<ContinuousClock.Instant?>(nil)

    /// How many manifests have been written.
    var written: Int { writes.load(ordering: .acquiring) }

    private struct State {
        var waiting: Set<CategoryID> = []
        var restsUntil: [CategoryID: ContinuousClock.Instant] = [:]
        var timer: (any DispatchSourceTimer)?
        /// Manifests that could not be written, and why.
        var failures: [CategoryID: String] = [:]
        /// Why the index or the list of removed stickers could not be written, and when to try again.
        var indexFailure: (reason: String, retryAt: ContinuousClock.Instant)?
        /// Whether the start scan is running: entries to be encoded again wait for its end.
        var isStarting = false
        /// Whether no other round follows.
        var isStopping = false
        var isStopped = false
    }

    /// `onWritten` is called for each manifest; `report` if one cannot be written, and with `nil` once all can be.
    init(
        catalog: CatalogPublisher, isStarting: Bool = false, logger: Logger,
        onWritten: @escaping @Sendable (PublishedManifest, _ took: Duration) -> Void = { _, _ in },
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        (self.catalog, self.logger) = (catalog, logger)
        (self.onWritten, self.report) = (onWritten, report)
        state = QueueConfined(State(isStarting: isStarting), on: queue)
        guard isStarting else { return }
        // The folders of a slow share must not hold up manifests forever.
        queue.asyncAfter(deadline: .now() + Self.startMax) { [weak self] in
            self?.startScanFinished()
        }
    }

    /// Starts to encode entries again. Until then the start scan has the database to itself: after an upgrade every
    /// entry of a library is due.
    func startScanFinished() {
        queue.async { [self] in
            let isFirst = state.confined { state in
                guard state.isStarting else { return false }
                (state.isStarting, state.restsUntil) = (false, [:])
                return true
            }
            if isFirst { publishRested() }
        }
    }

    /// Notes that these categories have a newer generation than their manifests.
    func changed(_ categories: Set<CategoryID>) {
        guard !categories.isEmpty else { return }
        queue.async { [self] in
            state.confined { $0.waiting.formUnion(categories) }
            publishRested()
        }
    }

    /// Calls back on the queue that publishes.
    func ping(_ answer: @escaping @Sendable () -> Void) { queue.async(execute: answer) }

    /// Publishes everything that is waiting, and nothing afterwards. If entries are still to be encoded after a few
    /// seconds, the manifest stays as it is.
    ///
    /// - Returns: what could not be written, and why, one sentence each.
    func stop() -> [String] {
        settlesUntil.withLock { $0 = .now + Self.settlingMax }
        flush()
        return state.perform { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
            return Self.troubles(state)
        }
    }

    /// Publishes everything that is waiting; nothing is left for another round.
    func flush() {
        // Categories that exchanged stickers are written twice.
        for _ in 1...3 {
            state.perform { state in
                state.isStopping = true
                state.restsUntil = [:]
                state.indexFailure?.retryAt = .now
            }
            queue.sync { publishRested() }
            let isDone = state.perform { state in
                state.waiting.allSatisfy { state.failures[$0] != nil }
            }
            if isDone { break }
        }
    }

    /// Runs `body` between two publications. All cleaning of published files must run here.
    func betweenPublications<Result>(_ body: () throws -> Result) rethrows -> Result {
        try queue.sync(execute: body)
    }

    private func publishRested() {
        state.confined { state in
            guard !state.isStopped else { return }
            let now = ContinuousClock.now
            let due = state.waiting.filter { state.restsUntil[$0, default: now] <= now }
            publish(due.sorted { $0.rawValue < $1.rawValue }, &state)
            if let failure = state.indexFailure, failure.retryAt <= now { publishIndex(&state) }
            state.restsUntil = state.restsUntil.filter { $0.value > now }
            report(Self.troubles(state).first)
            scheduleNext(&state)
        }
    }

    private static func troubles(_ state: State) -> [String] {
        state.failures.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "the manifest of \($0.key) stays as it was: \($0.value)" }
            + (state.indexFailure.map { [$0.reason] } ?? [])
    }

    private typealias Written = (manifest: PublishedManifest, took: Duration)

    /// The outcome for the manifests that were due.
    private struct Round {
        var written: [CategoryID: Written] = [:]
        var failures: [CategoryID: any Error] = [:]
        /// Categories whose moved stickers may now be removed from their manifests.
        var left: Set<CategoryID> = []
        /// Categories with more entries to encode than one round allows; they continue in the next.
        var unsettled: Set<CategoryID> = []
    }

    private func publish(_ categories: [CategoryID], _ state: inout State) {
        guard !categories.isEmpty else { return }
        var round = Round()
        do {
            // A moved sticker is published in its new category before it leaves the old one.
            let beingLeft = try catalog.beingLeft()
            // Every id is in a manifest or in the list of removed stickers, even after a power failure.
            try catalog.publishRemovals()
            try write(categories.filter { !beingLeft.contains($0) }, &round, &state)
            try write(categories.filter(beingLeft.contains), &round, &state)
        } catch {
            round.failures = Dictionary(uniqueKeysWithValues: categories.map { ($0, error) })
        }
        for category in categories where !round.unsettled.contains(category) {
            end(category, round.written[category], round.failures[category], &state)
        }
        if state.isStarting {
            for category in round.unsettled { state.restsUntil[category] = .now + Self.restMin }
        }
        // Two categories that exchange stickers are written twice.
        state.waiting.formUnion(round.left)
    }

    /// Puts the manifests in place one by one, and records several in one transaction: while many files arrive, every
    /// transaction has to wait.
    private func write(
        _ categories: [CategoryID], _ round: inout Round, _ state: inout State
    ) throws {
        guard !categories.isEmpty else { return }
        // A change that arrived while the last manifest was written may already be in it.
        let behind = try catalog.behind()
        var (unbooked, bookedAt) = ([PublishedManifest](), ContinuousClock.now)
        let roundEnd = ContinuousClock.now + Self.settlingPerRound
        for category in categories where behind.contains(category) {
            do {
                guard try settle(category, state, until: roundEnd) else {
                    round.unsettled.insert(category)
                    continue
                }
                round.written[category] = try write(category)
                unbooked += round.written[category].map { [$0.manifest] } ?? []
            } catch {
                round.failures[category] = error
            }
            guard .now - bookedAt > Self.bookingPause else { continue }
            try book(exchange(&unbooked, with: []), &round, &state)
            bookedAt = .now
        }
        try book(unbooked, &round, &state)
    }

    private func book(
        _ written: [PublishedManifest], _ round: inout Round, _ state: inout State
    ) throws {
        round.left.formUnion(try catalog.book(written))
        publishIndex(&state)
    }

    /// Writes the index and the list of removed stickers, which are separate files: manifests do not wait for them.
    private func publishIndex(_ state: inout State) {
        var name = "index.json"
        do {
            try catalog.publishIndex()
            name = RemovedStickers.fileName
            try catalog.publishRemovals()
            state.indexFailure = nil
        } catch {
            let reason = "\(name) stays as it was: \(error)"
            state.indexFailure = (reason, .now + Self.retryAfterFailure)
        }
    }

    /// Encodes entries of a category again; returns whether none are left.
    private func settle(
        _ category: CategoryID, _ state: State, until roundEnd: ContinuousClock.Instant
    ) throws -> Bool {
        if let end = settlesUntil.withLock({ $0 }) {
            while .now < end, try !catalog.settle(category) {}
            return try catalog.isSettled(category)
        }
        // A drain leaves nothing to the next start.
        if state.isStopping { return true }
        let isHeld = state.isStarting || .now > roundEnd
        return try isHeld ? catalog.isSettled(category) : catalog.settle(category)
    }

    private func write(_ category: CategoryID) throws -> Written? {
        let start = ContinuousClock.now
        return try catalog.write(category).map { ($0, .now - start) }
    }

    private func end(
        _ category: CategoryID, _ written: Written?, _ failure: (any Error)?,
        _ state: inout State
    ) {
        state.failures[category] = failure.map { "\($0)" }
        guard failure == nil else {
            state.restsUntil[category] = .now + Self.retryAfterFailure
            return
        }
        state.waiting.remove(category)
        state.restsUntil[category] = .now + Self.rest(after: written?.took ?? .zero)
        guard let (manifest, took) = written else { return }
        writes.add(1, ordering: .releasing)
        onWritten(manifest, took)
        logger.info(
            "manifest published",
            metadata: [
                LogKey.category: "\(category)", LogKey.generation: "\(manifest.generation)",
                LogKey.count: "\(manifest.stickers)",
                LogKey.milliseconds: "\(Int(took.inMilliseconds.rounded()))",
            ])
    }

    /// How long a category rests after a write that took `took`.
    static func rest(after took: Duration) -> Duration {
        min(restMax, max(restMin, took * restPerWrite))
    }

    private func scheduleNext(_ state: inout State) {
        state.timer?.cancel()
        state.timer = nil
        let rests =
            state.waiting.map { state.restsUntil[$0, default: .now] }
            + (state.indexFailure.map { [$0.retryAt] } ?? [])
        guard let next = rests.min() else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + max(0.001, (next - .now).inMilliseconds / 1000))
        timer.setEventHandler { @Sendable [weak self] in self?.publishRested() }
        timer.resume()
        state.timer = timer
    }
}
