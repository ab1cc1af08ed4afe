import CLinux
import Glibc
import Synchronization

/// A new file under a hidden name next to its target. It is removed unless it was put in place.
package final class PendingFile: Sendable {
    /// The prefix of the names of temporary files.
    package static let prefix = ".tmp-"

    private let target: String
    private let path: String
    private let descriptor: Descriptor
    /// Whether the hidden name is free again.
    private let isSettled = Atomic(false)

    /// Creates an empty file for `target`, readable by everyone whatever the umask, or with the permissions `mode`.
    package init(for target: String, mode: UInt32 = 0o644) throws(FileError) {
        let folder = SystemCall.parentFolder(of: target)
        // A process on another machine or in another container may have the same number, and its file must stay.
        let random = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = "\(folder)/\(Self.prefix)\(getpid())-\(random)"
        descriptor = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        self.path = path
        self.target = target
    }

    deinit { discard() }

    /// Removes files that programs which were killed left in a folder. Failures are left to the next call.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - seconds: younger files may still be written.
    package static func removeLeftovers(in folder: FixedFolder, olderThan seconds: Int) {
        let prefix = Array(prefix.utf8)
        let entries = (try? FolderListing(folder.path).rest()) ?? []
        for entry in entries where entry.name.starts(with: prefix) {
            let path = "\(folder.path)/\(String(decoding: entry.name, as: UTF8.self))"
            if let status = try? FileStatus(link: path), status.kind == .regular,
                Int(status.mtimeSeconds) < time(nil) - seconds
            {
                unlink(path)
            }
        }
    }

    /// Removes the file, unless it was put in place.
    package func discard() {
        if !isSettled.exchange(true, ordering: .relaxed) { unlink(path) }
    }

    /// Writes the content and starts syncing it; `keepsRights` if the permissions are right already.
    package func write(_ bytes: [UInt8], keepsRights: Bool = false) throws(FileError) {
        if !keepsRights { try SystemCall.run("fchmod", path) { fchmod(descriptor.raw, 0o644) } }
        try descriptor.writeAll(bytes, path: path)
        clinux_start_writeback(descriptor.raw)
    }

    /// Writes the content by `body`; the permissions stay.
    package func write(by body: (borrowing Descriptor) throws -> Void) throws {
        try body(descriptor)
    }

    /// Appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try descriptor.writeAll(bytes, path: path)
    }

    /// Copies owner, group and permissions from another file.
    package func takeRights(of other: String) throws(FileError) {
        var status = stat()
        try SystemCall.run("stat", other) { stat(other, &status) }
        // Changing the owner clears some permissions.
        try SystemCall.run("fchown", path) {
            fchown(descriptor.raw, status.st_uid, status.st_gid)
        }
        try SystemCall.run("fchmod", path) { fchmod(descriptor.raw, status.st_mode & 0o7777) }
    }

    /// Takes the permissions, the group and if possible the owner of the file that it will replace, or those for a new
    /// file in a folder that several users share.
    package func takeSharedRights() throws(FileError) {
        var (status, own) = (stat(), stat())
        let folder = SystemCall.parentFolder(of: target)
        try SystemCall.run("fstat", path) { fstat(descriptor.raw, &own) }
        if lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            let isOwner = own.st_uid == status.st_uid && own.st_gid == status.st_gid
            if !isOwner, fchown(descriptor.raw, status.st_uid, status.st_gid) != 0 {
                if own.st_gid != status.st_gid,
                    fchown(descriptor.raw, uid_t.max, status.st_gid) != 0,
                    status.st_mode & 0o004 == 0
                {
                    // Members of its group must still be able to read it.
                    throw FileError(call: "fchown", path: target, errno: errno)
                }
                // Its owner is another one now, and goes on writing to it as one of the group.
                status.st_mode |= try Self.groupWrites(folder)
            }
        } else {
            status.st_mode = 0o644 | (try Self.groupWrites(folder))
        }
        try SystemCall.run("fchmod", path) { fchmod(descriptor.raw, status.st_mode & 0o777) }
    }

    /// The bit that lets the group write, if it may write to the folder.
    private static func groupWrites(_ folder: String) throws(FileError) -> mode_t {
        var status = stat()
        try SystemCall.run("stat", folder) { stat(folder, &status) }
        return status.st_mode & 0o020
    }

    /// Waits until the content is on the disk. After an error, discard the file: the kernel marks failed pages as
    /// clean, so a second fsync would falsely succeed.
    package func sync() throws(FileError) {
        try SystemCall.run("fsync", path) { fsync(descriptor.raw) }
    }

    /// Renames the file to its target in one step.
    package func putInPlace() throws(FileError) { try putInPlace(as: target) }

    /// Renames the file to its target, unless that exists.
    package func putInFreePlace() throws(FileError) {
        try SystemCall.move(path, toFree: target) {
            // link(2) never replaces a file either.
            link(path, target) == 0 ? unlink(path) : -1
        }
        isSettled.store(true, ordering: .relaxed)
    }

    /// Renames the file to another name in the same folder, for a name known only at the end.
    package func putInPlace(as target: String) throws(FileError) {
        try SystemCall.run("rename", target) { rename(path, target) }
        isSettled.store(true, ordering: .relaxed)
    }
}
