import Glibc

/// The mounts at or below the drop folders, as text that changes when they do.
///
/// Mounting over a folder and unmounting lazily give no event, so this is compared whenever any
/// mount of the host changed. Source: `/proc/self/mountinfo`, proc(5).
struct MountTable: Hashable, Sendable {
    private let lines: [String]

    /// Reads the table; mounts elsewhere are left out, for busy hosts mount all the time.
    ///
    /// - Parameter folders: real paths, without links.
    init(below folders: [String]) {
        lines = Self.read().split(separator: "\n").map(String.init).filter { line in
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count > 4 else { return false }
            return folders.contains { Self.isBelow(String(fields[4]), $0) }
        }
    }

    /// The path of `folder` without links; the path itself where it leads nowhere.
    static func realPath(_ folder: String) -> String {
        guard let resolved = realpath(folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Mounts *above* a drop matter too, but change what its path leads to, which is checked anyway.
    private static func isBelow(_ mount: String, _ folder: String) -> Bool {
        let escaped = escape(folder)
        return mount == escaped || mount.hasPrefix(escaped + "/")
    }

    /// The kernel writes blanks, tabs, newlines and backslashes in octal.
    private static func escape(_ path: String) -> String {
        var text = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            case " ": text += "\\040"
            case "\t": text += "\\011"
            case "\n": text += "\\012"
            case "\\": text += "\\134"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func read() -> String {
        let file = Errno.retrying { open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        return withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            while true {
                let count = Errno.retrying { Glibc.read(file, buffer.baseAddress, buffer.count) }
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += buffer[..<count]
            }
        }
    }
}
