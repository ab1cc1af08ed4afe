import Glibc
public import StickerSystem
public import StickerValues
import Synchronization

/// The published pictures, `out/_/ab/<sha256>.<extension>`: named by content, never changed.
///
/// The time stamp of an object says when it was last relied on, and protects it from removal for a while: between
/// `commit` and the transaction that records it, the database does not know that it is needed.
public final class ObjectStore: Sendable {
    /// How long after its last `commit` an object is never removed.
    public static let guardSeconds = 120

    /// Whether there was no folder of pictures when the store was opened: all published ones are missing.
    public let isNew: Bool

    let out: String
    private let root: String
    /// The last known place of `out`.
    private let knownPlace: Mutex<OutPlace>
    /// The state of the root when last compared; it changes when a folder in it is added or removed.
    private let knownRoot: Mutex<FileVersion?> = Mutex(nil)
    /// Held while objects are looked up or removed, so that none is removed right after it was found.
    private let lock = Mutex(())

    /// Opens the store below `out` and creates its folders.
    ///
    /// - Throws: `FileError` if a folder cannot be created.
    public init(out: String) throws(FileError) {
        self.out = out
        root = out + "/_"
        isNew = access(root, F_OK) != 0 && errno == ENOENT
        try SystemCall.makeFolders(root, mode: 0o755)
        knownPlace = Mutex(OutPlace(device: try FileStatus(out).identity.device, rootInode: 0))
        try makeFolders()
        _ = try folderWasReplaced()
    }

    /// Never creates `out` itself, which may be unmounted.
    private func makeFolders() throws(FileError) {
        try SystemCall.makeFolder(root, mode: 0o755)
        for number in 0..<256 {
            try SystemCall.makeFolder(root + "/" + Self.shard(number), mode: 0o755)
        }
        try SystemCall.syncFolder(root)
        try SystemCall.syncFolder(out)
        let inode = try FileStatus(root).identity.inode
        knownPlace.withLock { $0.rootInode = inode }
    }

    /// Creates removed folders again.
    func mendFolders() throws(FileError) {
        try checkPlace()
        try makeFolders()
    }

    /// Checks that `out` exists and has not been replaced by another file system, such as an empty mount point: nothing
    /// must be written there.
    ///
    /// - Throws: `FileError` if it is not: `ENOENT` or `ENOTDIR` if it is missing, `ENODEV` if it was replaced.
    public func checkPlace() throws(FileError) {
        let device: UInt64
        do throws(FileError) {
            device = try FileStatus(out).identity.device
        } catch {
            // An inaccessible folder may well be there.
            guard error.kind == .vanished else { return }
            throw error
        }
        let inode = (try? FileStatus(root))?.identity.inode ?? 0
        guard knownPlace.withLock({ $0.isStill(at: device, rootInode: inode) }) else {
            throw FileError(call: "stat", path: out, errno: ENODEV)
        }
    }

    /// Whether `out` exists and is unchanged.
    var isInPlace: Bool { (try? checkPlace()) != nil }

    /// Whether the root or a folder in it was removed or replaced since the last call.
    func folderWasReplaced() throws(FileError) -> Bool {
        guard isInPlace else { return false }
        if access(root, F_OK) != 0, errno == ENOENT { try makeFolders() }
        let now = try FileStatus(root).version
        return knownRoot.withLock { exchange(&$0, with: now) != now }
    }

    /// Whether a file is in its place; if so, it is protected for a while even if unused.
    public func holds(_ file: StickerFile) -> Bool {
        touch(path(file.sha256, file.format), size: file.bytes)
    }

    /// The content of an object.
    ///
    /// - Throws: `FileError` if it is not there.
    public func bytes(of file: StickerFile) throws(FileError) -> [UInt8] {
        let path = path(file.sha256, file.format)
        return try Descriptor(path, O_RDONLY).firstBytes(file.bytes, path: path)
    }

    /// Removes objects, given as paths below `out`, unless they were relied on just now.
    ///
    /// - Returns: how many were removed; a later `sweep` finds the protected ones.
    public func remove(_ paths: [String]) -> Int {
        paths.count { path in
            path.hasPrefix("_/")
                && removeUnguarded(root + path.dropFirst(1), olderThan: Self.guardSeconds)
        }
    }

    /// Removes an object whose bytes do not match its name, so that it is made again.
    ///
    /// - Parameter path: its path below `out`.
    /// - Throws: `FileError` if it cannot be removed; a missing object is no error.
    public func discard(_ path: String) throws(FileError) {
        guard path.hasPrefix("_/"), isInPlace else { return }
        let whole = "\(out)/\(path)"
        guard unlink(whole) != 0, errno != ENOENT else { return }
        throw FileError(call: "unlink", path: whole, errno: errno)
    }

    func removeUnguarded(_ path: String, olderThan seconds: Int) -> Bool {
        lock.withLock { _ in
            // Inaccessible objects are kept.
            guard let status = try? FileStatus(link: path),
                status.mtimeSeconds <= time(nil) - seconds
            else { return false }
            return unlink(path) == 0
        }
    }

    /// Every folder of the store.
    var shards: [String] { (0..<256).map { root + "/" + Self.shard($0) } }

    /// Whether the object is already there; if so, its time stamp is set to now.
    func touch(_ path: String, size: Int) -> Bool {
        lock.withLock { _ in
            // Inaccessible objects are written again.
            guard let status = try? FileStatus(link: path), status.kind == .regular,
                status.size == size
            else { return false }
            return utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0
        }
    }

    func path(_ hash: ContentHash, _ format: ImageFormat) -> String {
        "\(root)/\(hash.rawValue.prefix(2))/\(hash.rawValue).\(format.fileExtension)"
    }

    private static func shard(_ number: Int) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16)
    }
}

/// The file system that `out` is on.
struct OutPlace {
    var device: UInt64
    /// The inode of `out/_`.
    var rootInode: UInt64

    /// Whether `out` is unchanged. The number of a device changes when its file system is remounted; then an unchanged
    /// root inode identifies it, and the new number is kept.
    mutating func isStill(at device: UInt64, rootInode: UInt64) -> Bool {
        guard device != self.device else { return true }
        guard rootInode != 0, rootInode == self.rootInode else { return false }
        self.device = device
        return true
    }
}
