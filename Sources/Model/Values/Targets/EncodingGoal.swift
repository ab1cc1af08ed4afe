/// The goal of a sticker's encoder.
public enum EncodingGoal: String, Sendable, Codable, CaseIterable {
    /// The best picture within the size limit.
    case best
    /// The smallest file with the wanted score.
    case smallest
}
