import StickerConfiguration
import StickerHTTP
import StickerServices
import StickerValues

/// Answers that need upstreams: their categories, and lists in which their stickers follow ours.
struct UpstreamRoutes: Sendable {
    let library: LibraryView
    let upstreams: Upstreams
    /// The order in which the upstreams' stickers were shown.
    private let orders = UpstreamOrders()

    /// Answers requests that need upstreams.
    ///
    /// - Returns: `nil` if the library alone answers it.
    /// - Throws: `WebError`.
    func answer(_ asked: RoutedRequest) async throws -> Answer? {
        let now = library.now
        // Before that our categories are unknown.
        guard now.isReady else { return nil }
        switch asked.route {
        case .categoryStickers:
            guard let desk = upstreams.shown(asked.name, beside: now) else { return nil }
            return try await stickers(of: desk, asked.request)
        case .trending: return try await list("", beside: now, asked.request)
        case .search:
            return try await list(asked.request.query["q"] ?? "", beside: now, asked.request)
        default: return nil
        }
    }

    // MARK: One category

    private func stickers(of desk: UpstreamDesk, _ request: WebRequest) async throws -> Answer {
        let paging = try Paging(request)
        let ceiling = try Rating.ceiling(of: request)
        let body = try SearchIndex.Body.asked(by: request)
        let text = request.query["q"] ?? ""
        guard text.unicodeScalars.count <= desk.wordsMax else {
            throw WebError(
                status: 414, message: "q is too long",
                remedy: "ask \(desk.upstream.title) with at most \(desk.wordsMax) characters")
        }
        let found = await desk.stickers(
            text, upTo: ceiling, offset: paging.offset, limit: paging.limit,
            patience: upstreams.patience.category, patienceForNews: upstreams.patience.list)
        // A client would request an empty page that is not the last one again and again.
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
                    UpstreamWording.entryBytes(
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
                status: 400, message: "\(upstream.title) does not accept the question",
                remedy: "ask with other words")
        }
        let seconds = lack.seconds(.now)
        return WebError(
            status: 503, message: "\(upstream.title) does not answer: \(lack.why)",
            remedy: "try again in \(seconds) s; the operator sees the cause at /readyz",
            headers: [("Retry-After", "\(seconds)")])
    }

    // MARK: All categories

    /// Our stickers first, then the upstreams' as they arrived: one list, whose pages are contiguous while nothing
    /// changes.
    private func list(
        _ text: String, beside now: LibraryView.Facts, _ request: WebRequest
    ) async throws -> Answer? {
        let desks = upstreams.shown(beside: now).filter(\.upstream.merged)
        guard !desks.isEmpty else { return nil }
        let paging = try Paging(request)
        let ceiling = try Rating.ceiling(of: request)
        let body = try SearchIndex.Body.asked(by: request)
        let query = ProviderRoutes.query(text, upTo: ceiling)
        let total = try library.index.counted(query, body, offset: 0, limit: 0).total
        guard paging.offset + paging.limit >= total else { return nil }
        let own = try library.index.counted(
            query, body, offset: paging.offset, limit: paging.limit)
        let list = UpstreamList(
            paging: paging, own: own.page, total: own.total, asWebP: body == .providerWebP)
        guard !own.page.hasMore else { return .images(own.page) }
        var filler = UpstreamListFiller(
            text, upTo: ceiling, desks, orders: orders, into: list,
            before: ContinuousClock.now + upstreams.patience.list)
        let filled = await filler.fill()
        return .images(filled.page) {
            Incompleteness.write(filled.lacking(of: desks.map(\.upstream)), &$0)
        }
    }
}

extension Duration {
    /// Whole seconds.
    var inSeconds: Int { max(0, Int(self / .seconds(1))) }
}
