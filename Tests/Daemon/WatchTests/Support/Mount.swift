import Glibc
import Testing

/// A small file system in memory over a folder of the test's own, until `detach`.
final class Mount {
    private let path: String
    private var isMounted = true

    /// Whether this process may mount.
    static let isPossible: Bool = {
        guard let folder = try? TestFolder() else { return false }  // then no test can run anyway
        guard let mount = try? Mount(folder.path) else { return false }  // no right: tests skip
        mount.detach()
        return true
    }()

    init(_ path: String) throws {
        self.path = path
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0)
    }

    deinit {
        detach()
    }

    /// Takes it away at once, though somebody may still use it.
    func detach() {
        guard isMounted else { return }
        isMounted = umount2(path, CInt(MNT_DETACH)) != 0
    }
}
