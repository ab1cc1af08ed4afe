import Dispatch
package import StickerModel
import Synchronization

/// Asks one upstream for others: each question once at a time, on threads of its own, no more often than it wants, and
/// answers from what is known as long as that is good.
///
/// Who waits for an answer holds no thread.
package final class UpstreamDesk: Sendable {
    /// Some stickers of an answer.
    package struct Page: Hashable, Sendable {
        /// Those that were wished for, or as many as are known.
        package var stickers: [ForeignSticker]
        /// How many are known of the whole answer.
        package var count: Int
        /// Whether there are more.
        package var hasMore: Bool
        /// Whether the upstream has no more than are known.
        package var isComplete: Bool
        /// How long ago the upstream was asked.
        package var age: Duration
    }

    /// Why the upstream is not asked, or did not answer.
    package enum Lack: Hashable, Sendable {
        /// It has no key that can be used.
        case key
        /// Something is wrong with it, or with the question; until then it is left alone.
        case fault(UpstreamFault, ContinuousClock.Instant)
        /// It was asked as often as it may be; until then.
        case quota(ContinuousClock.Instant)
        /// It is being asked as much as can be at once.
        case busy
        /// It takes longer than somebody waits.
        case slow
        /// What was wished for lies behind more than is asked for at once.
        case far
    }

    /// What a wish leads to: an answer, an old one and what is wrong, or what is wrong alone.
    package struct Found: Hashable, Sendable {
        /// Stickers, if any are known.
        package var page: Page?
        /// Why they are not as new or as many as they should be.
        package var lack: Lack?
    }

    /// What happens, for those who count and tell.
    package enum Event: Sendable {
        /// The upstream answered.
        case answered(leftOut: [LeftOut: Int], isNews: Bool)
        /// It did not.
        case failed(UpstreamFault, isNews: Bool)
    }

    /// How many pages are asked for at once for one wish.
    private static let callsMax = 4
    /// More do not wait for an answer.
    private static let waitersMax = 1000

    /// What is configured.
    package let upstream: UpstreamConfiguration
    private let service: any UpstreamService
    private let fetcher: Fetcher
    private let lanes: [DispatchQueue]
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let note: @Sendable (Event) -> Void
    private let state: Mutex<State>

    private struct State {
        var book: UpstreamBook
        var key: String?
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        var question: UpstreamQuestion
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// Creates a desk that has asked nothing.
    ///
    /// - Parameters:
    ///   - upstream: what is configured.
    ///   - key: under which it is asked, if there is one.
    ///   - fetcher: asks; its limits are those of an answer.
    ///   - clock: the time.
    ///   - note: is told what happens, on any thread.
    package init(
        _ upstream: UpstreamConfiguration, key: String?, fetcher: Fetcher,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        note: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.upstream, self.fetcher, self.clock, self.note) = (upstream, fetcher, clock, note)
        service =
            switch upstream.kind {
            case .giphy: GiphyService(upstream)
            case .provider: ProviderService(upstream)
            }
        lanes = (0..<UpstreamBook.lanes).map { number in
            DispatchQueue(label: "stickerd-web.upstream.\(upstream.identifier).\(number)")
        }
        state = Mutex(
            State(book: UpstreamBook(callsPerHour: upstream.callsPerHour), key: key))
    }

    /// The most characters of a question.
    package var wordsMax: Int { service.wordsMax }

    /// What was last wrong, until the upstream answers again.
    package var trouble: String? {
        state.withLock { state in
            state.key == nil && !upstream.isKeyless
                ? "it has no key that can be used" : state.book.trouble?.description
        }
    }

    /// Asks under another key from now on, also if the upstream did not take the one before.
    package func take(key: String?) {
        state.withLock { state in
            if state.key != key { state.book.forgive() }
            state.key = key
        }
    }

    /// Stickers for a client.
    ///
    /// - Parameters:
    ///   - text: what it looks for; blank for what is trending. No longer than `wordsMax`.
    ///   - ceiling: the highest rating that it may see.
    ///   - offset: how many are passed over.
    ///   - limit: how many there are at most. An answer may have fewer although there are more.
    ///   - patience: how long it waits if nothing is known.
    ///   - patienceForNews: how long it waits if an old answer is.
    /// - Returns: what there is.
    package func stickers(
        _ text: String, upTo ceiling: Rating, offset: Int, limit: Int, patience: Duration,
        patienceForNews: Duration
    ) async -> Found {
        let ceiling = ceiling.capped(at: upstream.rating)
        let wish = UpstreamBook.Wish(
            question: service.question(text, upTo: ceiling), ceiling: ceiling, offset: offset,
            limit: limit)
        let start = ContinuousClock.now
        var calls = 0
        while true {
            switch step(wish, mayCall: calls < Self.callsMax) {
            case .page(let page): return Found(page: page)
            case .lack(let lack): return lastGood(wish, lack)
            case .call(let call, let lane):
                calls += 1
                begin(call, lane)
            case .wait: break
            }
            let isKnown = lastGood(wish, .slow).page.map { !$0.stickers.isEmpty } ?? false
            let end = start + (isKnown ? min(patience, patienceForNews) : patience)
            guard await isAnswered(wish.question, before: end) else {
                return lastGood(wish, .slow)
            }
        }
    }

    // MARK: Asking

    private func step(_ wish: UpstreamBook.Wish, mayCall: Bool) -> UpstreamBook.Step {
        state.withLock { state in
            guard state.key != nil || upstream.isKeyless else { return .lack(.key) }
            return state.book.step(wish, mayCall: mayCall, clock())
        }
    }

    private func lastGood(_ wish: UpstreamBook.Wish, _ lack: Lack) -> Found {
        let page = state.withLock { $0.book.lastGood(wish, clock()) }
        return Found(page: page, lack: lack)
    }

    private func begin(_ call: UpstreamBook.Call, _ lane: Int) {
        lanes[lane].async { [self] in
            let key = state.withLock { $0.key }
            let result = Result { () throws(UpstreamFault) in try ask(call, key) }
            let now = clock()
            let (repeated, isNews, met) = state.withLock { state in
                let (repeated, isNews) =
                    key == state.key || result.isAnswer
                    ? state.book.take(result, of: call, now) : state.book.drop(call)
                let met = state.waiters.filter { $0.value.question == call.question }
                for id in met.keys { state.waiters[id] = nil }
                return (repeated, isNews, met)
            }
            switch result {
            case .success(var page):
                if repeated > 0 { page.leftOut[.duplicate, default: 0] += repeated }
                note(.answered(leftOut: page.leftOut, isNews: isNews))
            case .failure(let fault): note(.failed(fault, isNews: isNews))
            }
            // Whoever is answered finds it in the log and in the figures.
            for waiter in met.values { waiter.continuation.resume(returning: true) }
        }
    }

    private func ask(_ call: UpstreamBook.Call, _ key: String?) throws(UpstreamFault)
        -> UpstreamPage
    {
        let answer: FetchedAnswer
        do throws(FetchFault) {
            answer = try fetcher.get(
                service.address(of: call.question, from: call.offset, key: key))
        } catch {
            throw UpstreamFault(.unanswered, error.description)
        }
        guard answer.status == 200 else {
            throw .status(answer.status, retryAfterSeconds: answer.retryAfterSeconds)
        }
        return try service.page(
            in: answer.body, to: call.question, from: call.offset, key: key)
    }

    // MARK: Waiting

    /// Waits until a question is not under way any more.
    ///
    /// - Returns: whether that was in time.
    private func isAnswered(
        _ question: UpstreamQuestion, before end: ContinuousClock.Instant
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let (answer, id): (Bool?, Int) = state.withLock { state in
                guard state.book.isUnderWay(question) else { return (true, 0) }
                guard state.waiters.count < Self.waitersMax else { return (false, 0) }
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = Waiter(
                    question: question, continuation: continuation)
                return (nil, state.lastWaiter)
            }
            if let answer { return continuation.resume(returning: answer) }
            let rest = max(.zero, ContinuousClock.now.duration(to: end))
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .milliseconds(Int(rest / .milliseconds(1)))
            ) { [self] in
                let late = state.withLock { $0.waiters.removeValue(forKey: id) }
                late?.continuation.resume(returning: false)
            }
        }
    }
}

extension Result {
    fileprivate var isAnswer: Bool { if case .success = self { true } else { false } }
}
