import StickerConfiguration
import StickerServices
import StickerValues

/// A part of our stickers followed by those of upstreams.
struct UpstreamList {
    /// The stickers found so far.
    private(set) var page: SearchIndex.Page
    /// The next place among the upstreams' stickers.
    private(set) var place: Int
    /// How many more fit.
    private(set) var room: Int
    private var lacks: [CategoryID: (lack: UpstreamDesk.Lack, age: Int?)] = [:]
    private var passed: Set<CategoryID> = []
    private let asWebP: Bool

    /// Begins with our stickers.
    init(paging: Paging, own: SearchIndex.Page, total: Int, asWebP: Bool) {
        page = own
        place = max(0, paging.offset - total)
        room = paging.limit - own.bodies.count
        self.asWebP = asWebP
    }

    /// Adds stickers of an upstream.
    ///
    /// - Returns: how many were added.
    mutating func take(_ found: UpstreamDesk.Found, _ upstream: UpstreamConfiguration) -> Int {
        note(found, upstream)
        let stickers = found.page?.stickers ?? []
        page.bodies += stickers.map { UpstreamWording.entryBytes(of: $0, upstream, asWebP: asWebP) }
        place += stickers.count
        room -= stickers.count
        return stickers.count
    }

    /// Notes what an upstream lacks; the last note counts.
    mutating func note(_ found: UpstreamDesk.Found, _ upstream: UpstreamConfiguration) {
        let id = upstream.identifier
        guard let lack = found.lack else {
            // A known end says nothing about the stickers before it, and is old.
            if found.page?.stickers.isEmpty == false || lacks[id]?.age == nil { lacks[id] = nil }
            return
        }
        let age = found.page.flatMap { $0.stickers.isEmpty ? nil : $0.age.inSeconds }
        lacks[id] = (lack, age ?? lacks[id]?.age)
    }

    /// Skips an upstream for which the question is too long.
    mutating func pass(_ upstream: UpstreamConfiguration) { passed.insert(upstream.identifier) }

    /// Notes that there are more.
    mutating func goesOn() { page.hasMore = true }

    /// Notes that there are no more, unless an upstream with a gap can fill it in a moment.
    mutating func end() { page.hasMore = lacks.values.contains { $0.lack.passes } }

    /// The missing or outdated parts, in the order of `upstreams`.
    func lacking(of upstreams: [UpstreamConfiguration]) -> [Incompleteness] {
        upstreams.map(\.identifier).compactMap { id in
            if passed.contains(id) {
                return Incompleteness(category: id, why: "the question is too long for it")
            }
            return lacks[id].map { Incompleteness(category: id, why: $0.lack.why, age: $0.age) }
        }
    }
}

/// Fills a list with upstreams' stickers, in the order of arrival; a silent upstream delays no other.
struct UpstreamListFiller {
    let question: UpstreamQuestion
    let text: String
    let ceiling: Rating
    let orders: UpstreamOrders
    /// The deadline of the list.
    let end: ContinuousClock.Instant
    /// The upstreams to ask, in this order.
    private var desks: [UpstreamDesk]
    private var list: UpstreamList
    private var queue: [(desk: UpstreamDesk, isAgain: Bool)]
    /// How many of an upstream's stickers this reader gets, if it has fewer now than others were shown.
    private var shortened: [CategoryID: Int] = [:]
    /// Whether an upstream has more than are shown: they are fetched for the next page.
    private var isCutShort = false

    init(
        _ text: String, upTo ceiling: Rating, _ desks: [UpstreamDesk], orders: UpstreamOrders,
        into list: UpstreamList, before end: ContinuousClock.Instant
    ) {
        (self.text, self.ceiling, self.orders, self.end) = (text, ceiling, orders, end)
        (self.list, self.desks) = (list, [])
        question = UpstreamQuestion(text, upTo: ceiling)
        queue = []
        for desk in desks {
            // The order is shared by all clients with this question, whatever blanks they type.
            guard question.words.unicodeScalars.count <= desk.wordsMax else {
                self.list.pass(desk.upstream)
                continue
            }
            self.desks.append(desk)
            queue.append((desk, false))
        }
    }

    mutating func fill() async -> UpstreamList {
        while true {
            var order = orders.order(of: question, at: list.place)
            for (id, count) in shortened { order.shorten(id, to: count) }
            if let part = order.part(at: list.place) {
                guard list.room > 0, await show(part) else {
                    list.goesOn()
                    return list
                }
            } else if isCutShort {
                list.goesOn()
                return list
            } else if let next = queue.first {
                await ask(next.desk, isAgain: next.isAgain, order)
            } else {
                list.end()
                return list
            }
        }
    }

    /// Shows the stickers at this place of the order.
    ///
    /// - Returns: `false` if they are not there yet.
    private mutating func show(_ part: UpstreamOrder.Part) async -> Bool {
        guard let desk = desks.first(where: { $0.upstream.identifier == part.upstream }) else {
            shortened[part.upstream] = 0
            return true
        }
        let wanted = min(part.count, list.room)
        let found = await stickers(of: desk, part.offset, wanted, patience: rest / 2)
        let came = list.take(found, desk.upstream)
        guard came < wanted else { return true }
        if found.lack?.passes == true { return false }
        if found.page?.isComplete == true, found.lack == nil {
            // It has fewer than before.
            orders.change(question) { $0.shorten(part.upstream, to: part.offset + came) }
        } else if came == 0 || found.lack != nil {
            // The others are unknown now; readers elsewhere in the list keep them.
            shortened[part.upstream] = part.offset + came
            queue.removeAll { $0.desk === desk }
        }
        return true
    }

    /// Asks the next upstream for further stickers. If another follows, it gets only a part of the time, and slow ones
    /// are checked again.
    private mutating func ask(
        _ desk: UpstreamDesk, isAgain: Bool, _ order: UpstreamOrder
    ) async {
        let id = desk.upstream.identifier
        let known = order.count(of: id)
        let limit = max(1, list.place - order.count + list.room)
        let othersWait = queue.dropFirst().contains { !$0.isAgain }
        let found = await stickers(
            of: desk, known, limit, patience: isAgain || !othersWait ? rest : rest / 2)
        let came = found.page?.stickers.count ?? 0
        list.note(found, desk.upstream)
        orders.change(question) {
            $0.append(UpstreamOrder.Part(upstream: id, offset: known, count: came))
        }
        if came > 0, found.lack == nil, found.page?.isComplete == false {
            isCutShort = true
            return
        }
        guard came == 0 || found.lack != nil else { return }
        queue.removeFirst()
        if found.lack == .slow, !isAgain { queue.append((desk, true)) }
    }

    private var rest: Duration { max(.zero, ContinuousClock.now.duration(to: end)) }

    private func stickers(
        of desk: UpstreamDesk, _ offset: Int, _ limit: Int, patience: Duration
    ) async -> UpstreamDesk.Found {
        await desk.stickers(
            text, upTo: ceiling, offset: offset, limit: limit, patience: patience,
            patienceForNews: patience)
    }
}
