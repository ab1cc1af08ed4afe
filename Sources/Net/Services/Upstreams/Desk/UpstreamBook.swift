import StickerModel

/// What is known of an upstream, and whether it may be asked now. A value: it asks nobody, and is told the time.
struct UpstreamBook {
    /// How many questions are under way at once.
    static let lanes = 2
    /// The pauses after faults that may pass by themselves.
    private static let pauses = Backoff(pauses: [5, 15, 60, 300, 900].map { .seconds($0) })
    /// The pause after one that somebody has to mend.
    private static let longPauseSeconds = 900
    /// No upstream is left alone for longer, whatever it says.
    private static let pauseSecondsMax = 86_400
    /// How long a question is not asked again that the upstream did not take, or answers with nothing of use.
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

    /// What is to be done for a wish.
    enum Step {
        /// It can be fulfilled.
        case page(UpstreamDesk.Page)
        /// The upstream has to be asked; `lane` is free for that, and taken from now on.
        case call(Call, lane: Int)
        /// It is being asked.
        case wait
        /// It cannot be asked now.
        case lack(UpstreamDesk.Lack)
    }

    /// What was last wrong, until it answers again.
    private(set) var trouble: UpstreamFault?
    /// Whether any answer so far had stickers that can be passed on.
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

    /// What is to be done for a wish now.
    ///
    /// - Parameters:
    ///   - wish: what a client wants.
    ///   - mayCall: whether the upstream may be asked once more for it.
    ///   - now: the time.
    /// - Returns: what to do.
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

    /// What is known for a wish, however old it is.
    mutating func lastGood(_ wish: Wish, _ now: ContinuousClock.Instant) -> UpstreamDesk.Page? {
        cache.listing(of: wish.question)?.lastGood(wish, now)
    }

    /// Whether a question is being asked.
    func isUnderWay(_ question: UpstreamQuestion) -> Bool { underWay[question] != nil }

    /// Takes over what became of a call.
    ///
    /// - Returns: stickers that were known already; and whether what is wrong, or that nothing is any more, is news.
    mutating func take(
        _ result: Result<UpstreamPage, UpstreamFault>, of call: Call,
        _ now: ContinuousClock.Instant
    ) -> (repeated: Int, isNews: Bool) {
        underWay[call.question] = nil
        switch result {
        case .success(let page):
            // A further page of an answer that was forgotten meanwhile belongs to nothing.
            var listing =
                call.offset == 0
                ? Listing(askedAt: call.startedAt) : cache.listing(of: call.question)
            let repeated = listing?.take(page) ?? 0
            isProven = isProven || !page.stickers.isEmpty
            if let listing { cache.keep(listing, of: call.question) }
            return (repeated, recover())
        // What is trending is no question of a client.
        case .failure(let fault) where fault.kind == .question && !call.question.words.isEmpty:
            refuse(call.question, fault, now)
            return (0, recover())
        // Strangers choose the words: what they lead to must not stop the questions of others.
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

    /// Forgets a call under a key that was replaced meanwhile: its fault says nothing of the new one.
    ///
    /// - Returns: as `take` does: nothing is news.
    mutating func drop(_ call: Call) -> (repeated: Int, isNews: Bool) {
        underWay[call.question] = nil
        return (0, false)
    }

    /// For how many seconds one is left alone that somebody has to mend, and that wants so many.
    static func longPauseSeconds(wanted: Int) -> Int {
        max(longPauseSeconds, min(wanted, pauseSecondsMax))
    }

    /// Ends the pause: whoever was asked about has mended something.
    mutating func forgive() { _ = recover() }

    private mutating func refuse(
        _ question: UpstreamQuestion, _ fault: UpstreamFault, _ now: ContinuousClock.Instant
    ) {
        if refused.count >= Self.refusedMax { refused = [:] }
        refused[question] = (fault, now + Self.refusedFor)
    }

    /// Tells operators of stickers that cannot be passed on, unless that may be a matter of the words.
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
        // The same trouble with other words is no news.
        return trouble != nil && trouble?.kind != before?.kind
    }

    /// Returns whether something was wrong.
    private mutating func recover() -> Bool {
        let wasWrong = trouble != nil
        (trouble, failures, pausedUntil) = (nil, 0, nil)
        return wasWrong
    }
}

extension Listing {
    /// Whether it has to be asked for from the beginning. Whoever turns pages goes on with those that were shown.
    fileprivate func isStale(
        for wish: UpstreamBook.Wish, _ now: ContinuousClock.Instant
    ) -> Bool {
        askedAt.duration(to: now) >= (wish.offset == 0 ? Self.freshFor : Self.turnedFor)
    }

    /// The part that is wished for; `nil` if more has to be asked for it.
    fileprivate func page(
        _ wish: UpstreamBook.Wish, _ now: ContinuousClock.Instant
    ) -> UpstreamDesk.Page? {
        let page = lastGood(wish, now)
        return wish.offset < page.count || next == nil ? page : nil
    }

    /// The part that is wished for, as far as it is known.
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
