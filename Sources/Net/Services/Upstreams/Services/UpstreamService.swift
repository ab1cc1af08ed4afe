package import StickerValues

/// A kind of upstream: its requests, and the meaning of its answers. Pure.
protocol UpstreamService: Sendable {
    /// The most characters of a question.
    var wordsMax: Int { get }

    /// The question for clients that may see `ceiling`: equal questions are asked once.
    func question(_ text: String, upTo ceiling: Rating) -> UpstreamQuestion

    /// The URL of a request. It may contain the key and must not be logged.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - offset: how many of its stickers are skipped.
    ///   - key: letters, digits, `_` and `-`.
    /// - Returns: an https URL, or an http one on this machine.
    func address(of question: UpstreamQuestion, from offset: Int, key: String?) -> String

    /// Reads the body of an answer with status 200.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - question: the question.
    ///   - offset: of the first sticker.
    ///   - key: must not be passed on.
    /// - Returns: the usable stickers.
    /// - Throws: `UpstreamFault` if it is no answer.
    func page(
        in body: [UInt8], to question: UpstreamQuestion, from offset: Int, key: String?
    ) throws(UpstreamFault) -> UpstreamPage
}

extension UpstreamService {
    /// Shorter keys occur within many words, and are no secret.
    private static var keyMin: Int { 6 }

    /// Collects the usable entries of an answer.
    ///
    /// - Throws: `UpstreamFault` if there are some, but none usable.
    func page(
        of entries: [JSONValue], most: Int, key: String?,
        _ read: (AnswerEntry) throws(LeftOut) -> UpstreamSticker
    ) throws(UpstreamFault) -> UpstreamPage {
        var page = UpstreamPage()
        var known: Set<String> = []
        for entry in entries.prefix(most) {
            do throws(LeftOut) {
                let sticker = try read(try AnswerEntry(entry))
                // An upstream may repeat the key; clients must never get it.
                if let key, key.count >= Self.keyMin,
                    sticker.texts.contains(where: { $0.contains(key) })
                {
                    throw .key
                }
                guard known.insert(sticker.identifier).inserted else { throw .duplicate }
                page.stickers.append(sticker)
            } catch {
                page.leftOut[error, default: 0] += 1
            }
        }
        if entries.count > most { page.leftOut[.surplus] = entries.count - most }
        let bad = [LeftOut.shape, .identifier, .address, .insecure, .kind, .key, .unrated]
            .filter { page.leftOut[$0] != nil }
        let isAllBad = bad.reduce(0) { $0 + (page.leftOut[$1] ?? 0) } == min(entries.count, most)
        if let first = bad.first, isAllBad {
            throw UpstreamFault(
                .stickers,
                "no sticker in its answer can be passed on, \(Self.cause(first))")
        }
        return page
    }

    private static func cause(_ reason: LeftOut) -> String {
        switch reason {
        case .address: "their pictures are elsewhere; correct its imageHosts"
        case .insecure:
            "their pictures have http addresses; its operator has to provide https ones"
        case .kind:
            "their addresses end as other files; its operator has to provide PNG or GIF"
        case .unrated: "they have no rating; remove its rating, and they count as g"
        default: "because of their \(reason.rawValue)"
        }
    }
}

extension Rating {
    /// Reads a rating in any case; GIPHY once had a separate one for the youngest.
    package init?(lenient text: String) {
        self.init(rawValue: text.lowercased() == "y" ? "g" : text.lowercased())
    }
}
