import Glibc

/// Folders in one another, deeper than any path leads.
public final class DeepTree: Sendable {
    /// The topmost of them.
    public let path: String

    /// Makes `levels` folders of this name in one another below `parent`, and an empty file in the last.
    public init(below parent: String, name: String, levels: Int, file: String) throws {
        path = "\(parent)/\(name)"
        var folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        for _ in 0..<levels {
            guard mkdirat(folder, name, 0o755) == 0 else { throw Failure(errno: errno) }
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(folder)
            folder = next
        }
        let made = openat(folder, file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard made >= 0 else { throw Failure(errno: errno) }
        close(made)
    }

    /// A folder or the file could not be made.
    public struct Failure: Error {
        /// The system's error.
        public let errno: Int32
    }

    // Files that cannot be removed stay behind; no test depends on it.
    deinit { Self.remove(path) }

    /// Moves each level up beside the first before it is removed, so that no path grows long.
    private static func remove(_ path: String) {
        let next = path + ".next"
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        while rename("\(path)/\(name)", next) == 0 {
            rmdir(path)
            rename(next, path)
        }
        guard let stream = opendir(path) else { return }
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { start in
                start.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    _ = unlinkat(dirfd(stream), name, 0)
                }
            }
        }
        closedir(stream)
        rmdir(path)
    }
}
