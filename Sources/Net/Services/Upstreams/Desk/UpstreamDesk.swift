import Dispatch
package import StickerConfiguration
package import StickerValues
import Synchronization

/// Asks one upstream for many clients: each question once at a time, on its own threads, no more often than allowed,
/// and answers from known results while they are fresh.
///
/// Waiting clients hold no thread.
package final class UpstreamDesk: Sendable {
    /// Some stickers of an answer.
    package struct Page: Hashable, Sendable {
        /// The requested stickers, or as many as are known.
        package var stickers: [UpstreamSticker]
        /// How many are known of the whole answer.
        package var count: Int
        /// Whether there are more.
        package var hasMore: Bool
        /// Whether all of the upstream's stickers are known.
        package var isComplete: Bool
        /// How long ago the upstream was asked.
        package var age: Duration
    }

    /// Why the upstream is not asked, or did not answer.
    package enum Lack: Hashable, Sendable {
        /// It has no usable key.
        case key
        /// It, or the question, failed; it is not asked until this time.
        case fault(UpstreamFault, ContinuousClock.Instant)
        /// Its quota is used up until this time.
        case quota(ContinuousClock.Instant)
        /// All its requests are in use.
        case busy
        /// It takes longer than clients wait.
        case slow
        /// The requested part lies beyond the pages that one request may fetch.
        case far
    }

    /// The result of a wish: an answer, an old one and a problem, or only a problem.
    package struct Found: Hashable, Sendable {
        /// Stickers, if any are known.
        package var page: Page?
        /// Why they are not as new or as many as they should be.
        package var lack: Lack?
    }

    /// Events, for metrics and logs.
    package enum Event: Sendable {
        /// The upstream answered.
        case answered(leftOut: [LeftOut: Int], isNews: Bool)
        /// The upstream failed.
        case failed(UpstreamFault, isNews: Bool)
    }

    /// The most pages fetched for one wish.
    private static let callsMax = 4
    /// The most clients waiting for an answer.
    private static let waitersMax = 1000

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
    ///   - upstream: its configuration.
    ///   - key: the key, if there is one.
    ///   - fetcher: sends requests; its limits apply to answers.
    ///   - clock: the time.
    ///   - note: receives events, on any thread.
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

    /// The last fault, until the upstream answers again.
    package var trouble: String? {
        state.withLock { state in
            state.key == nil && !upstream.isKeyless
                ? "it has no usable key" : state.book.trouble?.description
        }
    }

    /// Uses another key from now on, also if the upstream refused the previous one.
    package func take(key: String?) {
        state.withLock { state in
            if state.key != key { state.book.forgive() }
            state.key = key
        }
    }

    /// Stickers for a client.
    ///
    /// - Parameters:
    ///   - text: the search text; blank for trending ones. No longer than `wordsMax`.
    ///   - ceiling: the highest rating that the client may see.
    ///   - offset: how many are skipped.
    ///   - limit: how many at most. An answer may have fewer although there are more.
    ///   - patience: how long it waits if nothing is known.
    ///   - patienceForNews: how long it waits if an old answer is.
    /// - Returns: the result.
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
            // Logged and counted before clients get the answer.
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

    /// Waits until a question is no longer under way.
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
