import Dispatch
import Glibc
import Logging
import StickerHTTP
import StickerSystem
import StickerValues
import Synchronization

/// The published stickers, kept up to date: one queue reads the tree, any number of threads query.
final class LibraryView: Sendable {
    /// Facts besides the stickers.
    struct Facts: Sendable {
        /// Counts up with every change.
        var generation = 0
        /// Identifies this state; the same on all servers that have read the same.
        var mark = ""
        /// The categories, ordered by id.
        var categories: [CategoryFacts] = []
        /// The total number of stickers.
        var stickers = 0
        /// Removed stickers, by id.
        var removed: [StickerID: RemovedSticker] = [:]
        /// The modification time of the newest file read, in nanoseconds since 1970; 0 if there is none.
        var publishedAt: Int64 = 0
        /// Whether everything readable has been read once.
        var isReady = false
        /// The part that cannot be read now; its last state is still served, if there is one.
        var trouble: String?
    }

    private static let looksEvery = DispatchTimeInterval.milliseconds(100)

    /// The index of the stickers.
    let index: SearchIndex
    /// Notifies of changes.
    let changes = ChangeFeed()
    private let facts = Mutex(Facts())
    private let turn = StateTurn()
    private let known: Mutex<LibraryUpdate>
    private let logger: Logger
    private let queue = DispatchQueue(label: "stickerd-web.library", qos: .userInitiated)
    private let timer = Mutex<SendableTimer?>(nil)

    private struct SendableTimer: @unchecked Sendable {
        let source: any DispatchSourceTimer
    }

    /// Creates a view of `out`, without reading it yet.
    ///
    /// - Parameters:
    ///   - out: the published folder.
    ///   - words: the wording of stickers.
    ///   - index: kept up to date.
    ///   - pause: how long an unreadable file is not retried.
    ///   - logger: logs unreadable files.
    init(
        out: String, words: StickerWording, index: SearchIndex, pause: Duration = .seconds(2),
        logger: Logger
    ) {
        known = Mutex(LibraryUpdate(TreeReader(out: out), words, index, pause: pause))
        (self.index, self.logger) = (index, logger)
    }

    /// The current facts.
    var now: Facts { facts.withLock { $0 } }

    /// The result of `body`, which reads the index and `now` in one state.
    ///
    /// - Throws: the errors of `body`.
    func reading<Value>(_ body: () throws -> Value) throws -> Value { try turn.reading(body) }

    /// Checks the tree ten times a second from now on. Changes on a share by another machine cause no events.
    func follow() {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: Self.looksEvery, leeway: .milliseconds(10))
        source.setEventHandler { @Sendable [weak self] in self?.look() }
        source.resume()
        timer.withLock { $0 = SendableTimer(source: source) }
    }

    /// Ends `follow`.
    func stop() { timer.withLock { $0?.source.cancel() } }

    /// Reads the changes since the last look.
    func look() {
        known.withLock { known in
            defer { turn.end() }
            let (isChanged, troubles) = known.take(beforeCommit: turn.begin)
            let mark = facts.withLock { facts in
                if isChanged || !facts.isReady && known.isComplete {
                    turn.begin()
                    facts = Facts(known, after: facts)
                }
                if facts.trouble != troubles.first {
                    note(troubles.first, isWaiting: known.isWaiting)
                }
                facts.trouble = troubles.first
                return facts.mark
            }
            changes.tell(mark)
        }
    }

    private func note(_ trouble: String?, isWaiting: Bool) {
        guard let trouble else { return logger.notice("everything published can be read") }
        guard !isWaiting else {
            return logger.notice(
                "nothing is published yet; it is served as soon as it is there",
                metadata: ["detail": "\(trouble)"])
        }
        logger.error(
            "something published cannot be read; its last state is served, if there is one",
            metadata: ["detail": "\(trouble)"])
    }
}

extension LibraryView.Facts {
    fileprivate init(_ library: LibraryUpdate, after before: Self) {
        generation = before.generation + 1
        mark = library.print.text
        categories = library.categories
        stickers = categories.reduce(0) { $0 + $1.stickers.count }
        removed = library.removed
        publishedAt = library.publishedAt
        isReady = before.isReady || library.isComplete
        trouble = before.trouble
    }

    /// A category by its id.
    ///
    /// - Throws: `WebError` if there is none.
    func category(_ id: CategoryID) throws -> CategoryFacts {
        guard let category = categories.first(where: { $0.identifier == id }) else { throw nothing }
        return category
    }

    /// The error for an unknown name: it may be in a file that cannot be read.
    var nothing: WebError {
        guard trouble != nil else { return .notFound }
        return WebError(
            status: 503, message: "it is not known at the moment whether this exists",
            remedy: "try again in a minute; the operator sees the cause at /readyz",
            headers: [("Retry-After", "60")])
    }
}
