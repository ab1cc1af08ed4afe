/// The rule for an animation that plays longer than its target allows.
public enum TooLong: String, Sendable, Codable, CaseIterable {
    /// If it is up to half as long again, it is played faster. Beyond that its long holds are shortened; if that is not
    /// enough, it is refused.
    case faster
    /// Like `faster`, but beyond that it is cut to the length that can be played faster.
    case fasterOrTrim = "faster-or-trim"
    /// Only the beginning is kept.
    case trim
    /// Its long holds are shortened; if that is not enough, it is refused, so that a person can decide.
    case refuse

    /// The names used by earlier releases.
    package static let older = ["hold": TooLong.refuse]
}
