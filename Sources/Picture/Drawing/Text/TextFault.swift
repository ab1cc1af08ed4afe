/// Why a text cannot be drawn.
public struct TextFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Code: Sendable {
        /// The text itself is at fault, with any fonts.
        case malformed
        /// The font folder cannot be read.
        case noFonts
        /// The font folder lacks the family.
        case unknownFamily
        /// The font folder has the family, but not in this style.
        case unknownStyle
        /// Nothing is visible.
        case invisible
        /// Memory is short.
        case outOfMemory
    }

    /// The kind of reason.
    public var code: Code
    /// The fault, with the value.
    public var detail: String
    /// The remedy.
    public var remedy: String

    init(_ code: Code, _ detail: String, remedy: String) {
        self.code = code
        self.detail = detail
        self.remedy = remedy
    }

    /// One sentence for the operator.
    public var description: String { "\(detail); \(remedy)" }
}
