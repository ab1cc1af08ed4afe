/// The finished jobs on record.
public struct History: Hashable, Sendable, Codable {
    /// Their number.
    public var jobs = 0
    /// The bytes that they take in the database, estimated by the latest of them.
    public var bytes = 0
}
