/// The goal of a sticker's encoder.
public enum EncodingGoal: String, Codable, Sendable, CaseIterable {
    /// The best picture below the limit of bytes.
    case best
    /// Nearly the best picture below the limit, without work whose result hardly anybody sees: a still that scores
    /// 90, which is visually lossless, is good enough, unless it may fit without loss.
    case balanced
    /// The fewest bytes that reach the wanted score.
    case smallest
}
