/// A watched folder as the configuration lists it.
public struct DropFolder: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Where it is; absolute once the file is loaded.
    public var path: String
    /// What the operator calls it, whatever its path; `nil` leaves it to what lies in the folder.
    public var name: String?

    /// Creates an entry of the list.
    public init(path: String, name: String? = nil) {
        self.path = path
        self.name = name
    }

    /// Creates an entry without a name.
    public init(stringLiteral path: String) { self.init(path: path) }
}

extension Configuration {
    /// The paths of the watched folders.
    public var dropPaths: [String] { drops.map(\.path) }
}
