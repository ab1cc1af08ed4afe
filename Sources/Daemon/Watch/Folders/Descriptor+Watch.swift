import Glibc
import StickerSystem
import StickerValues

/// Folders of a drop, as the watcher opens and reads them.
///
/// Below a drop folder no symbolic link is ever followed.
extension Descriptor {
    /// Opens the drop folder itself. The operator's own path may lead through links.
    static func root(_ path: String) throws(WatchError) -> Descriptor {
        do throws(FileError) {
            return try Descriptor(folder: path)
        } catch {
            throw WatchError(error, "cannot open \(path)")
        }
    }

    /// Opens the folder `directory` below this one for listing; an empty path opens it again.
    func descend(_ directory: [UInt8]) throws(WatchError) -> Descriptor {
        do throws(FileError) {
            let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
            return try openByParts(directory, flags, shown: "a folder")
        } catch {
            throw WatchError(error, "cannot open a folder")
        }
    }

    /// The identity of this folder.
    func identity() throws(WatchError) -> FileIdentity {
        do throws(FileError) {
            return try FileStatus(self, path: "a folder").identity
        } catch {
            throw WatchError(error, "cannot look at a folder")
        }
    }

    /// The status of the entry `name` without following links.
    ///
    /// - Throws: `.vanished` if there is no such entry.
    func look(_ name: [UInt8]) throws(WatchError) -> FileStatus {
        do throws(FileError) {
            return try FileStatus(name, in: self, path: "a file")
        } catch {
            throw WatchError(error, "cannot look at a file")
        }
    }

    /// Starts listing this folder.
    consuming func listed() throws(WatchError) -> FolderListing {
        do throws(FileError) {
            return try FolderListing(self, path: "a folder")
        } catch {
            throw WatchError(error, "cannot list a folder")
        }
    }
}

/// An open folder whose entries can be examined.
protocol LookedInto: ~Copyable {
    /// The status of the entry `name` without following links.
    ///
    /// - Throws: `.vanished` if there is no such entry.
    func look(_ name: [UInt8]) throws(WatchError) -> FileStatus

    /// The first bytes of the regular file `name`; `nil` if it cannot be read now.
    func head(_ name: [UInt8]) -> [UInt8]?
}

/// The bytes needed to recognise a file: signatures, and the part before the first element of a drawing.
private let headBytes = 4096

extension Descriptor: LookedInto {
    func head(_ name: [UInt8]) -> [UInt8]? {
        // Nothing is lost: the next scan retries.
        try? open(below: name, O_RDONLY | O_NONBLOCK, shown: "a file")
            .firstBytes(headBytes, path: "a file")
    }
}

extension FolderListing: LookedInto {
    func head(_ name: [UInt8]) -> [UInt8]? { try? firstBytes(headBytes, of: name) }

    /// The next entry, or `nil` at the end.
    func nextEntry() throws(WatchError) -> Entry? {
        do throws(FileError) {
            return try next()
        } catch {
            throw WatchError(error, "cannot list a folder")
        }
    }

    /// The status of an entry of the folder being listed, without following links.
    func look(_ name: [UInt8]) throws(WatchError) -> FileStatus {
        do throws(FileError) {
            return try status(of: name)
        } catch {
            throw WatchError(error, "cannot look at a file")
        }
    }
}

extension FileStatus {
    /// The state of the file's content.
    var version: FileVersion {
        FileVersion(inode: identity.inode, size: size, mtime: mtime, ctime: ctime)
    }
}
