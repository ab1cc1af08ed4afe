import Glibc
import StickerPacks
import StickerSystem

/// A folder under a hidden name in a drop, in which a category is built. It holds files and no folders.
///
/// It is locked as long as its import lives (flock(2)), so that leftovers of killed imports are detected.
struct HiddenFolder: ~Copyable {
    private static let prefix = Array(".import-".utf8)

    private let name: [UInt8]
    private let folder: Descriptor

    /// Creates one.
    ///
    /// - Parameters:
    ///   - drop: the drop folder, open for listing.
    ///   - shown: the drop's name in errors.
    /// - Throws: `FileError`.
    init(in drop: borrowing Descriptor, shown: String) throws(FileError) {
        let name = Self.prefix + Array("\(getpid())-\(UInt32.random(in: .min ... .max))".utf8)
        let raw = drop.raw
        try SystemCall.run("mkdirat", shown) {
            SystemCall.withCName(name) { mkdirat(raw, $0, 0o755) }
        }
        let folder = try drop.open(below: name, O_RDONLY | O_DIRECTORY, shown: shown)
        let own = folder.raw
        // A share may not support locks; then the leftovers of a killed import stay hidden.
        _ = flock(own, LOCK_EX | LOCK_NB)
        try SystemCall.run("fchmod", shown) { fchmod(own, 0o755) }
        self.name = name
        self.folder = folder
    }

    /// Writes a new file.
    borrowing func write(_ file: PackFile) throws(FileError) {
        guard case .bytes(let bytes) = file.content else {
            preconditionFailure("the files of a category are bytes")
        }
        let raw = folder.raw
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = try SystemCall.run("openat", file.path) {
            SystemCall.withCName(Array(file.path.utf8)) { openat(raw, $0, flags, 0o644) }
        }
        let target = Descriptor(adopting: number)
        try target.writeAll(bytes, path: file.path)
        try SystemCall.run("fchmod", file.path) { fchmod(number, 0o644) }
        try SystemCall.run("fsync", file.path) { fsync(number) }
    }

    /// Gives the folder its name.
    ///
    /// - Throws: `FileError`; `EEXIST` if the name is taken.
    borrowing func rename(
        to final: String, in drop: borrowing Descriptor
    ) throws(FileError) {
        let (own, raw) = (folder.raw, drop.raw)
        try SystemCall.run("fsync", final) { fsync(own) }
        let hidden = String(decoding: name, as: UTF8.self)
        try SystemCall.move(hidden, toFree: final, in: raw) {
            // rename(2) replaces only an empty folder.
            renameat(raw, hidden, raw, final)
        }
    }

    borrowing func remove(from drop: borrowing Descriptor) {
        Self.remove(name, folder, from: drop)
    }

    /// Removes folders of imports that were killed.
    static func removeStale(in drop: borrowing Descriptor, shown: String) throws(FileError) {
        let listing = try FolderListing(try drop.duplicateListing(shown), path: shown)
        while let entry = try listing.next() {
            guard entry.name.starts(with: prefix), listing.isFolder(entry),
                let folder = try? drop.open(
                    below: entry.name, O_RDONLY | O_DIRECTORY, shown: shown),
                flock(folder.raw, LOCK_EX | LOCK_NB) == 0
            else { continue }
            remove(entry.name, folder, from: drop)
        }
    }

    /// Other writers to the drop cannot redirect this: it uses descriptors, and goes only one level deep.
    private static func remove(
        _ name: [UInt8], _ folder: borrowing Descriptor, from drop: borrowing Descriptor
    ) {
        let shown = String(decoding: name, as: UTF8.self)
        // Files that cannot be removed stay hidden until the next import.
        guard let listed = try? folder.duplicateListing(shown),
            let entries = try? FolderListing(listed, path: shown).rest()
        else { return }
        for entry in entries {
            _ = SystemCall.withCName(entry.name) { unlinkat(folder.raw, $0, 0) }
        }
        _ = SystemCall.withCName(name) { unlinkat(drop.raw, $0, AT_REMOVEDIR) }
    }
}

extension Descriptor {
    /// The same folder, opened again for a listing: a duplicate would share the position.
    fileprivate func duplicateListing(_ shown: String) throws(FileError) -> Descriptor {
        try open(below: [], O_RDONLY | O_DIRECTORY, shown: shown)
    }
}
