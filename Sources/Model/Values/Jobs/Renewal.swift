/// When a newer release makes improved files again.
public enum Renewal: String, Sendable, CaseIterable {
    /// When an operator runs `stickerctl redo`.
    case asked
    /// Also when there is nothing else to do.
    case idle
}
