/// How decoders smooth the edges of a lossy picture's blocks (RFC 6386, section 15). Both take the same bytes.
public enum LoopFilter: Hashable, CaseIterable, Sendable {
    /// Smooths brightness and colours.
    case normal
    /// Smooths brightness alone, and less: bright lines and small areas of one colour keep it.
    case simple
}
