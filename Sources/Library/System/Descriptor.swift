import CLinux
import Glibc

/// An open file, folder, pipe or socket that closes itself.
public struct Descriptor: ~Copyable, Sendable {
    /// The number; -1 if there is none.
    public let raw: Int32

    /// Takes over an open descriptor.
    public init(adopting raw: Int32) { self.raw = raw }

    /// Opens `path`, always close-on-exec.
    ///
    /// - Parameters:
    ///   - path: the path; links are followed unless `flags` say otherwise.
    ///   - flags: the flags of open(2).
    ///   - mode: the permissions of a file that is created.
    /// - Throws: `FileError`.
    public init(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(FileError) {
        raw = try SystemCall.run("open", path) { Glibc.open(path, flags | O_CLOEXEC, mode) }
    }

    /// Opens the folder at `path` to reach the files below it: that requires permission to enter it, not to list it.
    /// Links are followed.
    ///
    /// - Throws: `FileError`.
    public init(folder path: String) throws(FileError) {
        try self.init(path, clinux_open_path_flag() | O_DIRECTORY)
    }

    // The result does not matter: important data was fsynced before.
    deinit { if raw >= 0 { close(raw) } }

    /// Releases the descriptor; the receiver closes it.
    public consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// The parent folder, to reach the files below it.
    ///
    /// - Throws: `FileError` with `path`.
    public func parent(_ path: String) throws(FileError) -> Descriptor {
        let flags = clinux_open_path_flag() | O_DIRECTORY | O_CLOEXEC
        return Descriptor(
            adopting: try SystemCall.run("openat", path) { openat(raw, "..", flags) })
    }

    /// Another descriptor of the same open file.
    ///
    /// - Throws: `FileError` with `path` if the process has no descriptor left.
    public func duplicate(_ path: String) throws(FileError) -> Descriptor {
        Descriptor(adopting: try SystemCall.run("fcntl", path) { fcntl(raw, F_DUPFD_CLOEXEC, 0) })
    }
}

// MARK: - Opening without links

extension Descriptor {
    /// Opens the file or folder at `path` below this folder without following any link: openat2(2).
    ///
    /// - Parameters:
    ///   - path: relative, as the kernel's bytes; empty for the folder itself.
    ///   - flags: the flags of open(2).
    ///   - shown: the name in errors.
    /// - Returns: the open file or folder, close-on-exec.
    /// - Throws: `FileError`; `ELOOP` or `ENOTDIR` if there is a link on the way.
    public func open(
        below path: [UInt8], _ flags: Int32, shown: String
    ) throws(FileError) -> Descriptor {
        let path = path.isEmpty ? [UInt8(ascii: ".")] : path
        let flags = flags | O_NOFOLLOW | O_CLOEXEC
        var descriptor: Int32 = -1
        for _ in 0..<8 {  // EAGAIN: something on the way was renamed at that very moment
            descriptor = SystemCall.withCName(path) { path in
                SystemCall.retrying { clinux_open_beneath(raw, path, flags) }
            }
            guard descriptor < 0, errno == EAGAIN else { break }
        }
        guard descriptor < 0 else { return Descriptor(adopting: descriptor) }
        // Kernels before 5.6 have no openat2; some sandboxes forbid it.
        if errno == ENOSYS || errno == EPERM { return try openByParts(path, flags, shown: shown) }
        throw FileError(call: "openat2", path: shown, errno: errno)
    }

    /// The same without openat2: each folder is opened separately and must not be a link. The path may be longer than
    /// the system can open at once.
    ///
    /// - Parameters:
    ///   - path: relative, as the kernel's bytes; empty for the folder itself.
    ///   - flags: the flags of open(2).
    ///   - shown: the name in errors.
    /// - Returns: the open file or folder, close-on-exec.
    /// - Throws: `FileError`; `ELOOP` or `ENOTDIR` if there is a link on the way.
    public func openByParts(
        _ path: [UInt8], _ flags: Int32, shown: String
    ) throws(FileError) -> Descriptor {
        let parts = path.split(separator: UInt8(ascii: "/"))
        var folder = try duplicate(shown)
        for part in parts.dropLast() {
            let way = clinux_open_path_flag() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
            folder = try folder.openPart(Array(part), way, shown: shown)
        }
        let last = parts.last.map(Array.init) ?? [UInt8(ascii: ".")]
        return try folder.openPart(last, flags | O_NOFOLLOW | O_CLOEXEC, shown: shown)
    }

    private func openPart(
        _ name: [UInt8], _ flags: Int32, shown: String
    ) throws(FileError) -> Descriptor {
        let descriptor = try SystemCall.run("openat", shown) {
            SystemCall.withCName(name) { openat(raw, $0, flags) }
        }
        return Descriptor(adopting: descriptor)
    }
}
