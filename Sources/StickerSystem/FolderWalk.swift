import Glibc

/// Visits everything below a folder without following any link.
///
/// One folder is open at a time, so that depth costs nothing.
public struct FolderWalk {
    /// Something below the folder.
    public struct Entry {
        /// The folder that it lies in, relative to where the walk began; empty there.
        public var folder: [UInt8]
        /// Its name.
        public var name: [UInt8]
        /// Whether it is a folder itself.
        public var isFolder: Bool

        /// Its path relative to where the walk began.
        public var path: [UInt8] {
            folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        }
    }

    /// Bytes of the longest path below a folder that the system opens. `PATH_MAX` without its zero.
    public static let pathBytesMax = 4095

    private var folders: [Entry] = []

    /// Visits everything below the folder at `root`, which links may lead to.
    ///
    /// - Parameters:
    ///   - root: where to begin.
    ///   - visit: is given each entry, and says of folders whether to go into them.
    ///   - skip: hears of folders that were left out, as they cannot be read or their path is too long to
    ///     be opened. One that went away meanwhile is none of these.
    /// - Throws: `FileError` where `root` itself cannot be listed.
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

    /// All of them before the next folder is opened; none where the listing fails half-way.
    private static func entries(
        of listing: FolderListing, in folder: [UInt8]
    ) throws(FileError) -> [Entry] {
        try listing.rest().map { entry in
            Entry(folder: folder, name: entry.name, isFolder: listing.isFolder(entry))
        }
    }
}
