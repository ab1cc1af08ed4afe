/// What an operator granted one sticker beyond the rules of its category; stored with it.
public struct Concessions: Hashable, Sendable, Codable {
    /// What happens if it plays too long, for every target.
    public var tooLong: TooLong?
    /// The hash of the damaged file of which what can be read is taken. Any other content is judged by the rules.
    public var damaged: ContentHash?

    /// Creates concessions; without arguments, none.
    public init(tooLong: TooLong? = nil, damaged: ContentHash? = nil) {
        self.tooLong = tooLong
        self.damaged = damaged
    }

    /// Whether nothing was granted.
    public var isEmpty: Bool { self == Concessions() }

    /// The part that holds for a file of this content.
    public func about(_ content: ContentHash?) -> Concessions {
        Concessions(tooLong: tooLong, damaged: damaged == content ? damaged : nil)
    }

    /// For people: `too-long=trim, accept-damaged`.
    public var shown: String {
        [tooLong.map { "too-long=\($0.rawValue)" }, damaged.map { _ in "accept-damaged" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
