public import StickerSystem

/// Files that appear whole or not at all, also after a power cut.
public enum AtomicFile {
    /// Puts `bytes` at `path` in one step: a hidden file beside it is written and synced, renamed over
    /// it, and the folder is synced.
    ///
    /// The file gets mode 0644. A reader sees the old content or the new, never a mix. Where the
    /// device reports an error while syncing, a second file is written before giving up.
    ///
    /// - Throws: `FileError`; the old content stays and no temporary is left.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let file = try writtenTwice(path, bytes)
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

    static func written(_ path: String, _ bytes: [UInt8]) throws(FileError) -> PendingFile {
        let file = try PendingFile(for: path)
        try file.write(bytes)
        try file.sync()
        return file
    }
}
