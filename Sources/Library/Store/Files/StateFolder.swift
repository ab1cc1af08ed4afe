import Glibc
public import StickerSystem

/// Protects against redirection: the state folder belongs to the daemon's user, and root works on it, too.
public enum StateFolder {
    /// If this process was started by root, makes it permanently a process of the owner of the state folder: from then
    /// on it can open and create only what that user can. Does nothing if the folder is owned by root or does not
    /// exist.
    ///
    /// Call it before the database is opened and before a second thread starts.
    ///
    /// - Throws: `FolderError` if the folder is a link of another user, or the system refuses.
    public static func becomeOwner(of state: String) throws(FolderError) {
        try checkLink(state)
        // If the folder cannot be examined, opening it reports the error.
        guard geteuid() == 0, let folder = try? FileStatus(state), folder.owner != 0 else { return }
        let group = group(of: folder)
        guard setgroups(1, [group]) == 0, setgid(group) == 0, setuid(folder.owner) == 0 else {
            throw FolderError(
                "cannot become the owner of the state folder \(state), user \(folder.owner): "
                    + "\(SystemCall.message(errno))")
        }
    }

    /// Creates a folder unless it exists. If root does, it belongs to the owner of the first of `models` that is not
    /// root's, and to that user alone unless `mode` says otherwise.
    ///
    /// - Throws: `FileError`.
    public static func make(
        _ folder: String, mode: UInt32 = 0o700, forOwnerOf models: [String]
    ) throws(FileError) {
        guard access(folder, F_OK) != 0 else { return }
        try SystemCall.makeFolders(folder, mode: mode)
        // Without a model it is root's, like everything that root's daemon creates.
        let model = models.lazy.compactMap { try? FileStatus($0) }.first { $0.owner != 0 }
        guard geteuid() == 0, let model else { return }
        try SystemCall.run("lchown", folder) { lchown(folder, model.owner, group(of: model)) }
    }

    /// Runs `body` with only the rights of the owner of the state folder, then restores the former ones.
    ///
    /// - Throws: the errors of `body`; `FolderError` if the folder is a link of another user, or the system refuses.
    public static func asOwner<Result>(
        of state: String, _ body: () throws -> Result
    ) throws -> Result {
        try checkLink(state)
        guard geteuid() == 0, let folder = try? FileStatus(state), folder.owner != 0
        else { return try body() }
        let former = (user: geteuid(), group: getegid())
        let group = group(of: folder)
        guard setgroups(1, [group]) == 0, setegid(group) == 0, seteuid(folder.owner) == 0 else {
            throw FolderError(
                "cannot become the owner of \(state), user \(folder.owner): "
                    + SystemCall.message(errno))
        }
        defer {
            guard seteuid(former.user) == 0, setegid(former.group) == 0 else {
                preconditionFailure("whoever gave up rights for a while may have them again")
            }
        }
        return try body()
    }

    /// The owner's primary group; the folder's own group may be root's.
    private static func group(of folder: FileStatus) -> gid_t {
        if let entry = getpwuid(folder.owner) { return entry.pointee.pw_gid }
        return folder.group != 0 ? folder.group : folder.owner
    }

    /// The folder may be reached through a link created by root or by this user, but not by others.
    static func checkLink(_ state: String) throws(FolderError) {
        // A folder that does not exist is not a link.
        guard let link = try? FileStatus(link: state), link.kind == .link,
            link.owner != 0, link.owner != geteuid()
        else { return }
        throw FolderError(
            "the state folder \(state) is a symbolic link of user \(link.owner); "
                + "name the folder itself")
    }
}
