import Glibc

/// The real place of a folder, whatever links and mounts lead there; of a missing one, the nearest existing folder
/// above it.
public struct RealFolder: Sendable {
    /// Names of missing folders, from the top.
    private let missing: [Substring]
    /// Device and inode of the folder and of every folder above it.
    private let chain: [FileIdentity]
    /// The folder's place in its file system.
    private let spot: MountTable.Spot?
    /// Places in other file systems mounted below the folder.
    private let mountedBelow: [MountTable.Spot]

    /// Finds the folder at an absolute path.
    ///
    /// - Throws: `FileError`.
    public init(_ path: String, _ mounts: MountTable) throws(FileError) {
        let names = path.split(separator: "/")
        var there = names
        while access("/" + there.joined(separator: "/"), F_OK) != 0, errno == ENOENT {
            there.removeLast()
        }
        missing = Array(names[there.count...])
        let path = "/" + there.joined(separator: "/")
        chain = try FileIdentity.chain(from: path)
        let real = SystemCall.realPath(path)
        spot = mounts.spot(of: real)
        mountedBelow = mounts.mounts(below: real).filter { $0.point != real }.map(\.spot)
    }

    /// Whether this is `outer`, or below it.
    public func isInside(_ outer: RealFolder) -> Bool {
        guard outer.missing.isEmpty else {
            return chain.first == outer.chain.first && missing.starts(with: outer.missing)
        }
        if let own = outer.chain.first, chain.contains(own) { return true }
        guard let spot else { return false }
        return ([outer.spot].compactMap { $0 } + outer.mountedBelow).contains(where: spot.isInside)
    }

    /// Whether one of two folders is inside the other. A folder that cannot be entered, because services hide it,
    /// counts as separate: this process cannot reach it.
    public static func areNested(_ path: String, _ other: String) -> Bool {
        let mounts = MountTable.current()
        guard let one = try? RealFolder(path, mounts), let two = try? RealFolder(other, mounts)
        else { return false }
        return one.isInside(two) || two.isInside(one)
    }
}

extension FileIdentity {
    /// The identities of the folder at `path` and all folders above it, ending with the root.
    fileprivate static func chain(from path: String) throws(FileError) -> [FileIdentity] {
        var folder = try Descriptor(folder: path)
        var chain = [try FileStatus(folder, path: path).identity]
        while true {
            folder = try folder.parent(path)
            let parent = try FileStatus(folder, path: path).identity
            if parent == chain.last { return chain }
            chain.append(parent)
        }
    }
}
