import Glibc
import StickerValues

/// The requested events of inotify(7), and how they are read. Shared by both backends built on it.
enum InotifyEvents {
    /// Without `IN_OPEN`, `IN_ACCESS` and `IN_MODIFY`: with them, a large drop would cost ten times as much.
    static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB | IN_MOVED_FROM | IN_DELETE
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_EXCL_UNLINK | IN_ONLYDIR | IN_DONT_FOLLOW)

    /// A path to the open folder `descriptor` that no rename can redirect.
    ///
    /// The last component is a dot, so that `IN_DONT_FOLLOW` does not stop at the link of procfs.
    static func path(_ descriptor: CInt) -> String {
        "/proc/self/fd/\(descriptor)/."
    }

    /// The error for a failed `inotify_add_watch(2)`.
    static func fault(_ place: FolderPlace, _ number: Int32) -> WatchError {
        guard number == ENOSPC else { return WatchError(number, "cannot watch \(place.display)") }
        return WatchError(
            .watchLimit, systemError: number,
            detail: "cannot watch \(place.display), raise fs.inotify.max_user_watches")
    }

    /// Translates one record into events, one for each folder that shares the watch. `name` holds the bytes after the
    /// header, padded with zeros; `moves` outlives the call.
    static func translate(
        mask: UInt32, cookie: UInt32, name: UnsafeRawBufferPointer, folders: [FolderID],
        moves: inout PendingMoves
    ) -> [WatchEvent] {
        if has(mask, IN_Q_OVERFLOW) { return [.overflow] }
        if has(mask, IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) {
            return folders.map(WatchEvent.folderGone)
        }
        guard var change = change(mask) else { return [] }
        let bytes = Array(name.prefix { $0 != 0 })
        guard !bytes.isEmpty else { return [] }  // the folder's own attributes
        let isDirectory = has(mask, IN_ISDIR)
        if has(mask, IN_MOVED_FROM) { moves.left(bytes, cookie) }
        if change == .movedIn, !moves.take(cookie), !isDirectory { change = .arrived }
        return folders.map {
            .entry(folder: $0, name: bytes, change: change, isDirectory: isDirectory)
        }
    }

    private static func change(_ mask: UInt32) -> WatchEvent.Change? {
        if has(mask, IN_CLOSE_WRITE) { return .closed }
        if has(mask, IN_MOVED_TO) { return .movedIn }
        if has(mask, IN_CREATE) { return .created }
        if has(mask, IN_MOVED_FROM | IN_DELETE) { return .gone }
        return has(mask, IN_ATTRIB) ? .altered : nil
    }

    /// Whether the kernel has dropped the watch by itself.
    static func endsWatch(_ mask: UInt32) -> Bool { has(mask, IN_IGNORED) }

    private static func has(_ mask: UInt32, _ bits: Int32) -> Bool {
        mask & UInt32(bitPattern: bits) != 0
    }
}

/// Moves whose first half has been read. Both halves have the same cookie and mostly follow one another,
/// but the kernel may put other events between them: inotify(7).
struct PendingMoves {
    private static let countMax = 64

    private var cookies: [UInt32] = []

    /// Notes a name that was moved away. Hidden names, or names with another extension, under which programs upload do
    /// not matter: no id belongs to them.
    mutating func left(_ name: [UInt8], _ cookie: UInt32) {
        guard FileKind.of(SourceKey(drop: "", directory: [], name: name)) != .ignored else {
            return
        }
        if cookies.count == Self.countMax { cookies.removeFirst() }
        cookies.append(cookie)
    }

    /// Whether a relevant name was moved away with this cookie.
    mutating func take(_ cookie: UInt32) -> Bool {
        guard let index = cookies.lastIndex(of: cookie) else { return false }
        cookies.remove(at: index)
        return true
    }
}
