/// The goal of a sticker's encoder.
public enum EncodingGoal: String, Codable, Sendable, CaseIterable {
    /// The best picture below the limit of bytes.
    case best
    /// Nearly the best picture below the limit, without work whose result hardly anybody sees: above a score of 90,
    /// which is visually lossless, a better file must be cheap to find. Lossless files stay lossless.
    case balanced
    /// The fewest bytes that reach the wanted score.
    case smallest
}
