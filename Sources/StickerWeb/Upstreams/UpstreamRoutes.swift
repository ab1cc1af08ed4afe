import StickerHTTP
import StickerModel
import StickerUpstreams

/// Answers for which others have to be asked: their categories, and all stickers where theirs come behind ours.
struct UpstreamRoutes: Sendable {
    let library: LibraryView
    let upstreams: Upstreams

    /// Answers what cannot be answered without others.
    ///
    /// - Returns: `nil` if the library alone answers it.
    /// - Throws: `WebError`.
    func answer(_ route: Route, _ name: String, _ request: WebRequest) async throws -> Answer? {
        let now = library.now
        // Before that it is not known which categories are ours.
        guard now.isReady else { return nil }
        switch route {
        case .categoryStickers:
            guard let desk = upstreams.shown(name, beside: now) else { return nil }
            return try await stickers(of: desk, request)
        case .trending, .search:
            let desks = upstreams.shown(beside: now).filter(\.upstream.merged)
            return desks.isEmpty ? nil : try await merged(route, desks, request)
        default: return nil
        }
    }

    // MARK: One category

    private func stickers(of desk: UpstreamDesk, _ request: WebRequest) async throws -> Answer {
        let paging = try Paging(request)
        let (ceiling, body) = (
            try Rating.ceiling(of: request), try SearchIndex.Body.asked(by: request)
        )
        let text = request.query["q"] ?? ""
        guard text.unicodeScalars.count <= desk.wordsMax else {
            throw WebError(
                status: 414, message: "q is too long",
                remedy: "ask \(desk.upstream.title) with at most \(desk.wordsMax) characters")
        }
        let found = await desk.stickers(
            text, upTo: ceiling, offset: paging.offset, limit: paging.limit,
            patience: upstreams.patience.category, patienceForNews: upstreams.patience.merged)
        // A page without stickers that is not the last one would be asked for again and again.
        guard let page = found.page,
            found.lack == nil || !page.stickers.isEmpty || page.isComplete
        else { throw refusal(found.lack ?? .busy, desk.upstream) }
        let lacking = found.lack.map { lack in
            Incompleteness(
                category: desk.upstream.identifier, why: lack.why, age: page.age.inSeconds)
        }
        var answer = Answer.images(
            SearchIndex.Page(
                bodies: page.stickers.map {
                    ForeignWording.entryBytes(
                        of: $0, desk.upstream, asWebP: body == .providerWebP)
                }, hasMore: page.hasMore)
        ) { Incompleteness.write([lacking].compactMap(\.self), &$0) }
        answer.headers.append(("Age", "\(page.age.inSeconds)"))
        return answer
    }

    private func refusal(
        _ lack: UpstreamDesk.Lack, _ upstream: UpstreamConfiguration
    ) -> WebError {
        if case .fault(let fault, _) = lack, fault.kind == .question {
            return WebError(
                status: 400, message: "\(upstream.title) does not take the question",
                remedy: "ask with other words")
        }
        let seconds = lack.seconds(.now)
        return WebError(
            status: 503, message: "\(upstream.title) does not answer: \(lack.why)",
            remedy: "try again in \(seconds) s; the operator sees the cause at /readyz",
            headers: [("Retry-After", "\(seconds)")])
    }

    // MARK: All of them

    /// Ours first, then those of each other one: one list, whose pages follow one another as long as all of them stay as
    /// they are.
    private func merged(
        _ route: Route, _ desks: [UpstreamDesk], _ request: WebRequest
    ) async throws -> Answer? {
        let paging = try Paging(request)
        let (ceiling, body) = (
            try Rating.ceiling(of: request), try SearchIndex.Body.asked(by: request)
        )
        let isSearch = route == .search
        let query = ProviderRoutes.query(isSearch ? request.query["q"] ?? "" : "", upTo: ceiling)
        let total = try library.index.counted(query, body, offset: 0, limit: 0).total
        guard paging.offset + paging.limit >= total else { return nil }
        let own = try library.index.counted(
            query, body, offset: paging.offset, limit: paging.limit)
        var list = JoinedList(
            paging: paging, own: own.page, total: own.total, asWebP: body == .providerWebP)
        let end = ContinuousClock.now + upstreams.patience.merged
        let text = isSearch ? request.query["q"] ?? "" : ""
        for desk in desks where !list.isFull {
            guard text.unicodeScalars.count <= desk.wordsMax else {
                list.pass(desk.upstream, "the question is too long for it")
                continue
            }
            let rest = max(.zero, ContinuousClock.now.duration(to: end))
            let found = await desk.stickers(
                text, upTo: ceiling, offset: list.offset, limit: list.room, patience: rest,
                patienceForNews: rest)
            list.take(found, desk.upstream)
        }
        return .images(list.page) { Incompleteness.write(list.lacking, &$0) }
    }
}

/// A part of our stickers with those of others behind them.
struct JoinedList {
    /// What was found so far.
    private(set) var page: SearchIndex.Page
    /// What is missing, or old.
    private(set) var lacking: [Incompleteness] = []
    /// How many are passed over of the next one's.
    private(set) var offset: Int
    /// How many there may still be.
    private(set) var room: Int
    /// Whether the next one's come on another page.
    private(set) var isFull = false
    private let asWebP: Bool

    /// Begins with ours.
    init(paging: Paging, own: SearchIndex.Page, total: Int, asWebP: Bool) {
        page = own
        offset = max(0, paging.offset - total)
        room = paging.limit - own.bodies.count
        isFull = own.hasMore
        self.asWebP = asWebP
    }

    /// Goes on with another one's.
    mutating func take(_ found: UpstreamDesk.Found, _ upstream: UpstreamConfiguration) {
        if let lack = found.lack {
            let age = found.page.flatMap { $0.stickers.isEmpty ? nil : $0.age.inSeconds }
            lacking.append(
                Incompleteness(category: upstream.identifier, why: lack.why, age: age))
        }
        let known = found.page
        let stickers = known?.stickers ?? []
        page.bodies += stickers.map { ForeignWording.entryBytes(of: $0, upstream, asWebP: asWebP) }
        room -= stickers.count
        // Those that follow keep their place behind all of this one's, unless it cannot be asked for more.
        let hasRest = (known?.count ?? 0) > offset + stickers.count
        let mayGoOn = known?.isComplete != true && found.lack?.passes ?? true
        isFull = hasRest || mayGoOn
        page.hasMore = isFull
        offset = max(0, offset - (known?.count ?? 0))
    }

    /// Leaves another one out.
    mutating func pass(_ upstream: UpstreamConfiguration, _ why: String) {
        lacking.append(Incompleteness(category: upstream.identifier, why: why))
    }
}

extension Duration {
    /// Whole seconds.
    fileprivate var inSeconds: Int { max(0, Int(self / .seconds(1))) }
}
