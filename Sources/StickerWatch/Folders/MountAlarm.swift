import Glibc
import StickerModel

/// Tells whether any mount changed since it was last asked, and what is mounted.
///
/// Mounting over a folder and unmounting lazily give no event. The kernel says so through `POLLPRI` on
/// `/proc/self/mountinfo`, proc(5), which a Dispatch source does not look at; asking takes one poll(2)
/// that does not wait.
final class MountAlarm {
    private let file: CInt

    init() {
        file = Errno.retrying { open(MountTable.path, O_RDONLY | O_CLOEXEC) }
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Whether mounts came or went; always `true` where there is no procfs to ask.
    func hasRung() -> Bool {
        guard file >= 0 else { return true }
        var entry = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
        let count = Errno.retrying { poll(&entry, 1, 0) }
        return count != 0 && entry.revents & Int16(POLLPRI | POLLERR) != 0
    }

    /// The mounts at or below these folders; those elsewhere are left out, for busy hosts mount all the
    /// time. Mounts *above* a folder change what its path leads to, which is checked anyway.
    func mounts(below folders: [String]) -> Set<MountTable.Mount> {
        let table = MountTable(text: text())
        return Set(folders.flatMap { table.mounts(below: Self.realPath($0)) })
    }

    /// The path of `folder` without links; the path itself where it leads nowhere.
    private static func realPath(_ folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private func text() -> String {
        guard file >= 0, lseek(file, 0, SEEK_SET) == 0 else { return "" }
        var bytes: [UInt8] = []
        return withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            while true {
                let count = Errno.retrying { read(file, buffer.baseAddress, buffer.count) }
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += buffer[..<count]
            }
        }
    }
}
