/// How decoders smooth the edges of a lossy picture's blocks (RFC 6386, section 15). Both take the same bytes.
public enum LoopFilter: Hashable, CaseIterable, Sendable {
    /// Smooths brightness and colours.
    case normal
    /// Smooths only brightness, and less: thin lines, letters and the dots of dithering keep their colour.
    case simple
}
