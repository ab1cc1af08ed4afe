import Glibc
public import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// The folder that an operator names with `--to`: its errors include the remedy.
public enum NamedFolder {
    /// Creates the folder if it is missing. If root does, it belongs to the owner of the library.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - configuration: of the library.
    /// - Throws: `PackError`.
    public static func make(
        _ folder: String, besides configuration: Configuration
    ) throws(PackError) {
        try check(folder, besides: configuration)
        do {
            try StateFolder.make(folder, mode: 0o755, forOwnerOf: [configuration.state])
        } catch {
            throw PackError(
                "not-made", folder, "the folder cannot be made: \(SystemCall.message(error.errno))",
                remedy: "make it for \(SystemCall.userName), or name another with --to")
        }
    }

    /// Checks that nothing is in the way of the folder, and that it is not part of the library.
    ///
    /// - Parameters:
    ///   - folder: its path, which need not exist.
    ///   - configuration: of the library.
    ///   - canContain: whether it may contain folders of the library.
    /// - Throws: `PackError`.
    public static func check(
        _ folder: String, besides configuration: Configuration, canContain: Bool = false
    ) throws(PackError) {
        if let obstacle = obstacle(folder) {
            throw PackError(
                "not-a-folder", obstacle, "something other than a folder is in the way",
                remedy: "remove it, or name another folder with --to")
        }
        do {
            try Folders.check(folder, isOutside: configuration, canContain: canContain)
        } catch {
            throw PackError("bad-place", folder, "\(error)", remedy: nil)
        }
    }

    /// Checks that this process may write into the folder.
    ///
    /// - Throws: `PackError`.
    public static func checkIsWritable(_ folder: String) throws(PackError) {
        guard access(folder, R_OK | W_OK | X_OK) != 0 else { return }
        let error = errno
        guard error != ENOENT else {
            throw PackError(
                "no-folder", folder, "there is no such folder",
                remedy: "make it, or name another with --to")
        }
        let (reason, user) = (SystemCall.message(error), SystemCall.userName)
        throw PackError(
            "not-writable", folder, "\(user) cannot write there: \(reason)",
            remedy: "give the folder to \(user), or name another with --to")
    }

    /// A file, or a dangling link, in the place of the folder or above it.
    private static func obstacle(_ folder: String) -> String? {
        var path = folder
        while path != "/", path != "." {
            if let status = try? FileStatus(path) { return status.kind == .folder ? nil : path }
            // Creating the folder reports inaccessible paths.
            if (try? FileStatus(link: path)) != nil { return path }
            path = SystemCall.parentFolder(of: path)
        }
        return nil
    }
}
