/// Takes the errors of a damaged file whose readable part is wanted.
public final class AcceptedDamage {
    /// What is wrong with the file, in the order in which it was found.
    public private(set) var faults: [CodecError] = []

    /// Creates one without faults.
    public init() {}

    /// Notes damage.
    ///
    /// - Throws: any `error` that is none: limits, lack of memory and unread variants are never accepted.
    public func accept(_ error: CodecError) throws(CodecError) {
        guard error.code == .truncated || error.code == .malformed else { throw error }
        faults.append(error)
    }
}

extension AcceptedDamage? {
    /// Notes damage; throws `error` if damage is not accepted.
    func accept(_ error: CodecError) throws(CodecError) {
        guard let self else { throw error }
        try self.accept(error)
    }
}
