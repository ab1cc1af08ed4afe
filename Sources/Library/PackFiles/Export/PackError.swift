public import StickerPacks
import StickerValues

/// Why packs were not written.
public struct PackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// The published picture without which they cannot be written.
    public private(set) var lackedPicture: PublishedPicture?

    /// Creates an error from one sentence.
    public init(description: String) { self.description = description }

    /// A published picture is damaged or missing.
    init(lacking picture: PublishedPicture, at path: String, _ what: String) {
        self.init(
            description: "\(path) \(what); the daemon makes it again, or the next export if it was "
                + "made for one")
        lackedPicture = picture
    }

    /// A file or folder breaks a rule.
    ///
    /// - Parameters:
    ///   - rule: its id, which can be searched for.
    ///   - path: the file or folder.
    ///   - detail: one sentence in lower case: the problem.
    ///   - remedy: the remedy; `nil` if `detail` ends with it.
    init(_ rule: String, _ path: String, _ detail: String, remedy: String?) {
        description = FileName.escaped(
            "\(path): \(rule): \(detail)" + (remedy.map { "; \($0)" } ?? ""))
    }
}
