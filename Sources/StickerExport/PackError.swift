import StickerModel

/// Why packs were not written.
public struct PackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Says why.
    public init(description: String) { self.description = description }

    /// Says which rule a file or folder breaks, and what to do about it.
    ///
    /// - Parameters:
    ///   - rule: its id, which people can search for.
    ///   - path: the file or folder.
    ///   - detail: one sentence: what is wrong. Lower case.
    ///   - remedy: what to do; `nil` if `detail` ends with it.
    init(_ rule: String, _ path: String, _ detail: String, remedy: String?) {
        description = FileName.escaped(
            "\(path): \(rule): \(detail)" + (remedy.map { "; \($0)" } ?? ""))
    }
}
