import CLinux
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
    /// The picture that is meant; `nil` for any.
    var version: FileVersion?
    /// Whether a picture that is in the way changes places with it: words beside it are those of both.
    var exchanges = false

    /// Whether another picture has the name.
    var isTaken: Bool {
        guard let folder = try? Self.folder(of: to) else { return false }
        return (try? FileStatus(link: "\(folder.path)/\(to.fileName)")) != nil
    }

    /// Moves both files, or neither.
    ///
    /// - Returns: the way back, for this picture alone.
    /// - Throws: `WebError`.
    @discardableResult
    func carryOut() throws -> FileMove {
        guard from.drop == to.drop else { throw otherDrop }
        if exchanges { return try exchange() }
        var moved: FileVersion?
        do throws(FileError) {
            let source = try Self.folder(of: from)
            let isHere = from.directory == to.directory
            let target = isHere ? source : try Self.folder(of: to, makes: true)
            // Programs that edit the side files wait.
            let locks = (try Self.lock(source), isHere ? nil : try Self.lock(target))
            defer { withExtendedLifetime((source, target, locks)) {} }
            let pictures = ("\(source.path)/\(from.fileName)", "\(target.path)/\(to.fileName)")
            let words = (pictures.0 + SideFile.stickerSuffix, pictures.1 + SideFile.stickerSuffix)
            if let version, !(try FileStatus(link: pictures.0).version.isOfSameContent(version)) {
                throw FileError(call: "rename", path: from.display, errno: ESTALE)
            }
            // The words of another picture would become those of this one.
            guard access(words.1, F_OK) != 0 else {
                throw FileError(call: "rename", path: SideFile.beside(to).display, errno: EEXIST)
            }
            // The words first: the sticker never has a name without them.
            let hasWords = access(words.0, F_OK) == 0
            if hasWords { try Self.move(words, shown: SideFile.beside(to)) }
            do throws(FileError) {
                try Self.move(pictures, shown: to)
            } catch {
                if hasWords { try? Self.move((words.1, words.0), shown: from) }
                throw error
            }
            moved = try? FileStatus(link: pictures.1).version
            // Both are moved, whether their names are on the disk already or not.
            for folder in Set([source.path, target.path]) { try? SystemCall.syncFolder(folder) }
        } catch {
            throw refusal(error)
        }
        RemovedFiles.removeEmpty(around: from)
        // One that is removed again is kept as long as any.
        let origin = RemovedFiles.origin(of: from) == nil ? nil : RemovedFiles.removal(of: to)
        return FileMove(from: to, to: origin?.to ?? from, version: moved)
    }

    /// Puts a removed picture in the place of the present one, which is removed instead.
    private func exchange() throws -> FileMove {
        let kept = RemovedFiles.removal(of: to)
        do throws(FileError) {
            let (source, target) = (try Self.folder(of: from), try Self.folder(of: to))
            let lock = try Self.lock(target)
            defer { withExtendedLifetime((source, target, lock)) {} }
            let paths = ("\(source.path)/\(from.fileName)", "\(target.path)/\(to.fileName)")
            if let version, !(try FileStatus(link: paths.1).version.isOfSameContent(version)) {
                throw FileError(call: "rename", path: to.display, errno: ESTALE)
            }
            try SystemCall.run("rename", to.display) { clinux_exchange(paths.0, paths.1) }
            // The one that is removed now is kept as long as any.
            let fresh = try Self.folder(of: kept.to, makes: true)
            try Self.move((paths.0, "\(fresh.path)/\(to.fileName)"), shown: kept.to)
            for folder in [source, target, fresh] { try? SystemCall.syncFolder(folder.path) }
            let version = try? FileStatus(link: paths.1).version
            RemovedFiles.removeEmpty(around: from)
            return FileMove(from: kept.to, to: to, version: version, exchanges: true)
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

    /// A copy of a picture, where removed files are: once moved, it is in its place.
    ///
    /// - Parameters:
    ///   - source: the picture.
    ///   - target: the place of the copy.
    ///   - bytesMax: the most bytes.
    /// - Returns: the move.
    /// - Throws: `WebError`; nothing was changed.
    static func copying(
        _ source: SourceKey, to target: SourceKey, bytesMax: Int
    ) throws -> FileMove {
        guard
            case .read(let bytes, _, _) = SourceReader.read(
                source, expected: nil, bytesMax: bytesMax)
        else {
            throw WebError(
                status: 503, message: "\(source.display) cannot be read now",
                remedy: "try again; nothing was changed")
        }
        let move = FileMove(from: RemovedFiles.removal(of: target).to, to: target)
        do throws(FileError) {
            let folder = try folder(of: move.from, makes: true)
            defer { withExtendedLifetime(folder) {} }
            let file = try PendingFile(for: "\(folder.path)/\(move.from.fileName)", mode: 0o600)
            defer { file.discard() }
            try bytes.withUnsafeBytes { (bytes) throws(FileError) in try file.append(bytes) }
            try file.takeSharedRights()
            try file.sync()
            try file.putInFreePlace()
        } catch {
            throw move.refusal(error)
        }
        return move
    }

    /// The pictures of the category itself beside a picture.
    static func covers(beside key: SourceKey) -> [SourceKey] {
        guard let folder = try? FixedFolder(key.directory, below: key.drop),
            let entries = try? FolderListing(folder.path).rest()
        else { return [] }
        return entries.map { entry in
            SourceKey(drop: key.drop, directory: key.directory, name: entry.name)
        }.filter { FileKind.of($0) == .cover }
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

    private static func move(
        _ paths: (from: String, to: String), shown key: SourceKey
    ) throws(FileError) {
        do throws(FileError) {
            try SystemCall.move(paths.from, toFree: paths.to) {
                // link(2) never replaces a file either.
                link(paths.from, paths.to) == 0 ? unlink(paths.from) : -1
            }
        } catch {
            throw FileError(call: error.call, path: key.display, errno: error.errno)
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

    private var otherDrop: WebError {
        WebError(
            status: 409, message: "\(to.display) would be in another drop or on another disk",
            remedy: "move the file there yourself; nothing was changed")
    }

    private func refusal(_ error: FileError) -> WebError {
        switch error.errno {
        case EEXIST:
            return WebError(
                status: 409, message: "\(error.path) is there already",
                remedy:
                    "rename or remove that one first, or choose another name; nothing was changed")
        case ESTALE:
            return WebError(
                status: 409,
                message: "\((exchanges ? to : from).display) is another picture by now",
                remedy: "nothing was changed; look at what is there")
        case EXDEV: return otherDrop
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

extension FileVersion {
    /// Whether it is the same file and was not written to since; renaming changes another time.
    fileprivate func isOfSameContent(_ other: FileVersion) -> Bool {
        (inode, size, mtime) == (other.inode, other.size, other.mtime)
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
