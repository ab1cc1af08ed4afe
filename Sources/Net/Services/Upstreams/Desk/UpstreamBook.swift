import StickerValues

/// The state of an upstream, and whether it may be asked now. A pure value: it sends no requests and receives the time.
struct UpstreamBook {
    /// The most concurrent requests.
    static let lanes = 2
    /// The pauses after temporary faults.
    private static let pauses = Backoff(pauses: [5, 15, 60, 300, 900].map { .seconds($0) })
    /// The pause after a fault that needs the operator.
    private static let longPauseSeconds = 900
    /// The longest pause, whatever the upstream demands.
    private static let pauseSecondsMax = 86_400
    /// How long a question is not repeated that the upstream refused, or answered uselessly.
    private static let refusedFor = Duration.seconds(300)
    private static let refusedMax = 300

    /// A part of the answer to a question.
    struct Wish: Hashable, Sendable {
        var question: UpstreamQuestion
        var ceiling: Rating
        var offset: Int
        var limit: Int
    }

    /// One request to the upstream.
    struct Call: Hashable, Sendable {
        var question: UpstreamQuestion
        var offset: Int
        var startedAt: ContinuousClock.Instant
    }

    /// The next step for a wish.
    enum Step {
        /// It can be fulfilled.
        case page(UpstreamDesk.Page)
        /// The upstream must be asked; `lane` is reserved for that.
        case call(Call, lane: Int)
        /// The request is under way.
        case wait
        /// The upstream cannot be asked now.
        case lack(UpstreamDesk.Lack)
    }

    /// The last fault, until it answers again.
    private(set) var trouble: UpstreamFault?
    /// Whether any answer so far had usable stickers.
    private var isProven = false
    private var failures = 0
    private var pausedUntil: ContinuousClock.Instant?
    private var quota: CallQuota
    private var cache: ListingCache
    private var underWay: [UpstreamQuestion: (call: Call, lane: Int)] = [:]
    private var refused:
        [UpstreamQuestion: (fault: UpstreamFault, until: ContinuousClock.Instant)] =
            [:]

    init(callsPerHour: Int, cache: ListingCache = ListingCache()) {
        (quota, self.cache) = (CallQuota(perHour: callsPerHour), cache)
    }

    /// The next step for a wish.
    ///
    /// - Parameters:
    ///   - wish: the client's wish.
    ///   - mayCall: whether the upstream may be asked once more for it.
    ///   - now: the time.
    /// - Returns: the step.
    mutating func step(
        _ wish: Wish, mayCall: Bool = true, _ now: ContinuousClock.Instant
    ) -> Step {
        let known = cache.listing(of: wish.question)
        let fresh = known.flatMap { $0.isStale(for: wish, now) ? nil : $0 }
        if let page = fresh?.page(wish, now) { return .page(page) }
        guard underWay[wish.question] == nil else { return .wait }
        guard mayCall else { return .lack(.far) }
        if let refusal = refused[wish.question] {
            guard refusal.until <= now else { return .lack(.fault(refusal.fault, refusal.until)) }
            refused[wish.question] = nil
        }
        if let pausedUntil, let trouble, pausedUntil > now {
            return .lack(.fault(trouble, pausedUntil))
        }
        let busy = Set(underWay.values.map(\.lane))
        guard let lane = (0..<Self.lanes).first(where: { !busy.contains($0) }) else {
            return .lack(.busy)
        }
        if let later = quota.take(now) { return .lack(.quota(later)) }
        let call = Call(question: wish.question, offset: fresh?.next ?? 0, startedAt: now)
        underWay[wish.question] = (call, lane)
        return .call(call, lane: lane)
    }

    /// The known part of a wish, however old it is.
    mutating func lastGood(_ wish: Wish, _ now: ContinuousClock.Instant) -> UpstreamDesk.Page? {
        cache.listing(of: wish.question)?.lastGood(wish, now)
    }

    /// Whether a question is being asked.
    func isUnderWay(_ question: UpstreamQuestion) -> Bool { underWay[question] != nil }

    /// Applies the result of a call.
    ///
    /// - Returns: how many stickers were already known; and whether a fault, or the end of one, is news.
    mutating func take(
        _ result: Result<UpstreamPage, UpstreamFault>, of call: Call,
        _ now: ContinuousClock.Instant
    ) -> (repeated: Int, isNews: Bool) {
        underWay[call.question] = nil
        switch result {
        case .success(let page):
            // A further page of a forgotten answer is useless.
            var listing =
                call.offset == 0
                ? Listing(askedAt: call.startedAt) : cache.listing(of: call.question)
            let repeated = listing?.take(page) ?? 0
            isProven = isProven || !page.stickers.isEmpty
            if let listing { cache.keep(listing, of: call.question) }
            return (repeated, recover())
        // Trending stickers are not a client's question.
        case .failure(let fault) where fault.kind == .question && !call.question.words.isEmpty:
            refuse(call.question, fault, now)
            return (0, recover())
        // Clients choose the words: a bad result must not stop the questions of others.
        case .failure(let fault) where fault.kind == .stickers:
            refuse(call.question, fault, now)
            return (0, doubt(fault, isTrending: call.question.words.isEmpty))
        case .failure(let fault):
            let isNews = trouble != fault
            trouble = fault
            failures += 1
            let pause =
                switch fault.kind {
                case .key, .redirect, .quota: Duration.seconds(Self.longPauseSeconds)
                default: Self.pauses.delay(afterFailures: failures)
                }
            let wanted = Duration.seconds(min(fault.secondsMin, Self.pauseSecondsMax))
            pausedUntil = now + max(pause, wanted)
            return (0, isNews)
        }
    }

    /// Ignores a call under a replaced key: its fault says nothing about the new one.
    ///
    /// - Returns: as `take` does: nothing is news.
    mutating func drop(_ call: Call) -> (repeated: Int, isNews: Bool) {
        underWay[call.question] = nil
        return (0, false)
    }

    /// The pause in seconds after a fault that needs the operator, if the upstream asks for `wanted`.
    static func longPauseSeconds(wanted: Int) -> Int {
        max(longPauseSeconds, min(wanted, pauseSecondsMax))
    }

    /// Ends the pause, as the operator has fixed something.
    mutating func forgive() { _ = recover() }

    private mutating func refuse(
        _ question: UpstreamQuestion, _ fault: UpstreamFault, _ now: ContinuousClock.Instant
    ) {
        if refused.count >= Self.refusedMax { refused = [:] }
        refused[question] = (fault, now + Self.refusedFor)
    }

    /// Reports stickers that cannot be used, unless the words may be the cause.
    ///
    /// - Returns: whether that is news.
    private mutating func doubt(_ fault: UpstreamFault, isTrending: Bool) -> Bool {
        let before = trouble
        (failures, pausedUntil) = (0, nil)
        if isTrending || !isProven {
            trouble = fault
        } else if before?.kind != .stickers {
            trouble = nil
        }
        // The same fault with other words is no news.
        return trouble != nil && trouble?.kind != before?.kind
    }

    /// Returns whether there was a fault.
    private mutating func recover() -> Bool {
        let wasWrong = trouble != nil
        (trouble, failures, pausedUntil) = (nil, 0, nil)
        return wasWrong
    }
}

extension Listing {
    /// Whether it must be requested from the beginning. A client that turns pages goes on with the old one.
    fileprivate func isStale(
        for wish: UpstreamBook.Wish, _ now: ContinuousClock.Instant
    ) -> Bool {
        askedAt.duration(to: now) >= (wish.offset == 0 ? Self.freshFor : Self.turnedFor)
    }

    /// The requested part; `nil` if more must be fetched for it.
    fileprivate func page(
        _ wish: UpstreamBook.Wish, _ now: ContinuousClock.Instant
    ) -> UpstreamDesk.Page? {
        let page = lastGood(wish, now)
        return wish.offset < page.count || next == nil ? page : nil
    }

    /// The requested part, as far as it is known.
    fileprivate func lastGood(
        _ wish: UpstreamBook.Wish, _ now: ContinuousClock.Instant
    ) -> UpstreamDesk.Page {
        let found = visible(upTo: wish.ceiling)
        let rest = found.dropFirst(wish.offset)
        return UpstreamDesk.Page(
            stickers: Array(rest.prefix(wish.limit)), count: found.count,
            hasMore: rest.count > wish.limit || next != nil, isComplete: next == nil,
            age: askedAt.duration(to: now))
    }
}
