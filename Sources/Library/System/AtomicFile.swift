/// Files that appear complete or not at all, even after a power cut.
public enum AtomicFile {
    /// Puts `bytes` at `path` in one step: a hidden file next to it is written, synced and renamed over it, and the
    /// folder is synced.
    ///
    /// The file gets mode 0644. A reader sees either the old content or the new, never a mix. If the device
    /// reports an error while syncing, a second file is written before giving up.
    ///
    /// - Throws: `FileError`; the old content stays and no temporary file is left.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let file = try writtenTwice(path, bytes)
        try file.putInPlace()
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    /// Puts `bytes` at `path` in one step like `replace`, but without syncing: for files that are soon written again.
    /// After a power cut the file may be empty.
    ///
    /// - Throws: `FileError`; the old content stays and no temporary file is left.
    public static func replaceFleeting(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let file = try PendingFile(for: path)
        try file.write(bytes)
        try file.putInPlace()
    }

    /// Puts a new file at `path` in one step, readable only by this user (mode 0600).
    ///
    /// - Parameters:
    ///   - path: must be free.
    ///   - write: writes the content, from the start.
    /// - Throws: `FileError`, `EEXIST` if `path` exists; or the errors of `write`. No temporary file is left.
    public static func create(
        _ path: String, _ write: (borrowing Descriptor) throws -> Void
    ) throws {
        let file = try PendingFile(for: path, mode: 0o600)
        try file.write(by: write)
        try file.sync()
        try file.putInFreePlace()
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    /// Puts `bytes` at `path` in one step like `replace`; the file keeps its permissions, owner and group.
    ///
    /// - Parameters:
    ///   - path: an existing file.
    ///   - bytes: its new content.
    /// - Throws: `FileError`, also if this user may not give the file to its owner; the old content stays.
    public static func rewrite(_ path: String, with bytes: [UInt8]) throws(FileError) {
        // The content is never readable by more users than before.
        let file = try PendingFile(for: path, mode: 0o600)
        try file.takeRights(of: path)
        try file.write(bytes, keepsRights: true)
        try file.sync()
        try file.putInPlace()
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    /// Puts `bytes` at `path` in one step like `replace`, in a folder that several users share: the file keeps its
    /// permissions, its group and, as far as this user may give it away, its owner. A new one may be written by the group
    /// of the folder if that may write there.
    ///
    /// - Throws: `FileError`; the old content stays and no temporary file is left.
    public static func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let file = try PendingFile(for: path, mode: 0o600)
        try file.takeSharedRights()
        try file.write(bytes, keepsRights: true)
        try file.sync()
        try file.putInPlace()
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    private static func writtenTwice(
        _ path: String, _ bytes: [UInt8]
    ) throws(FileError) -> PendingFile {
        do {
            return try written(path, bytes)
        } catch {
            guard error.kind == .io else { throw error }
            return try written(path, bytes)
        }
    }

    /// A file with `bytes` for `path`, on the disk under a hidden name.
    package static func written(_ path: String, _ bytes: [UInt8]) throws(FileError) -> PendingFile {
        let file = try PendingFile(for: path)
        try file.write(bytes)
        try file.sync()
        return file
    }
}
