import Glibc
import StickerSystem

/// The contents of a folder at one look: all names in one block of bytes, and a fingerprint of each entry's state.
/// 100,000 files with names of 20 bytes take 3.6 MB.
struct FolderSnapshot: Sendable {
    private struct Entry {
        var start: UInt32
        var length: UInt8
        var isFolder: Bool
        var fingerprint: UInt64
    }

    /// One difference between two looks.
    struct Difference: Hashable {
        var name: [UInt8]
        var change: WatchEvent.Change
        var isDirectory: Bool
    }

    private var names: [UInt8] = []
    private var entries: [Entry] = []

    /// Creates the snapshot of an empty folder.
    init() {}

    /// Reads every entry of an open folder; entries that vanish meanwhile are left out. An entry whose status cannot be
    /// read is included, in an unknown state.
    init(_ folder: consuming Descriptor) throws(WatchError) {
        let listing = try folder.listed()
        while let entry = try listing.nextEntry() {
            do throws(WatchError) {
                append(entry.name, try listing.look(entry.name))
            } catch {
                if error.code != .vanished { append(entry.name, isFolder: false, 0) }
            }
        }
        sort()
    }

    /// Adds an entry; call `sort` before comparing two snapshots.
    mutating func append(_ name: [UInt8], _ stamp: FileStatus) {
        let isFolder = stamp.kind == .folder
        var hasher = Hasher()
        hasher.combine(stamp.identity)
        hasher.combine(stamp.kind)
        // A folder's own times change with its content, which is watched separately.
        if !isFolder { hasher.combine(stamp.version) }
        append(name, isFolder: isFolder, UInt64(bitPattern: Int64(hasher.finalize())))
    }

    private mutating func append(_ name: [UInt8], isFolder: Bool, _ fingerprint: UInt64) {
        entries.append(
            Entry(
                start: UInt32(names.count), length: UInt8(name.count), isFolder: isFolder,
                fingerprint: fingerprint))
        names += name
    }

    /// Sorts the entries by their bytes.
    mutating func sort() {
        let names = names
        names.withUnsafeBytes { bytes in
            entries.sort { Self.order(bytes, $0, bytes, $1) < 0 }
        }
    }

    /// Reports to `body` the differences between `old` and this look, in the order of names.
    func differences(since old: FolderSnapshot, _ body: (Difference) -> Void) {
        var (left, right) = (0, 0)
        while left < old.entries.count || right < entries.count {
            let order = Self.order(old, left, self, right)
            if order < 0 {
                body(old.difference(left, .gone))
            } else if order > 0 {
                body(difference(right, .created))
            } else {
                compare(old, left, right, body)
            }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
    }

    private func compare(
        _ old: FolderSnapshot, _ left: Int, _ right: Int, _ body: (Difference) -> Void
    ) {
        let (before, after) = (old.entries[left], entries[right])
        guard before.fingerprint != after.fingerprint else { return }
        if before.isFolder || after.isFolder {
            body(old.difference(left, .gone))
            body(difference(right, .created))
        } else {
            body(difference(right, .altered))
        }
    }

    private func difference(_ index: Int, _ change: WatchEvent.Change) -> Difference {
        let entry = entries[index]
        let name = names[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
        return Difference(name: Array(name), change: change, isDirectory: entry.isFolder)
    }

    /// Below 0 if the entry of `a` comes first; a snapshot at its end comes last.
    private static func order(
        _ a: FolderSnapshot, _ left: Int, _ b: FolderSnapshot, _ right: Int
    ) -> Int {
        guard left < a.entries.count else { return 1 }
        guard right < b.entries.count else { return -1 }
        return a.names.withUnsafeBytes { first in
            b.names.withUnsafeBytes { second in
                order(first, a.entries[left], second, b.entries[right])
            }
        }
    }

    private static func order(
        _ a: UnsafeRawBufferPointer, _ left: Entry, _ b: UnsafeRawBufferPointer, _ right: Entry
    ) -> Int {
        let common = Int(min(left.length, right.length))
        guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
        let result = memcmp(first + Int(left.start), second + Int(right.start), common)
        return result != 0 ? Int(result) : Int(left.length) - Int(right.length)
    }
}
