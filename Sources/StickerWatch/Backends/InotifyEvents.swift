import Glibc

/// What is asked of inotify(7), and how its answers read. Shared by both backends built on it.
enum InotifyEvents {
    /// No `IN_OPEN`, `IN_ACCESS` or `IN_MODIFY`: with them a large drop costs ten times as much.
    static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB | IN_MOVED_FROM | IN_DELETE
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_EXCL_UNLINK | IN_ONLYDIR | IN_DONT_FOLLOW)

    /// A path of the open folder `descriptor` that no rename can bend.
    ///
    /// The last component is a dot, so that `IN_DONT_FOLLOW` does not stop at the link of procfs.
    static func path(_ descriptor: CInt) -> String {
        "/proc/self/fd/\(descriptor)/."
    }

    /// Says why `inotify_add_watch(2)` failed.
    static func fault(_ place: FolderPlace, _ number: Int32) -> WatchError {
        guard number == ENOSPC else { return Errno.fault("cannot watch \(place.display)", number) }
        return WatchError(
            .watchLimit, systemError: number,
            detail: "cannot watch \(place.display), raise fs.inotify.max_user_watches")
    }

    /// Reads one record as events, one for each folder that shares the watch. `name` are the bytes
    /// behind the header, padded with zeros.
    static func translate(
        mask: UInt32, name: UnsafeRawBufferPointer, folders: [FolderID]
    ) -> [WatchEvent] {
        if has(mask, IN_Q_OVERFLOW) { return [.overflow] }
        if has(mask, IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) {
            return folders.map(WatchEvent.folderGone)
        }
        guard let change = change(mask) else { return [] }
        let bytes = Array(name.prefix { $0 != 0 })
        guard !bytes.isEmpty else { return [] }  // the folder's own attributes
        return folders.map {
            .entry(
                folder: $0, name: bytes, change: change, isDirectory: has(mask, IN_ISDIR))
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
