import StickerValues

/// A configured drop.
public struct DropFolder: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Its path; absolute once the file is loaded.
    public var path: String
    /// The operator's name for it, whatever its path; `nil` identifies it by its files.
    public var name: String?

    /// Creates a drop.
    public init(path: String, name: String? = nil) {
        self.path = path
        self.name = name
    }

    /// Creates a drop without a name.
    public init(stringLiteral path: String) { self.init(path: path) }
}

extension Configuration {
    /// The paths of the watched folders.
    public var dropPaths: [String] { drops.map(\.path) }
}
