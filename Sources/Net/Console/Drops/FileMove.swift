import Foundation
import Glibc
import StickerHTTP
import StickerStore
import StickerSystem
import StickerValues

/// A picture with its side file, renamed or moved within a drop. Nothing that has the new name is replaced, and no link
/// is followed.
struct FileMove: Hashable, Sendable {
    let from: SourceKey
    let to: SourceKey

    /// The same, back.
    var reversed: FileMove { FileMove(from: to, to: from) }

    /// Moves both files, or neither.
    ///
    /// - Throws: `WebError`.
    func carryOut() throws {
        guard from.drop == to.drop else {
            throw WebError(
                status: 409, message: "\(to.display) would be in another drop, \(to.drop)",
                remedy: "move the file there yourself")
        }
        do throws(FileError) {
            let source = try Self.folder(of: from)
            let isHere = from.directory == to.directory
            let target = isHere ? source : try Self.folder(of: to, makes: true)
            // Programs that edit the side files wait.
            let locks = (try Self.lock(source), isHere ? nil : try Self.lock(target))
            defer { withExtendedLifetime((source, target, locks)) {} }
            let pictures = ("\(source.path)/\(from.fileName)", "\(target.path)/\(to.fileName)")
            let words = (pictures.0 + SideFile.stickerSuffix, pictures.1 + SideFile.stickerSuffix)
            // The words first: the sticker never has a name without them.
            let hasWords = access(words.0, F_OK) == 0
            if hasWords { try Self.move(words) }
            do throws(FileError) {
                try Self.move(pictures)
            } catch {
                if hasWords { try? Self.move((words.1, words.0)) }
                throw error
            }
            for folder in Set([source.path, target.path]) { try SystemCall.syncFolder(folder) }
        } catch {
            throw refusal(error)
        }
    }

    /// Shares that know no locks are changed without.
    private static func lock(_ folder: FixedFolder) throws(FileError) -> FolderLock? {
        do throws(FileError) {
            return try FolderLock(folder.path, patience: .seconds(5))
        } catch {
            guard error.errno != EWOULDBLOCK else { throw error }
            return nil
        }
    }

    /// Gives the picture its new name too, and leaves the earlier one to whatever takes its place.
    ///
    /// - Throws: `FileError`, for example where a file can have one name alone.
    func keep() throws(FileError) {
        let (source, target) = (try Self.folder(of: from), try Self.folder(of: to, makes: true))
        let path = "\(target.path)/\(to.fileName)"
        try SystemCall.run("link", path) { link("\(source.path)/\(from.fileName)", path) }
        try SystemCall.syncFolder(target.path)
    }

    private static func move(_ paths: (from: String, to: String)) throws(FileError) {
        try SystemCall.move(paths.from, toFree: paths.to) {
            // link(2) never replaces a file either.
            link(paths.from, paths.to) == 0 ? unlink(paths.from) : -1
        }
    }

    private static func folder(
        of key: SourceKey, makes: Bool = false
    ) throws(FileError) -> FixedFolder {
        do throws(FileError) {
            return try FixedFolder(key.directory, below: key.drop)
        } catch {
            guard makes, error.errno == ENOENT else { throw error }
        }
        var folder = try FixedFolder([], below: key.drop)
        var rights = stat()
        try SystemCall.run("stat", key.drop) { stat(folder.path, &rights) }
        var directory: [UInt8] = []
        for part in key.directory.split(separator: UInt8(ascii: "/")) {
            let path = "\(folder.path)/\(FileName.display(Array(part)))"
            if mkdir(path, rights.st_mode & 0o777) != 0, errno != EEXIST {
                throw FileError(call: "mkdir", path: path, errno: errno)
            }
            directory += (directory.isEmpty ? [] : [UInt8(ascii: "/")]) + part
            folder = try FixedFolder(directory, below: key.drop)
        }
        return folder
    }

    private func refusal(_ error: FileError) -> WebError {
        switch error.errno {
        case EEXIST:
            return WebError(
                status: 409, message: "\(to.display) is there already",
                remedy: "choose another name; nothing was changed")
        case ENOENT:
            return WebError(
                status: 409, message: "\(from.display) is gone",
                remedy: "load the page again; nothing was changed")
        default:
            let text = SystemCall.message(error.errno)
            return error.kind == .readOnly
                ? WebError(
                    status: 403,
                    message: "the console may not change the folder of \(from.display): \(text)",
                    remedy: "let the user of the console write there, see stickerd-console(8)")
                : WebError(
                    status: 503, message: "\(from.display) cannot be moved: \(text)",
                    remedy: "try again; nothing was changed")
        }
    }
}

extension SourceKey {
    /// Its path below the folder of its category, as lists of an order have it.
    var listed: String {
        FileName.display(Array(relativePath.dropFirst(categoryFolder.map { $0.count + 1 } ?? 0)))
    }

    /// Its own name, for the kernel. Only names that are text are moved.
    fileprivate var fileName: String { FileName.display(name) }
}
