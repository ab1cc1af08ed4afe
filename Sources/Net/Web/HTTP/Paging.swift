import StickerHTTP

/// The requested part of a list.
struct Paging: Hashable, Sendable {
    /// The most elements of an answer, and the default: the sample of a sticker provider cannot ask for more.
    static let limitMax = 200

    /// How many elements are skipped.
    let offset: Int
    /// The most elements.
    let limit: Int

    /// Reads `offset` and `limit`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - limit: the default.
    /// - Throws: `WebError` if one of them is not a number.
    init(_ request: WebRequest, limit: Int = Self.limitMax) throws {
        offset = try Self.number("offset", in: request) ?? 0
        self.limit = min(try Self.number("limit", in: request) ?? limit, Self.limitMax)
    }

    /// The part of a list, and whether more follow.
    func part<Element>(of list: [Element]) -> (elements: ArraySlice<Element>, hasMore: Bool) {
        let rest = list.dropFirst(offset)
        return (rest.prefix(limit), rest.count > limit)
    }

    private static func number(_ name: String, in request: WebRequest) throws -> Int? {
        guard let text = request.query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
            throw WebError.badParameter(name, "a whole number from 0 on")
        }
        return number
    }
}
