/// What is wrong with a template.
public struct TemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line in the file, from 1.
    public let line: Int
    /// What is wrong, with its value.
    public let detail: String
    /// What to do about it.
    public let remedy: String

    /// `line 3: there is no {{weekdya}}; ...`
    public var description: String { "line \(line): \(detail); \(remedy)" }
}
