import Glibc

/// An open file or folder that closes itself.
struct Descriptor: ~Copyable {
    let raw: Int32

    /// Takes over an open descriptor.
    init(adopting raw: Int32) { self.raw = raw }

    /// Opens `path`, always close-on-exec.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileError) {
        raw = try SystemCall.run("open", path) { open(path, flags | O_CLOEXEC, mode) }
    }

    // The result is of no use here: data that matters was fsynced before.
    deinit { close(raw) }

    /// Gives the descriptor away; the receiver closes it.
    consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }
}

/// Calls to the kernel: repeated when a signal interrupts, an error thrown with its path.
enum SystemCall {
    /// Runs `call` until it is not interrupted; -1 throws.
    @discardableResult
    static func run(
        _ name: String, _ path: String, _ call: () -> Int32
    ) throws(FileError) -> Int32 {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw FileError(call: name, path: path, errno: errno) }
        }
    }

    /// Writes all of `bytes`; a short write is continued.
    static func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
    ) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if written < 0, errno != EINTR {
                throw FileError(call: "write", path: path, errno: errno)
            }
        }
    }

    /// Makes names of `folder` durable: fsync(2) on the folder itself.
    static func syncFolder(_ folder: String) throws(FileError) {
        let descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        try run("fsync", folder) { fsync(descriptor.raw) }
    }

    /// Makes `folder` and every missing one above it; whatever the umask, with `mode`.
    static func makeFolders(_ folder: String, mode: mode_t) throws(FileError) {
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
    static func parentFolder(of path: String) -> String {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
