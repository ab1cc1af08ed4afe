/// What becomes of an animation that plays for longer than its target allows.
public enum TooLong: String, Sendable, Codable, CaseIterable {
    /// Up to half as long again it is played faster; beyond that it is refused.
    case faster
    /// The same, but beyond that it is cut to the length that can be played faster.
    case fasterOrTrim = "faster-or-trim"
    /// Only the beginning is kept.
    case trim
    /// It is refused, for somebody to decide.
    case refuse

    /// What earlier releases called them.
    static let older = ["hold": TooLong.refuse]
}
