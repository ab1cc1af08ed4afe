import StickerSystem
import StickerValues

/// The number of a watched folder; never reused during a run.
struct FolderID: Hashable, Sendable {
    var rawValue: Int
}

/// The place of a watched folder, and the folder's identity when it was found.
struct FolderPlace: Hashable, Sendable {
    var id: FolderID
    /// The configured path of the drop folder.
    var drop: String
    /// The identity of the drop.
    var rootIdentity: FileIdentity
    /// The path below the drop, empty for the drop itself.
    var directory: [UInt8]
    /// The identity of the folder.
    var identity: FileIdentity

    /// Opens the folder for listing.
    ///
    /// The descriptor stays with this folder whatever happens to its path, so a name missing in it is really gone.
    ///
    /// - Throws: `.vanished` if the path leads nowhere, or to another folder than before.
    func open() throws(WatchError) -> Descriptor {
        let root = try Descriptor.root(drop)
        guard try root.identity() == rootIdentity else {
            throw WatchError(.vanished, detail: "\(drop) is another folder now")
        }
        let folder = try root.descend(directory)
        guard try folder.identity() == identity else {
            throw WatchError(.vanished, detail: "\(display) is another folder now")
        }
        return folder
    }

    /// The path of the entry `name` below the drop.
    func path(of name: [UInt8]) -> [UInt8] {
        directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
    }

    /// The key of the file `name` in this folder.
    func key(_ name: [UInt8]) -> SourceKey {
        SourceKey(drop: drop, directory: directory, name: name)
    }

    /// The path for display, escaped.
    var display: String {
        directory.isEmpty
            ? drop : drop + "/" + FileName.escaped(FileName.display(directory))
    }
}
