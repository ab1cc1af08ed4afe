import CLinux
import Glibc
import StickerModel

/// Owns a descriptor of an open folder. Corresponds to `openat(2)` with `O_DIRECTORY`.
///
/// Below a drop folder no symbolic link is ever followed: each component is opened by itself with
/// `O_NOFOLLOW`.
struct FolderDescriptor: ~Copyable {
    let raw: CInt

    private init(adopting raw: CInt) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }

    /// Opens the drop folder itself. The operator's own path may lead over links.
    static func open(root path: String) throws(WatchError) -> FolderDescriptor {
        let raw = Errno.retrying {
            Glibc.open(path, CLINUX_O_PATH | O_DIRECTORY | O_CLOEXEC)
        }
        guard raw >= 0 else { throw Errno.fault("cannot open \(path)") }
        return FolderDescriptor(adopting: raw)
    }

    /// Opens the folder `directory` below this one for listing; an empty path opens it again.
    func descend(_ directory: [UInt8]) throws(WatchError) -> FolderDescriptor {
        let components = directory.split(separator: UInt8(ascii: "/"))
        guard let last = components.last else {
            return try open([UInt8(ascii: ".")], O_RDONLY)
        }
        var parent: FolderDescriptor?
        for component in components.dropLast() {
            parent =
                if let current = parent {
                    try current.open(Array(component), CLINUX_O_PATH)
                } else {
                    try open(Array(component), CLINUX_O_PATH)
                }
        }
        guard let parent else { return try open(Array(last), O_RDONLY) }
        return try parent.open(Array(last), O_RDONLY)
    }

    private func open(_ name: [UInt8], _ access: CInt) throws(WatchError) -> FolderDescriptor {
        let flags = access | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let child = withCName(name) { start in
            Errno.retrying { openat(raw, start, flags) }
        }
        guard child >= 0 else { throw Errno.fault("cannot open a folder") }
        return FolderDescriptor(adopting: child)
    }

    /// Which folder this is.
    func identity() throws(WatchError) -> FileIdentity {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw Errno.fault("cannot look at a folder") }
        return FileStamp(status).identity
    }

    /// Looks at the entry `name` without following links. Corresponds to `fstatat(2)`.
    ///
    /// - Throws: `.vanished` where there is no such entry.
    func look(_ name: [UInt8]) throws(WatchError) -> FileStamp {
        try Self.look(name, in: raw)
    }

    /// The same for a folder that somebody else owns.
    static func look(_ name: [UInt8], in folder: CInt) throws(WatchError) -> FileStamp {
        var status = stat()
        let result = withCName(name) { start in
            Errno.retrying { fstatat(folder, start, &status, AT_SYMLINK_NOFOLLOW) }
        }
        guard result == 0 else { throw Errno.fault("cannot look at a file") }
        return FileStamp(status)
    }

    /// Gives the descriptor away; the receiver closes it.
    consuming func release() -> CInt {
        let raw = raw
        discard self
        return raw
    }
}

/// Lends `name` with the zero byte that system calls expect; a file's name contains none.
func withCName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
        for (index, byte) in name.enumerated() {
            buffer.initializeElement(at: index, to: CChar(bitPattern: byte))
        }
        buffer.initializeElement(at: name.count, to: 0)
        return body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}
