import CLinux
import Glibc

extension SystemCall {
    /// Makes the names in `folder` durable: fsync(2) on the folder itself.
    ///
    /// - Throws: `FileError`; the names may then be lost in a power failure.
    public static func syncFolder(_ folder: String) throws(FileError) {
        let descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        try run("fsync", folder) { fsync(descriptor.raw) }
    }

    /// Renames `from` to `path`, where it replaces a file, and makes the name durable.
    ///
    /// - Throws: `FileError`.
    public static func move(_ from: String, to path: String) throws(FileError) {
        try run("rename", path) { rename(from, path) }
        try syncFolder(parentFolder(of: path))
    }

    /// Renames `from` to `name`, unless that exists.
    ///
    /// - Parameters:
    ///   - from: a file or folder.
    ///   - name: its new name.
    ///   - folder: an open folder that relative names are in.
    ///   - otherwise: does the same if the file system cannot, as on some shares.
    /// - Throws: `FileError`, `EEXIST` if the name is taken.
    public static func move(
        _ from: String, toFree name: String, in folder: Int32? = nil,
        otherwise: () -> Int32
    ) throws(FileError) {
        try run("rename", name) { () -> Int32 in
            let result = clinux_rename_to_free_name(folder ?? AT_FDCWD, from, name)
            guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
            return otherwise()
        }
    }

    /// Creates `folder` and every missing folder above it.
    ///
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - mode: its permissions, whatever the umask.
    /// - Throws: `FileError` if a folder cannot be created.
    public static func makeFolders(_ folder: String, mode: UInt32) throws(FileError) {
        do throws(FileError) {
            try makeFolder(folder, mode: mode)
        } catch {
            let parent = parentFolder(of: folder)
            guard error.errno == ENOENT, parent != folder else { throw error }
            try makeFolders(parent, mode: 0o755)
            try makeFolder(folder, mode: mode)
        }
    }

    /// Creates `folder` if it is missing, in an existing folder.
    ///
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - mode: its permissions, whatever the umask.
    /// - Throws: `FileError` if it cannot be created.
    public static func makeFolder(_ folder: String, mode: UInt32) throws(FileError) {
        guard mkdir(folder, mode) != 0 else {
            try run("chmod", folder) { chmod(folder, mode) }
            return
        }
        guard errno == EEXIST else {
            throw FileError(call: "mkdir", path: folder, errno: errno)
        }
    }

    /// The folder that contains the entry named by `path`.
    public static func parentFolder(of path: String) -> String {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// `path` without links, by realpath(3); `path` itself if it does not exist.
    public static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
