import Foundation
import Glibc
import StickerReports
import StickerStore
import StickerSystem
import StickerValues

/// Pictures that people removed in the console: in a hidden folder of their drop, which the daemon does not look at, each
/// in a folder of its own with the path that it had.
struct RemovedFiles: Sendable {
    private static let folder = ".stickerd-removed"

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
        place.directory = Array("\(folder)/\(stamp)".utf8)
        if !key.directory.isEmpty { place.directory += [UInt8(ascii: "/")] + key.directory }
        return FileMove(from: key, to: place)
    }

    /// The removed pictures, the newest first.
    ///
    /// - Parameter limit: the most.
    /// - Returns: each with what puts it back.
    func list(limit: Int) -> [File] {
        let stamps = drops.flatMap { drop in
            Self.names(in: "\(drop)/\(Self.folder)").map { (drop: drop, stamp: $0) }
        }
        return stamps.compactMap { drop, stamp in
            Self.time(of: stamp).map { (drop, stamp, time: $0) }
        }
        .sorted { $0.time > $1.time }.prefix(limit)
        .flatMap { drop, stamp, time in Self.files(in: drop, stamp, time) }
    }

    private static func files(in drop: String, _ stamp: String, _ time: Timestamp) -> [File] {
        let root = "\(drop)/\(folder)/\(stamp)"
        let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return paths.compactMap { path in
            var parts = path.split(separator: "/").map { Array($0.utf8) }
            let name = parts.popLast() ?? []
            let directory = Array(parts.joined(separator: [UInt8(ascii: "/")]))
            let key = SourceKey(drop: drop, directory: directory, name: name)
            var status = stat()
            guard [.picture, .cover].contains(FileKind.of(key)),
                lstat("\(root)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            var place = key
            place.directory = Array("\(folder)/\(stamp)".utf8)
            if !directory.isEmpty { place.directory += [UInt8(ascii: "/")] + directory }
            return File(back: FileMove(from: place, to: key), removed: time)
        }
    }

    /// Deletes those that were removed longer ago than `days`.
    func sweep() {
        let oldest = Timestamp.now.milliseconds - Int64(days * 86_400_000)
        for drop in drops {
            for stamp in Self.names(in: "\(drop)/\(Self.folder)") {
                guard let time = Self.time(of: stamp), time.milliseconds < oldest else { continue }
                try? FileManager.default.removeItem(atPath: "\(drop)/\(Self.folder)/\(stamp)")
            }
        }
    }

    private static func time(of stamp: String) -> Timestamp? {
        stamp.split(separator: "-").first.flatMap { Int64($0) }.map(Timestamp.init(milliseconds:))
    }

    /// The names in a folder that is no link; none if it cannot be read.
    private static func names(in folder: String) -> [String] {
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [] }
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
