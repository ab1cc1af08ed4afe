import Glibc

/// Tells whether any mount changed since it was last asked.
///
/// The kernel says so through `POLLPRI` on `/proc/self/mountinfo`, proc(5), which a Dispatch source
/// does not look at; asking takes one poll(2) that does not wait.
final class MountAlarm {
    private let file: CInt

    init() {
        file = Errno.retrying { open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
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
}
