import CLinux
import Glibc
import StickerModel

/// Lists folders by the kernel's bytes.
enum FolderWalk {
    /// What a folder holds.
    struct Entry {
        var name: [UInt8]
        var isFolder: Bool
    }

    /// The pictures of a drop, and the folders that were left out.
    struct Pictures {
        var keys: [SourceKey] = []
        /// At most `skippedMax` of them, each with the reason.
        var skipped: [String] = []
        var skippedCount = 0

        fileprivate mutating func skip(_ folder: SourceKey, _ error: FileError) {
            skippedCount += 1
            guard skipped.count < FolderWalk.skippedMax else { return }
            let reason = String(cString: strerror(error.errno))
            skipped.append("\(folder.drop)/\(folder.display): \(reason)")
        }
    }

    /// As many folders that were left out are listed; the others are counted.
    static let skippedMax = 20
    /// Bytes of the longest path below a drop that the system opens. `PATH_MAX` without its zero.
    static let pathBytesMax = 4095

    /// The entries of a folder, without `.` and `..`; links are not followed.
    static func entries(of path: [UInt8]) throws(FileError) -> [Entry] {
        let shown = String(decoding: path, as: UTF8.self)
        guard let stream = opendir((path + [0]).map { CChar(bitPattern: $0) }) else {
            throw FileError(call: "opendir", path: shown, errno: errno)
        }
        return try entries(of: stream, shown)
    }

    /// Takes the stream over.
    private static func entries(
        of stream: OpaquePointer, _ shown: String
    ) throws(FileError) -> [Entry] {
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return entries }
                throw FileError(call: "readdir", path: shown, errno: errno)
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            let isFolder = isFolder(name, type: entry.pointee.d_type, in: stream)
            entries.append(Entry(name: name, isFolder: isFolder))
        }
    }

    /// Some file systems do not tell the type in the listing.
    private static func isFolder(
        _ name: [UInt8], type: UInt8, in stream: OpaquePointer
    ) -> Bool {
        guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
        var status = stat()
        let terminated = (name + [0]).map { CChar(bitPattern: $0) }
        guard fstatat(dirfd(stream), terminated, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return false  // it went away meanwhile
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Every picture below a drop. Folders that cannot be read, or whose path is too long to be opened,
    /// are left out. One folder is open at a time, so that depth costs nothing.
    ///
    /// - Throws: `FileError` where the drop itself cannot be listed.
    static func pictures(in drop: String) throws(FileError) -> Pictures {
        let root = try Descriptor(drop, clinux_open_path_flag() | O_DIRECTORY)
        var found = Pictures()
        var folders: [SourceKey] = []
        sort(try entries(of: Array(drop.utf8)), of: [], in: drop, &folders, &found)
        while let folder = folders.popLast() {
            do throws(FileError) {
                let entries = try entries(of: folder, below: root)
                sort(entries, of: folder.relativePath, in: drop, &folders, &found)
            } catch {
                if error.kind != .vanished { found.skip(folder, error) }
            }
        }
        return found
    }

    private static func sort(
        _ entries: [Entry], of folder: [UInt8], in drop: String, _ folders: inout [SourceKey],
        _ found: inout Pictures
    ) {
        for entry in entries {
            let key = SourceKey(drop: drop, directory: folder, name: entry.name)
            if !entry.isFolder {
                if FileKind.of(key) == .picture { found.keys.append(key) }
            } else if !FileKind.isIgnoredName(entry.name) {
                folders.append(key)
            }
        }
    }

    private static func entries(
        of folder: SourceKey, below root: borrowing Descriptor
    ) throws(FileError) -> [Entry] {
        guard folder.relativePath.count <= pathBytesMax else {
            throw FileError(call: "open", path: folder.display, errno: ENAMETOOLONG)
        }
        let raw = try SourceReader.open(
            folder, below: root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        ).release()
        guard let stream = fdopendir(raw) else {
            let error = FileError(call: "fdopendir", path: folder.display, errno: errno)
            close(raw)
            throw error
        }
        return try entries(of: stream, folder.display)
    }
}
