/// Files that appear complete or not at all, even after a power cut.
public enum AtomicFile {
    /// Puts `bytes` at `path` in one step: a hidden file next to it is written and synced, then renamed
    /// over it, and the folder is synced.
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

    /// Puts `bytes` at `path` in one step like `replace`, but waits for no disk: for what is written again soon. After
    /// a power cut the file may be empty.
    ///
    /// - Throws: `FileError`; the old content stays and no temporary file is left.
    public static func replaceFleeting(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let file = try PendingFile(for: path)
        try file.write(bytes)
        try file.putInPlace()
    }

    /// Puts a new file at `path` in one step, for this user's eyes alone (mode 0600).
    ///
    /// - Parameters:
    ///   - path: nothing may be there.
    ///   - write: writes the content, from the start.
    /// - Throws: `FileError`, `EEXIST` if something is there; or what `write` throws. No temporary file is left.
    public static func create(
        _ path: String, _ write: (borrowing Descriptor) throws -> Void
    ) throws {
        let file = try PendingFile(for: path, mode: 0o600)
        try file.write(by: write)
        try file.sync()
        try file.putInFreePlace()
        try SystemCall.syncFolder(SystemCall.parentFolder(of: path))
    }

    /// Puts `bytes` at `path` in one step like `replace`; the file keeps its permissions, its owner and its group.
    ///
    /// - Parameters:
    ///   - path: a file that is there.
    ///   - bytes: its new content.
    /// - Throws: `FileError`; the old content stays. So it does if this user may not give the file to its owner.
    public static func rewrite(_ path: String, with bytes: [UInt8]) throws(FileError) {
        // Nobody sees what is in it who could not see it before.
        let file = try PendingFile(for: path, mode: 0o600)
        try file.takeRights(of: path)
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
