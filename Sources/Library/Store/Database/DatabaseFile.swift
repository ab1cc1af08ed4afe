import CLinux
import Glibc
import StickerSystem

/// The file of a database that no connection has open.
enum DatabaseFile {
    /// Removes a database with its log files.
    static func remove(_ path: String) {
        for suffix in ["-wal", "-shm", "-journal", ""] { unlink(path + suffix) }
    }

    /// Whether the whole log was written back into the main file.
    static func isWhole(_ path: String) throws(FileError) -> Bool {
        let log = "\(path)-wal"
        guard access(log, F_OK) == 0 else { return true }
        return try FileStatus(log).size == 0
    }

    /// Copies the main file to a free path, with the same permissions. If the file system can, both share their blocks.
    /// The copy is being synced; `sync` waits for that.
    static func copy(_ from: String, to path: String) throws(FileError) {
        let source = try Descriptor(from, O_RDONLY | O_NOFOLLOW)
        let target = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        if try !copyInKernel(source, target, path) {
            try source.readParts(of: 1 << 20, path: from) { part throws(FileError) in
                try target.writeAll(part, path: path)
            }
        }
        var status = stat()
        let (raw, copy) = (source.raw, target.raw)
        try SystemCall.run("fstat", from) { fstat(raw, &status) }
        try SystemCall.run("fchmod", path) { fchmod(copy, status.st_mode & 0o777) }
        clinux_start_writeback(copy)
    }

    /// Returns whether the kernel copied; if it cannot, nothing was written.
    private static func copyInKernel(
        _ source: borrowing Descriptor, _ target: borrowing Descriptor, _ path: String
    ) throws(FileError) -> Bool {
        var isBegun = false
        while true {
            let count = clinux_copy_range(source.raw, target.raw)
            if count == 0 { return true }
            guard count < 0 else {
                isBegun = true
                continue
            }
            guard errno != EINTR else { continue }
            guard !isBegun else {
                throw FileError(call: "copy_file_range", path: path, errno: errno)
            }
            return false
        }
    }

    /// Reads the main file to its end, to cache all of it as far as there is room.
    static func read(_ path: String) throws(FileError) {
        let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW)
        try file.readParts(of: 1 << 20, path: path) { _ throws(FileError) in }
    }

    /// Waits until the file is on the disk.
    static func sync(_ path: String) throws(FileError) {
        let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW)
        let raw = file.raw
        try SystemCall.run("fsync", path) { fsync(raw) }
    }

    /// `path.kind-1`, or the first free number.
    static func unused(_ path: String, _ kind: String) -> String {
        var number = 1
        while access("\(path).\(kind)-\(number)", F_OK) == 0 { number += 1 }
        return "\(path).\(kind)-\(number)"
    }
}
