import Glibc

extension SystemCall {
    /// Makes names of `folder` durable: fsync(2) on the folder itself.
    ///
    /// - Throws: `FileError`; the names may be lost with the power.
    public static func syncFolder(_ folder: String) throws(FileError) {
        let descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        try run("fsync", folder) { fsync(descriptor.raw) }
    }

    /// Makes `folder` and every missing one above it.
    ///
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - mode: its rights, whatever the umask.
    /// - Throws: `FileError` where a folder cannot be made.
    public static func makeFolders(_ folder: String, mode: UInt32) throws(FileError) {
        guard mkdir(folder, mode) != 0 else {
            try run("chmod", folder) { chmod(folder, mode) }
            return
        }
        switch errno {
        case EEXIST: return
        case ENOENT:
            let parent = parentFolder(of: folder)
            guard parent != folder else {
                throw FileError(call: "mkdir", path: folder, errno: ENOENT)
            }
            try makeFolders(parent, mode: 0o755)
            try run("mkdir", folder) { mkdir(folder, mode) }
            try run("chmod", folder) { chmod(folder, mode) }
        default: throw FileError(call: "mkdir", path: folder, errno: errno)
        }
    }

    /// The folder that `path` names an entry of.
    public static func parentFolder(of path: String) -> String {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// `path` without links, by realpath(3); `path` itself where it leads nowhere.
    public static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
