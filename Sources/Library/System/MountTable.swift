import Glibc

/// The mounts in the text of `/proc/self/mountinfo`; see proc(5).
public struct MountTable: Sendable {
    /// The file in which Linux provides it.
    public static let path = "/proc/self/mountinfo"

    /// A folder in a file system, wherever that is mounted.
    public struct Spot: Hashable, Sendable {
        /// The number of the file system, for example `8:1`.
        public var device: String
        /// The folder's path in it.
        public var path: String

        /// Whether this folder is `outer` or is below it.
        public func isInside(_ outer: Spot) -> Bool {
            device == outer.device
                && (path == outer.path || outer.path == "/" || path.hasPrefix(outer.path + "/"))
        }
    }

    /// One mount.
    public struct Mount: Hashable, Sendable {
        /// Its number, different for every mount.
        public var id: String
        /// The folder that is mounted.
        public var spot: Spot
        /// Its mount point.
        public var point: String
        /// The kind of file system, for example `ext4`.
        public var kind: String
        /// Whether this mount is read-only.
        public var isReadOnly: Bool
    }

    private var mounts: [Mount] = []

    /// Reads lines of the form `36 35 98:0 /root /point options...`.
    public init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6 else { continue }
            let options = fields[5].prefix { $0 != " " }.split(separator: ",")
            // Optional fields, in any number, end at a dash.
            let kind = fields[5].firstRange(of: " - ").map { fields[5][$0.upperBound...] } ?? ""
            mounts.append(
                Mount(
                    id: String(fields[0]),
                    spot: Spot(device: String(fields[2]), path: Self.unescaped(fields[3])),
                    point: Self.unescaped(fields[4]),
                    kind: String(kind.prefix { $0 != " " }), isReadOnly: options.contains("ro")))
        }
    }

    /// The mounts of this process; none without /proc.
    public static func current() -> MountTable {
        // Dropping the error is right: hardened units may hide /proc.
        let text = try? Descriptor(path, O_RDONLY).readToEnd(path: path)
        return MountTable(text: String(decoding: text ?? [], as: UTF8.self))
    }

    /// The mount that holds `path`, an absolute path without links: the deepest one and, if several are stacked, the
    /// last one.
    public func mount(of path: String) -> Mount? {
        let target = Spot(device: "", path: path)
        let above = mounts.enumerated().filter {
            target.isInside(Spot(device: "", path: $0.element.point))
        }
        let deepest = above.max {
            ($0.element.point.utf8.count, $0.offset) < ($1.element.point.utf8.count, $1.offset)
        }
        return deepest?.element
    }

    /// The spot of `path`, an absolute path without links, in its mount.
    public func spot(of path: String) -> Spot? {
        guard let mount = mount(of: path) else { return nil }
        let rest = mount.point == "/" ? path : String(path.dropFirst(mount.point.count))
        let inside = rest == "/" ? "" : rest
        let root = mount.spot.path == "/" ? "" : mount.spot.path
        let full = root + inside
        return Spot(device: mount.spot.device, path: full.isEmpty ? "/" : full)
    }

    /// All mounts at `path` or below it.
    public func mounts(below path: String) -> [Mount] {
        let outer = Spot(device: "", path: path)
        return mounts.filter { Spot(device: "", path: $0.point).isInside(outer) }
    }

    /// Blanks, tabs, line ends and backslashes are escaped like `\040`.
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
