public import StickerValues

/// Concessions that an operator grants to refused stickers on the command line.
public struct Grant: Hashable, Sendable {
    /// The rule for stickers that play too long; `nil` changes nothing.
    public var tooLong: TooLong?
    /// Whether the readable part of a damaged file is accepted.
    public var acceptsDamage: Bool

    /// Creates a grant; `nil` if nothing is granted.
    public init?(tooLong: TooLong?, acceptsDamage: Bool) {
        guard tooLong != nil || acceptsDamage else { return nil }
        self.tooLong = tooLong
        self.acceptsDamage = acceptsDamage
    }

    /// The concessions that the grant adds for a refused file; `nil` if the refusal had another reason.
    func added(to present: Concessions, _ refused: JobRecord) -> Concessions? {
        var concessions = present
        switch refused.refusal?.reason {
        case .tooLong where tooLong != nil: concessions.tooLong = tooLong
        case .truncated where acceptsDamage, .corrupt where acceptsDamage:
            concessions.damaged = refused.content
        default: return nil
        }
        return concessions
    }
}

/// The rule for a sticker that plays too long: its own, or that of its target.
public enum TooLongRule: Hashable, Sendable {
    /// Its own.
    case own(TooLong)
    /// The target's.
    case ofTarget

    /// Its own rule, if any.
    public var own: TooLong? { if case .own(let rule) = self { rule } else { nil } }
}

extension StoreTransaction {
    /// The concessions of the sticker of a job's file; `nil` if the file has no sticker.
    func concessions(of record: JobRecord) throws -> Concessions? {
        guard let job = try job(record.id.rawValue), let source = try source(job.source),
            source.sticker != nil
        else { return nil }
        return try concessions(of: source)
    }
}
