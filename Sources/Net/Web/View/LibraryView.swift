import Dispatch
import Glibc
import Logging
import StickerHTTP
import StickerModel
import StickerSystem
import Synchronization

/// What is published, kept up to date: one queue looks at the tree, any number of threads ask.
final class LibraryView: Sendable {
    /// What is asked for besides stickers.
    struct Facts: Sendable {
        /// Counts up with every change.
        var generation = 0
        /// Tells this state from any other; servers that have read the same say the same.
        var mark = ""
        /// The categories, ordered by id.
        var categories: [CategoryFacts] = []
        /// How many stickers there are in all.
        var stickers = 0
        /// Stickers that were removed, by id.
        var removed: [StickerID: RemovedSticker] = [:]
        /// When the newest file that was read was written, in nanoseconds since 1970; 0 if there is none.
        var publishedAt: Int64 = 0
        /// Whether everything has been read once, but for what cannot be.
        var isReady = false
        /// What cannot be read now; its last state is served on, if there is one.
        var trouble: String?
    }

    private static let looksEvery = DispatchTimeInterval.milliseconds(100)

    /// What is found in it.
    let index: SearchIndex
    /// Tells of changes.
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

    /// Creates a view of `out`; nothing is read before the first look.
    ///
    /// - Parameters:
    ///   - out: the published folder.
    ///   - words: how stickers are spoken of.
    ///   - index: follows.
    ///   - pause: how long a file is left alone that could not be read.
    ///   - logger: is told of that.
    init(
        out: String, words: StickerWording, index: SearchIndex, pause: Duration = .seconds(2),
        logger: Logger
    ) {
        known = Mutex(LibraryUpdate(TreeReader(out: out), words, index, pause: pause))
        (self.index, self.logger) = (index, logger)
    }

    /// What is asked for besides stickers.
    var now: Facts { facts.withLock { $0 } }

    /// What `body` reads of the index and of `now`, all of one state.
    ///
    /// - Throws: what `body` throws.
    func reading<Value>(_ body: () throws -> Value) throws -> Value { try turn.reading(body) }

    /// Looks at the tree ten times a second from now on. No event tells of what another machine changes on a share.
    func follow() {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: Self.looksEvery, leeway: .milliseconds(10))
        source.setEventHandler { @Sendable [weak self] in self?.look() }
        source.resume()
        timer.withLock { $0 = SendableTimer(source: source) }
    }

    /// Ends `follow`.
    func stop() { timer.withLock { $0?.source.cancel() } }

    /// Takes over what has changed since the last look.
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
            "something published cannot be read; its last state is served on, if there is one",
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

    /// Why nothing is known under a name: it may be what cannot be read.
    var nothing: WebError {
        guard trouble != nil else { return .notFound }
        return WebError(
            status: 503, message: "it is not known now whether that is there",
            remedy: "try again in a minute; the operator sees at /readyz what cannot be read",
            headers: [("Retry-After", "60")])
    }
}
