import Glibc
public import StickerModel
import StickerSystem

/// The folders of a configuration: created if they are missing, and proven to be separate.
public enum Folders {
    /// Creates missing folders, unless told not to, and checks that stickerd can work with them.
    ///
    /// What stickerd writes must not be inside what it watches, or it would process its own files forever;
    /// and no drop may be inside another configured folder. Folders are compared by device and inode, and
    /// by their place in the file system, so neither links nor bind mounts hide anything.
    ///
    /// - Parameters:
    ///   - configuration: with absolute paths.
    ///   - makesMissing: whether to create missing folders.
    ///   - hasPublished: whether something was published; `out` is not made anew then, as it may be on a disk that is not
    ///     mounted yet.
    /// - Returns: the folders that are missing, because they were not made.
    /// - Throws: `FolderError`, one sentence that includes the fix.
    @discardableResult
    public static func check(
        _ configuration: Configuration, makesMissing: Bool = true, hasPublished: Bool = false
    ) throws(FolderError) -> [String] {
        let roles =
            configuration.dropPaths.map { Role(name: "the drop", path: $0, mode: 0o755) } + [
                Role(name: "the out folder", path: configuration.out, mode: 0o755),
                Role(name: "the state folder", path: configuration.state, mode: 0o700),
            ]
        var missing: [String] = []
        for role in roles where !(try role.isThere()) {
            if hasPublished, role.path == configuration.out { throw away(out: role.path) }
            if makesMissing { try role.make() } else { missing.append(role.path) }
        }
        for role in roles where !missing.contains(role.path) {
            try role.checkAccess(isWritten: role.name != "the drop")
        }
        let others =
            [Role(name: "the run folder", path: configuration.run, mode: 0o755)]
            + (configuration.problemsFolder.map {
                [Role(name: "the problems folder", path: $0, mode: 0o755)]
            } ?? [])
        // Work goes on without them; whoever writes there says what is wrong.
        for role in others where makesMissing && (try? role.isThere()) == false {
            try? role.make()
        }
        let mounts = MountTable.current()
        var places: [Place] = []
        for role in roles + others { places.append(try Place(role, mounts)) }
        for inner in places.indices {
            for outer in places.indices where inner != outer {
                try check(places[inner], outside: places[outer])
            }
        }
        return missing
    }

    /// Checks that what users upload lies where nothing is published to all.
    ///
    /// Folders that are hidden from this process, as the services hide them from one another, are passed over: nothing
    /// that it does can reach them.
    ///
    /// - Throws: `FolderError`.
    public static func checkPersonal(_ configuration: Configuration) throws(FolderError) {
        guard let drop = configuration.personal.drop else { return }
        let others = configuration.ownFolders.filter { !isHidden($0) }
        for folder in [drop, configuration.personal.private] where !isHidden(folder) {
            try check(folder, isOutside: others)
        }
    }

    private static func isHidden(_ folder: String) -> Bool {
        access(folder, R_OK | X_OK) != 0 && errno == EACCES
    }

    /// Why nothing begins without the folder in which something was published.
    public static func away(out: String) -> FolderError {
        FolderError(
            "the out folder \(out) is away, and stickerd has published there: put it back; "
                + "or make an empty folder there, and every sticker is made anew")
    }

    /// Checks that a folder lies neither in a folder of the configuration nor around one.
    ///
    /// - Parameters:
    ///   - path: the folder, which need not exist.
    ///   - configuration: with absolute paths.
    ///   - canContain: whether it may lie around one.
    /// - Throws: `FolderError`.
    public static func check(
        _ path: String, isOutside configuration: Configuration, canContain: Bool = false
    ) throws(FolderError) {
        try check(path, isOutside: configuration.ownFolders, canContain: canContain)
    }

    private static func check(
        _ path: String, isOutside others: [String], canContain: Bool = false
    ) throws(FolderError) {
        let mounts = MountTable.current()
        let own = try Place(Role(name: "the folder", path: path, mode: 0o700), mounts)
        for other in others {
            let place = try Place(Role(name: "the folder", path: other, mode: 0o700), mounts)
            guard own.isInside(place) || !canContain && place.isInside(own) else { continue }
            throw FolderError("\(path) and \(other) lie in one another; name another folder")
        }
    }

    /// `out` and `state` may be inside one another; neither may be inside a drop or contain one.
    private static func check(_ inner: Place, outside outer: Place) throws(FolderError) {
        guard inner.role.name == "the drop" || outer.role.name == "the drop",
            inner.isInside(outer)
        else { return }
        throw FolderError(
            """
            \(inner.role.name) \(inner.role.path) lies inside \(outer.role.name) \
            \(outer.role.path); give them folders that are apart
            """)
    }
}

extension Configuration {
    /// What artists fill, what is published, and the database.
    fileprivate var ownFolders: [String] { dropPaths + [out, state] }
}

/// A folder and what it is for.
private struct Role {
    var name: String
    var path: String
    var mode: mode_t

    func isThere() throws(FolderError) -> Bool {
        // Discarding the error is right: a missing folder is then created, which reports what is wrong.
        guard let status = try? FileStatus(path) else { return false }
        guard status.kind == .folder else {
            throw FolderError("\(name) \(path) is not a folder; remove it or name another")
        }
        return true
    }

    func make() throws(FolderError) {
        do {
            try SystemCall.makeFolders(path, mode: mode)
        } catch {
            throw FolderError("\(name) \(path) cannot be made: \(error)")
        }
    }

    /// access(2) does not detect full or failing disks, only modes and read-only mounts.
    func checkAccess(isWritten: Bool) throws(FolderError) {
        let wanted = isWritten ? R_OK | W_OK | X_OK : R_OK | X_OK
        guard access(path, wanted) != 0 else { return }
        let error = errno
        let reason = SystemCall.message(error)
        let fix =
            error == EROFS ? "mount it read-write" : "give it to the user that runs stickerd"
        throw FolderError(
            "\(name) \(path) cannot be \(isWritten ? "written" : "read") by \(SystemCall.userName): "
                + "\(reason); \(fix)")
    }
}

/// Where a folder really is; for a missing one, the nearest existing folder above it.
private struct Place {
    let role: Role
    /// Names of missing folders, from the top.
    private let missing: [Substring]
    /// Device and inode of the folder and of every folder above it.
    private let chain: [FileIdentity]
    /// The folder's place in the file system it belongs to.
    private let spot: MountTable.Spot?
    /// Places in other file systems that can be reached below the folder.
    private let mountedBelow: [MountTable.Spot]

    init(_ role: Role, _ mounts: MountTable) throws(FolderError) {
        self.role = role
        let names = role.path.split(separator: "/")
        var there = names
        while access("/" + there.joined(separator: "/"), F_OK) != 0, errno == ENOENT {
            there.removeLast()
        }
        missing = Array(names[there.count...])
        let path = "/" + there.joined(separator: "/")
        do {
            chain = try FileIdentity.chain(from: path)
        } catch {
            throw FolderError("\(role.name) cannot be looked at: \(error)")
        }
        let real = SystemCall.realPath(path)
        spot = mounts.spot(of: real)
        mountedBelow = mounts.mounts(below: real).filter { $0.point != real }.map(\.spot)
    }

    func isInside(_ outer: Place) -> Bool {
        guard outer.missing.isEmpty else {
            return chain.first == outer.chain.first && missing.starts(with: outer.missing)
        }
        if let own = outer.chain.first, chain.contains(own) { return true }
        guard let spot else { return false }
        return ([outer.spot].compactMap { $0 } + outer.mountedBelow).contains(where: spot.isInside)
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
