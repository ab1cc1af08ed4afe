/// What the encoding of a sticker is for.
public enum EncodingGoal: String, Sendable, Codable, CaseIterable {
    /// The best picture that the bytes allow.
    case best
    /// The fewest bytes that show the score wanted.
    case smallest
}
