import Glibc
import StickerSystem

/// Reports whether any mount changed since the last call, and lists the mounts.
///
/// Mounting over a folder and unmounting lazily cause no event. The kernel reports them through `POLLPRI` on
/// `/proc/self/mountinfo`, proc(5), which a Dispatch source does not support; a check takes one poll(2) that does not
/// wait.
final class MountAlarm {
    private let file: Descriptor

    init() {
        file = Descriptor(
            adopting: SystemCall.retrying { open(MountTable.path, O_RDONLY | O_CLOEXEC) })
    }

    /// Whether mounts appeared or disappeared; always `true` if there is no procfs.
    func hasRung() -> Bool {
        guard file.raw >= 0 else { return true }
        var entry = pollfd(fd: file.raw, events: Int16(POLLPRI), revents: 0)
        let count = SystemCall.retrying { poll(&entry, 1, 0) }
        return count != 0 && entry.revents & Int16(POLLPRI | POLLERR) != 0
    }

    /// The mounts at or below these folders; others are left out, because busy hosts mount all the time. Mounts *above*
    /// a folder change where its path leads, which is checked anyway.
    func mounts(below folders: [String]) -> Set<MountTable.Mount> {
        let table = MountTable(text: text())
        return Set(folders.flatMap { table.mounts(below: SystemCall.realPath($0)) })
    }

    private func text() -> String {
        guard file.raw >= 0, lseek(file.raw, 0, SEEK_SET) == 0 else { return "" }
        // Without procfs, folders are compared by their identity alone.
        let bytes = (try? file.readToEnd(path: MountTable.path)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }
}
