import Glibc
import StickerSystem

/// The metrics of a daemon on this machine: `run/metrics.prom`.
struct DaemonFigures: Sendable {
    /// The allowed age. The daemon writes twelve times as often. A file from the future was written before a clock was
    /// set back.
    private static let seconds = -5...60
    private static let bytesMax = 4 << 20

    /// The file.
    let path: String

    /// The lines of the file; `nil` if there is none, or if it is outdated: old figures would look as if all were well.
    ///
    /// - Parameter now: the time, in seconds since 1970.
    /// - Returns: whole lines.
    func lines(now: Int = time(nil)) -> [UInt8]? {
        // Without a readable file there are no figures; a library may be served without a daemon.
        guard let file = try? Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? FileStatus(file, path: path), status.kind == .regular,
            status.size <= Self.bytesMax, Self.isNew(status, now),
            let bytes = try? file.readToEnd(path: path),
            bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return bytes
    }

    /// Whether a daemon is still writing the file.
    var isWritten: Bool {
        (try? FileStatus(link: path)).map { Self.isNew($0, time(nil)) } ?? false
    }

    private static func isNew(_ status: FileStatus, _ now: Int) -> Bool {
        seconds ~= now - status.mtimeSeconds
    }
}
