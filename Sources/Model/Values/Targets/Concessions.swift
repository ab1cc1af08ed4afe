/// An operator's concessions to one sticker beyond the rules of its category; stored with it.
public struct Concessions: Hashable, Sendable, Codable {
    /// The rule if it plays too long, for every target.
    public var tooLong: TooLong?
    /// The hash of the damaged file whose readable part is accepted. Any other content is judged by the rules.
    public var damaged: ContentHash?

    /// Creates concessions; without arguments, none.
    public init(tooLong: TooLong? = nil, damaged: ContentHash? = nil) {
        self.tooLong = tooLong
        self.damaged = damaged
    }

    /// Whether nothing was granted.
    public var isEmpty: Bool { self == Concessions() }

    /// The concessions that apply to a file of this content.
    public func about(_ content: ContentHash?) -> Concessions {
        Concessions(tooLong: tooLong, damaged: damaged == content ? damaged : nil)
    }

    /// `too-long=trim, accept-damaged`.
    public var shown: String {
        [tooLong.map { "too-long=\($0.rawValue)" }, damaged.map { _ in "accept-damaged" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
