import Glibc
public import StickerConfiguration
import StickerSystem
import StickerValues

/// Creates the folders of a configuration and checks that they are separate.
public enum Folders {
    /// Creates missing folders, if asked to, and checks that stickerd can work with them.
    ///
    /// Written folders must not be inside watched ones, or stickerd would process its own files forever; and no drop
    /// may be inside another configured folder. Folders are compared by device and inode and by their place in the file
    /// system, so that links and bind mounts hide nothing.
    ///
    /// - Parameters:
    ///   - configuration: with absolute paths.
    ///   - makesMissing: whether to create missing folders.
    ///   - isPrivate: whether a created drop or `out` is closed to all but its user and group.
    ///   - hasPublished: whether something was published; then `out` is not created, as its disk may not be mounted
    ///     yet.
    /// - Returns: the folders that are missing because they were not created.
    /// - Throws: `FolderError`, one sentence that includes the fix.
    @discardableResult
    public static func check(
        _ configuration: Configuration, makesMissing: Bool = true, isPrivate: Bool = false,
        hasPublished: Bool = false
    ) throws(FolderError) -> [String] {
        let mode: mode_t = isPrivate ? 0o750 : 0o755
        let roles =
            configuration.dropPaths.map { Role(name: "the drop", path: $0, mode: mode) } + [
                Role(name: "the out folder", path: configuration.out, mode: mode),
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
        // stickerd works without them; later writes report errors.
        for role in others where makesMissing && (try? role.isThere()) == false {
            try? role.make()
        }
        let mounts = MountTable.current()
        let all = roles + others
        var places: [RealFolder] = []
        for role in all { places.append(try role.place(mounts)) }
        for inner in places.indices {
            for outer in places.indices where inner != outer {
                guard all[inner].isDrop || all[outer].isDrop, places[inner].isInside(places[outer])
                else { continue }
                throw FolderError(
                    """
                    \(all[inner].name) \(all[inner].path) lies inside \(all[outer].name) \
                    \(all[outer].path); give them separate folders
                    """)
            }
        }
        return missing
    }

    /// The error that the folder of the published files is missing.
    public static func away(out: String) -> FolderError {
        FolderError(
            "the out folder \(out) is away, and stickerd has published there: put it back; "
                + "or make an empty folder there, and every sticker is made again")
    }

    /// Checks that a folder is neither inside a folder of the configuration nor around one.
    ///
    /// - Parameters:
    ///   - path: the folder, which need not exist.
    ///   - configuration: with absolute paths.
    ///   - canContain: whether it may be around one.
    /// - Throws: `FolderError`.
    public static func check(
        _ path: String, isOutside configuration: Configuration, canContain: Bool = false
    ) throws(FolderError) {
        let mounts = MountTable.current()
        let own = try Role(name: "the folder", path: path, mode: 0o700).place(mounts)
        let others = configuration.dropPaths + [configuration.out, configuration.state]
        for other in others {
            let place = try Role(name: "the folder", path: other, mode: 0o700).place(mounts)
            guard own.isInside(place) || !canContain && place.isInside(own) else { continue }
            throw FolderError("\(path) and \(other) overlap; name another folder")
        }
    }
}

/// A folder and its purpose.
private struct Role {
    var name: String
    var path: String
    var mode: mode_t

    func isThere() throws(FolderError) -> Bool {
        // Discarding the error is right: a missing folder is then created, which reports errors.
        guard let status = try? FileStatus(path) else { return false }
        guard status.kind == .folder else {
            throw FolderError("\(name) \(path) is not a folder; remove it or name another")
        }
        return true
    }

    /// `out` and `state` may be inside one another; neither may be inside a drop or contain one.
    var isDrop: Bool { name == "the drop" }

    func place(_ mounts: MountTable) throws(FolderError) -> RealFolder {
        do {
            return try RealFolder(path, mounts)
        } catch {
            throw FolderError("\(name) cannot be checked: \(error)")
        }
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
