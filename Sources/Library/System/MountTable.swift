import Glibc

/// What is mounted where, from the text of `/proc/self/mountinfo`; see proc(5).
public struct MountTable: Sendable {
    /// Where Linux provides it.
    public static let path = "/proc/self/mountinfo"

    /// A folder in a file system, wherever that is mounted.
    public struct Spot: Hashable, Sendable {
        /// The number of the file system, `8:1` for example.
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
        /// The path at which it can be reached.
        public var point: String
        /// The kind of file system, `ext4` for example.
        public var kind: String
        /// Whether nothing can be written there by this way.
        public var isReadOnly: Bool
    }

    private var mounts: [Mount] = []

    /// Reads lines of the form `36 35 98:0 /root /point options...`.
    public init(text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6 else { continue }
            let options = fields[5].prefix { $0 != " " }.split(separator: ",")
            // Fields of their own, in any number, end at a dash.
            let kind = fields[5].firstRange(of: " - ").map { fields[5][$0.upperBound...] } ?? ""
            mounts.append(
                Mount(
                    id: String(fields[0]),
                    spot: Spot(device: String(fields[2]), path: Self.unescaped(fields[3])),
                    point: Self.unescaped(fields[4]),
                    kind: String(kind.prefix { $0 != " " }), isReadOnly: options.contains("ro")))
        }
    }

    /// The mounts of this process; none if there is no /proc.
    public static func current() -> MountTable {
        // Dropping the error is right: hardened units may hide /proc.
        let text = try? Descriptor(path, O_RDONLY).readToEnd(path: path)
        return MountTable(text: String(decoding: text ?? [], as: UTF8.self))
    }

    /// The mount in which `path` is, which is absolute and without links: the deepest one and, if several are stacked, the
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

    /// The spot of `path`, which is absolute and without links: in the mount that `mount(of:)` gives.
    public func spot(of path: String) -> Spot? {
        guard let mount = mount(of: path) else { return nil }
        let rest = mount.point == "/" ? path : String(path.dropFirst(mount.point.count))
        let inside = rest == "/" ? "" : rest
        let root = mount.spot.path == "/" ? "" : mount.spot.path
        let full = root + inside
        return Spot(device: mount.spot.device, path: full.isEmpty ? "/" : full)
    }

    /// Everything that is mounted at `path` or below it.
    public func mounts(below path: String) -> [Mount] {
        let outer = Spot(device: "", path: path)
        return mounts.filter { Spot(device: "", path: $0.point).isInside(outer) }
    }

    /// Blanks, tabs, line ends and backslashes are written as `\040` and the like.
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
