import Dispatch
import Glibc
import Logging
import StickerModel
import StickerSystem
import Synchronization

/// What is published, kept up to date: one queue looks at the tree, any number of threads ask.
final class LibraryView: Sendable {
    /// What is asked for besides stickers.
    struct Facts: Sendable {
        /// Counts up with every change.
        var generation = 0
        /// Tells this state from every other one of every server.
        var mark = ""
        /// The categories, ordered by id.
        var categories: [CategoryFacts] = []
        /// How many stickers there are in all.
        var stickers = 0
        /// Stickers that were removed, by id.
        var removed: [StickerID: RemovedSticker] = [:]
        /// When the newest file that was read was written, in nanoseconds since 1970; 0 if there is none.
        var publishedAt: Int64 = 0
        /// Whether everything has been read once.
        var isReady = false
        /// What cannot be read now; its last state is served on.
        var trouble: String?
    }

    private static let looksEvery = DispatchTimeInterval.milliseconds(100)

    /// What is found in it.
    let index: SearchIndex
    /// Tells of changes.
    let changes = ChangeFeed()
    /// Servers count for themselves, and begin again with every start.
    private let instance = String(UInt64.random(in: .min ... .max), radix: 36)
    private let facts = Mutex(Facts())
    private let known: Mutex<LibraryUpdate>
    private let logger: Logger
    private let queue = DispatchQueue(label: "stickerd-web.library", qos: .userInitiated)
    private let timer = Mutex<SendableTimer?>(nil)

    private struct SendableTimer: @unchecked Sendable {
        let source: any DispatchSourceTimer
    }

    /// Creates a view of `out`; nothing is read before the first look.
    init(out: String, words: StickerWording, index: SearchIndex, logger: Logger) {
        known = Mutex(LibraryUpdate(TreeReader(out: out), words, index))
        (self.index, self.logger) = (index, logger)
    }

    /// What is asked for besides stickers.
    var now: Facts { facts.withLock { $0 } }

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
            let (isChanged, troubles) = known.take()
            let (categories, removed) = (known.categories, known.removed)
            let mark = facts.withLock { facts in
                if isChanged || !facts.isReady && troubles.isEmpty {
                    facts.generation += 1
                    facts.mark = "\(instance)-\(facts.generation)"
                    facts.categories = categories
                    facts.stickers = categories.reduce(0) { $0 + $1.stickers.count }
                    facts.removed = removed
                    facts.publishedAt = known.publishedAt
                }
                if facts.trouble != troubles.first { note(troubles.first) }
                facts.isReady = facts.isReady || troubles.isEmpty
                facts.trouble = troubles.first
                return facts.mark
            }
            changes.tell(mark)
        }
    }

    private func note(_ trouble: String?) {
        guard let trouble else { return logger.notice("everything published can be read again") }
        logger.error(
            "something published cannot be read; its last state is served on",
            metadata: ["detail": "\(trouble)"])
    }
}
