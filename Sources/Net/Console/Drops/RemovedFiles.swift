import Glibc
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// Pictures that people removed in the console: in a hidden folder of their drop, which the daemon does not look at, each
/// below a folder named by the time, with the path that it had. No link is followed there.
struct RemovedFiles: Sendable {
    private static let folder = ".stickerd-removed"
    private static let depthMax = 40

    /// The drops that the console may write to.
    let drops: [String]
    /// How long they are kept.
    let days: Double

    /// A removed picture.
    struct File: Hashable, Sendable {
        /// Puts it back.
        let back: FileMove
        let removed: Timestamp

        /// Its whole path, which names it in forms.
        var place: String { "\(back.from.drop)/\(FileName.display(back.from.relativePath))" }
    }

    /// The move that removes a picture.
    static func removal(of key: SourceKey) -> FileMove {
        var place = key
        let stamp = "\(Timestamp.now.milliseconds)-\(UInt32.random(in: 0...UInt32.max))"
        place.directory = joined([Array(folder.utf8), Array(stamp.utf8), key.directory])
        return FileMove(from: key, to: place)
    }

    /// The place that a removed picture had; `nil` if it is none.
    static func origin(of key: SourceKey) -> (key: SourceKey, removed: Timestamp)? {
        let parts = key.directory.split(separator: UInt8(ascii: "/"))
        guard parts.count > 1, parts[0].elementsEqual(folder.utf8), let time = time(of: parts[1])
        else { return nil }
        var origin = key
        origin.directory = joined(parts.dropFirst(2).map { Array($0) })
        return (origin, time)
    }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] {
        Array(parts.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "/")]))
    }

    /// The removed pictures, the newest first.
    ///
    /// - Parameter limit: the most.
    /// - Returns: each with what puts it back.
    func list(limit: Int) -> [File] {
        let stamps = drops.flatMap { drop in
            Self.names(in: Self.folder, of: drop).compactMap { stamp in
                Self.time(of: stamp).map { (drop: drop, stamp: stamp, time: $0) }
            }
        }
        var files: [File] = []
        for (drop, stamp, _) in stamps.sorted(by: { $0.time > $1.time }) {
            guard files.count < limit else { break }
            let root = Self.joined([Array(Self.folder.utf8), stamp])
            Self.walk(root, of: drop, 0) { key in
                guard let (origin, time) = Self.origin(of: key),
                    [.picture, .cover].contains(FileKind.of(origin))
                else { return }
                files.append(File(back: FileMove(from: key, to: origin), removed: time))
            }
        }
        return Array(files.prefix(limit))
    }

    /// The removed picture at a `place`; `nil` if that is none.
    func file(at place: String) -> File? {
        for drop in drops where place.hasPrefix("\(drop)/") {
            var parts = place.dropFirst(drop.count + 1).split(separator: "/").map { Array($0.utf8) }
            let name = parts.popLast() ?? []
            let key = SourceKey(drop: drop, directory: Self.joined(parts), name: name)
            guard let (origin, time) = Self.origin(of: key),
                [.picture, .cover].contains(FileKind.of(origin)), !parts.contains(Array("..".utf8))
            else { continue }
            return File(back: FileMove(from: key, to: origin), removed: time)
        }
        return nil
    }

    /// Deletes those that were removed longer ago than `days`.
    func sweep() {
        let oldest = Timestamp.now.milliseconds - Int64(days * 86_400_000)
        for drop in drops {
            for stamp in Self.names(in: Self.folder, of: drop) {
                guard let time = Self.time(of: stamp), time.milliseconds < oldest else { continue }
                let root = Self.joined([Array(Self.folder.utf8), stamp])
                Self.walk(root, of: drop, 0, removing: true) { _ in }
                Self.removeFolder(root, of: drop)
            }
        }
    }

    /// Removes the folders of a removed picture that are empty by now.
    static func removeEmpty(around key: SourceKey) {
        guard origin(of: key) != nil else { return }
        var directory = key.directory
        while let slash = directory.lastIndex(of: UInt8(ascii: "/")) {
            removeFolder(directory, of: key.drop)
            directory.removeSubrange(slash...)
        }
    }

    /// Removes a folder if it is empty.
    private static func removeFolder(_ directory: [UInt8], of drop: String) {
        guard let slash = directory.lastIndex(of: UInt8(ascii: "/")),
            let parent = try? FixedFolder(Array(directory[..<slash]), below: drop)
        else { return }
        rmdir("\(parent.path)/\(FileName.display(Array(directory[(slash + 1)...])))")
    }

    /// Calls `body` for each file below a folder, and deletes it all if `removing`.
    private static func walk(
        _ directory: [UInt8], of drop: String, _ depth: Int, removing: Bool = false,
        _ body: (SourceKey) -> Void
    ) {
        guard depth < depthMax, let folder = try? FixedFolder(directory, below: drop) else {
            return
        }
        for name in names(in: folder) {
            let path = "\(folder.path)/\(FileName.display(name))"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                walk(joined([directory, name]), of: drop, depth + 1, removing: removing, body)
                if removing { rmdir(path) }
            case S_IFREG where !removing:
                body(SourceKey(drop: drop, directory: directory, name: name))
            default: if removing { unlink(path) }
            }
        }
    }

    private static func time(of stamp: some Sequence<UInt8>) -> Timestamp? {
        let text = String(decoding: Array(stamp), as: UTF8.self)
        return text.split(separator: "-").first.flatMap { Int64($0) }
            .map(Timestamp.init(milliseconds:))
    }

    private static func names(in directory: String, of drop: String) -> [[UInt8]] {
        (try? FixedFolder(Array(directory.utf8), below: drop)).map { names(in: $0) } ?? []
    }

    private static func names(in folder: FixedFolder) -> [[UInt8]] {
        ((try? FolderListing(folder.path).rest()) ?? []).map(\.name).filter { FileName.isText($0) }
    }
}
