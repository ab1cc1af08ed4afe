/// What the encoder of a sticker aims for.
public enum EncodingGoal: String, Sendable, Codable, CaseIterable {
    /// The best picture that the bytes allow.
    case best
    /// The fewest bytes that reach the wanted score.
    case smallest
}
