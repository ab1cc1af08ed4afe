import StickerModel
public import StickerPacks

/// Why packs were not written.
public struct PackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// The published picture without which they cannot be written.
    public private(set) var lackedPicture: PublishedPicture?

    /// Says why.
    public init(description: String) { self.description = description }

    /// Says which published picture is damaged or gone.
    init(lacking picture: PublishedPicture, at path: String, _ what: String) {
        self.init(
            description: "\(path) \(what); the daemon makes it again, or the next export if it was "
                + "made for one")
        lackedPicture = picture
    }

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
