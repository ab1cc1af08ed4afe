/// A fault of a template.
public struct TemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line in the file, from 1.
    public let line: Int
    /// The fault, with the value.
    public let detail: String
    /// The remedy.
    public let remedy: String

    /// `line 3: there is no {{weekdya}}; ...`
    public var description: String { "line \(line): \(detail); \(remedy)" }
}
