public import StickerModel

/// What an operator grants, on the command line, to stickers that were refused.
public struct Grant: Hashable, Sendable {
    /// What happens if they play too long; `nil` changes nothing.
    public var tooLong: TooLong?
    /// Whether what can be read of a damaged file is taken.
    public var acceptsDamage: Bool

    /// Creates a grant; `nil` if nothing is granted.
    public init?(tooLong: TooLong?, acceptsDamage: Bool) {
        guard tooLong != nil || acceptsDamage else { return nil }
        self.tooLong = tooLong
        self.acceptsDamage = acceptsDamage
    }

    /// What is granted to a sticker whose file was refused; `nil` if that was for another reason.
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

/// What happens to a sticker that plays too long: a rule of its own, or again that of its target.
public enum TooLongRule: Hashable, Sendable {
    /// This one.
    case own(TooLong)
    /// That of the target.
    case ofTarget

    /// The rule of its own, if there is one.
    public var own: TooLong? { if case .own(let rule) = self { rule } else { nil } }
}

extension StoreTransaction {
    /// What was granted to the sticker of a job's file; `nil` if it is the file of none.
    func concessions(of record: JobRecord) throws -> Concessions? {
        guard let job = try job(record.id.rawValue), let source = try source(job.source),
            source.sticker != nil
        else { return nil }
        return try concessions(of: source)
    }
}
