import Glibc

/// Visits everything below a folder without following links.
///
/// One folder is open at a time, so depth costs nothing.
public struct FolderWalk {
    /// A file or folder below the root.
    public struct Entry {
        /// The containing folder, relative to the root of the walk; empty for the root itself.
        public var folder: [UInt8]
        /// Its name.
        public var name: [UInt8]
        /// Whether it is a folder itself.
        public var isFolder: Bool

        /// Its path relative to the root of the walk.
        public var path: [UInt8] {
            folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        }
    }

    /// The longest path below a folder that the system can open, in bytes: `PATH_MAX` without its zero.
    public static let pathBytesMax = 4095

    private var folders: [Entry] = []

    /// Visits everything below the folder at `root`; `root` itself may be reached through links.
    ///
    /// - Parameters:
    ///   - root: the folder to begin with.
    ///   - visit: called with each entry; for a folder, returns whether to enter it.
    ///   - skip: called with folders that cannot be read or whose path is too long to open. Folders that vanished
    ///     meanwhile do not count.
    /// - Throws: `FileError` if `root` itself cannot be listed.
    public static func below(
        _ root: String, visit: (Entry) -> Bool, skip: (Entry, FileError) -> Void
    ) throws(FileError) {
        let top = try Descriptor(folder: root)
        var walk = FolderWalk()
        walk.take(try entries(of: FolderListing(root), in: []), visit)
        while let folder = walk.folders.popLast() {
            do throws(FileError) {
                walk.take(try entries(of: folder, below: top), visit)
            } catch {
                if error.kind != .vanished { skip(folder, error) }
            }
        }
    }

    private mutating func take(_ entries: [Entry], _ visit: (Entry) -> Bool) {
        for entry in entries where visit(entry) && entry.isFolder { folders.append(entry) }
    }

    private static func entries(
        of folder: Entry, below top: borrowing Descriptor
    ) throws(FileError) -> [Entry] {
        let path = folder.path
        let shown = String(decoding: path, as: UTF8.self)
        guard path.count <= pathBytesMax else {
            throw FileError(call: "open", path: shown, errno: ENAMETOOLONG)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
        let open = try top.open(below: path, flags, shown: shown)
        return try entries(of: FolderListing(open, path: shown), in: path)
    }

    /// All entries, before the next folder is opened; none if the listing fails halfway.
    private static func entries(
        of listing: FolderListing, in folder: [UInt8]
    ) throws(FileError) -> [Entry] {
        try listing.rest().map { entry in
            Entry(folder: folder, name: entry.name, isFolder: listing.isFolder(entry))
        }
    }
}
