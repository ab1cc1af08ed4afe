/// Collects the errors of a damaged file whose readable part is wanted.
public final class AcceptedDamage {
    /// The faults of the file, in the order of discovery.
    public private(set) var faults: [CodecError] = []

    /// Creates a record without faults.
    public init() {}

    /// Notes damage.
    ///
    /// - Throws: any other `error`: limits, lack of memory and unsupported variants are never accepted.
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
