import FoundationEssentials

/// What is mounted where, out of `/proc/self/mountinfo`; see proc(5).
struct MountTable {
    /// A folder in a file system, wherever that is mounted.
    struct Spot: Hashable {
        var device: String
        var path: String

        /// Whether this folder is `outer` or lies below it.
        func isInside(_ outer: Spot) -> Bool {
            device == outer.device
                && (path == outer.path || outer.path == "/" || path.hasPrefix(outer.path + "/"))
        }
    }

    private struct Mount {
        var spot: Spot
        var point: String
    }

    private var mounts: [Mount] = []

    /// The mounts of this process; none where /proc is not there, and then inodes alone must do.
    static func current() -> MountTable {
        // Losing the error is right: hardened units may hide /proc.
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/mountinfo")) else {
            return MountTable(text: "")
        }
        return MountTable(text: String(decoding: data, as: UTF8.self))
    }

    /// Reads lines of the form `36 35 98:0 /root /point options...`.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6 else { continue }
            mounts.append(
                Mount(
                    spot: Spot(device: String(fields[2]), path: Self.unescaped(fields[3])),
                    point: Self.unescaped(fields[4])))
        }
    }

    /// The place of `path`, which is absolute and without links: of the deepest mount, and where
    /// several lie over each other, of the last.
    func spot(of path: String) -> Spot? {
        let target = Spot(device: "", path: path)
        let above = mounts.enumerated().filter {
            target.isInside(Spot(device: "", path: $0.element.point))
        }
        let deepest = above.max {
            ($0.element.point.utf8.count, $0.offset) < ($1.element.point.utf8.count, $1.offset)
        }
        guard let mount = deepest?.element else { return nil }
        let rest = mount.point == "/" ? path : String(path.dropFirst(mount.point.count))
        let inside = rest == "/" ? "" : rest
        let root = mount.spot.path == "/" ? "" : mount.spot.path
        let full = root + inside
        return Spot(device: mount.spot.device, path: full.isEmpty ? "/" : full)
    }

    /// The roots of everything that is mounted below `path`.
    func spots(below path: String) -> [Spot] {
        let outer = Spot(device: "", path: path)
        return mounts.filter {
            $0.point != path && Spot(device: "", path: $0.point).isInside(outer)
        }.map(\.spot)
    }

    /// Blanks, tabs, line ends and backslashes stand as `\040` and the like.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
