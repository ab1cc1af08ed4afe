import Glibc
import StickerModel

/// Lists folders by the kernel's bytes.
enum FolderWalk {
    /// What a folder holds.
    struct Entry {
        var name: [UInt8]
        var isFolder: Bool
    }

    /// The entries of a folder, without `.` and `..`; links are not followed.
    static func entries(of path: [UInt8]) throws(FileError) -> [Entry] {
        let shown = String(decoding: path, as: UTF8.self)
        guard let stream = opendir((path + [0]).map { CChar(bitPattern: $0) }) else {
            throw FileError(call: "opendir", path: shown, errno: errno)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            let isFolder = try isFolder(name, type: entry.pointee.d_type, in: stream, shown)
            entries.append(Entry(name: name, isFolder: isFolder))
        }
        return entries
    }

    /// Some file systems do not tell the type in the listing.
    private static func isFolder(
        _ name: [UInt8], type: UInt8, in stream: OpaquePointer, _ path: String
    ) throws(FileError) -> Bool {
        guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
        var status = stat()
        let terminated = (name + [0]).map { CChar(bitPattern: $0) }
        guard fstatat(dirfd(stream), terminated, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return false  // it went away meanwhile
        }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Every picture below a drop.
    static func pictures(in drop: String) throws(FileError) -> [SourceKey] {
        var found: [SourceKey] = []
        var folders: [[UInt8]] = [[]]
        while let folder = folders.popLast() {
            let slash = [UInt8(ascii: "/")]
            for entry in try entries(of: Array(drop.utf8) + slash + folder) {
                let key = SourceKey(drop: drop, directory: folder, name: entry.name)
                if entry.isFolder, !FileKind.isIgnoredName(entry.name) {
                    folders.append(key.relativePath)
                } else if FileKind.of(key) == .picture {
                    found.append(key)
                }
            }
        }
        return found
    }
}
