import Glibc
import StickerSystem

/// Who may lead stickerd where: the state folder belongs to the daemon's user, and root works on it, too.
public enum StateFolder {
    /// Makes this process, where root started it, one of the owner of the state folder, for good: what it
    /// opens and makes from then on is what that user may open and make. A folder that root owns, or that
    /// is not there, changes nothing.
    ///
    /// To be called before the database is opened and before there is a second thread.
    ///
    /// - Throws: `FolderError` where the folder is a link of somebody else, or the system refuses.
    public static func becomeOwner(of state: String) throws(FolderError) {
        try checkLink(state)
        // A folder that cannot be looked at is told of by whoever opens it.
        guard geteuid() == 0, let folder = try? FileStatus(state), folder.owner != 0 else { return }
        let group = group(of: folder)
        guard setgroups(1, [group]) == 0, setgid(group) == 0, setuid(folder.owner) == 0 else {
            throw FolderError(
                "cannot become the owner of the state folder \(state), user \(folder.owner): "
                    + "\(SystemCall.message(errno))")
        }
    }

    /// The group that the owner has by right; the folder's own may be root's.
    private static func group(of folder: FileStatus) -> gid_t {
        if let entry = getpwuid(folder.owner) { return entry.pointee.pw_gid }
        return folder.group != 0 ? folder.group : folder.owner
    }

    /// The folder may be reached over a link that root or this user made, and over no other.
    static func checkLink(_ state: String) throws(FolderError) {
        // One that is not there is no link.
        guard let link = try? FileStatus(link: state), link.kind == .link,
            link.owner != 0, link.owner != geteuid()
        else { return }
        throw FolderError(
            "the state folder \(state) is a symbolic link of user \(link.owner); "
                + "name the folder itself")
    }
}
