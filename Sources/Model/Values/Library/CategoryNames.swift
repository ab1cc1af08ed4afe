/// Everything that decides the settings of a category: the names under which the configuration may list them, and the
/// category's own look.
public struct CategoryNames: Hashable, Sendable {
    /// Its id; `nil` if it has none yet.
    public var identifier: CategoryID?
    /// The folder of the file in question; `nil` for a file in the drop itself.
    public var folder: [UInt8]?
    /// The folder's name when the category was first seen; `nil` if unknown.
    public var firstFolder: [UInt8]?
    /// The look of its side files; `nil` if they say nothing of it.
    public var look: CategoryLook?

    /// Creates the names of a category, and its look.
    public init(
        identifier: CategoryID? = nil, folder: [UInt8]?, firstFolder: [UInt8]? = nil,
        look: CategoryLook? = nil
    ) {
        self.identifier = identifier
        self.folder = folder
        self.firstFolder = firstFolder
        self.look = look
    }

    /// The entry of `settings` for the category. The id takes precedence over the names of folders, and the present
    /// name over the first, so that a rename loses no settings. Files in a drop itself have those of `defaultCategory`.
    public func entry<Settings>(
        in settings: [String: Settings], defaultCategory: String
    ) -> Settings? {
        guard let folder else { return settings[defaultCategory] }
        let names = [
            identifier?.rawValue, FileName.display(folder), firstFolder.map(FileName.display),
        ]
        return names.lazy.compactMap { $0.flatMap { settings[$0] } }.first
    }
}
