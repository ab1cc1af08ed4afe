import CLinux
import Glibc
import StickerSystem

/// The file of a database, as a file: nobody has it open.
enum DatabaseFile {
    /// Removes a database with the files of its log.
    static func remove(_ path: String) {
        for suffix in ["-wal", "-shm", "-journal", ""] { unlink(path + suffix) }
    }

    /// Whether everything was written back into the main file.
    static func isWhole(_ path: String) throws(FileError) -> Bool {
        let log = "\(path)-wal"
        guard access(log, F_OK) == 0 else { return true }
        return try FileStatus(log).size == 0
    }

    /// Copies the main file to where nothing is, with the same permissions. A file system that can lets both share their
    /// blocks. The copy is on its way to the disk; `sync` waits until it is there.
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

    /// Returns whether the kernel did it; if it cannot, nothing was written.
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

    /// Reads the main file to its end, so that all of it is in memory as far as there is room.
    static func read(_ path: String) throws(FileError) {
        let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW)
        try file.readParts(of: 1 << 20, path: path) { _ throws(FileError) in }
    }

    /// Waits until what was written to the file is on the disk.
    static func sync(_ path: String) throws(FileError) {
        let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW)
        let raw = file.raw
        try SystemCall.run("fsync", path) { fsync(raw) }
    }

    /// Puts the file in the place of another one, for good.
    static func rename(_ from: String, to path: String) throws(FileError) {
        try SystemCall.run("rename", path) { Glibc.rename(from, path) }
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    /// `path.kind-1`, or with the first number that is free.
    static func free(_ path: String, _ kind: String) -> String {
        var number = 1
        while access("\(path).\(kind)-\(number)", F_OK) == 0 { number += 1 }
        return "\(path).\(kind)-\(number)"
    }
}
