import Foundation
import GRDB
import StickerSystem

@testable import StickerStore
@testable import StickerValues

/// A store, and drops that really lie on the disk.
struct DropsOnDisk {
    let library: Library

    init(_ library: Library? = nil) throws { self.library = try library ?? Library() }

    var store: LibraryStore { library.store }

    func path(_ place: String) -> String { library.folder.file(place) }

    func inode(_ place: String) throws -> UInt64 { try FileStatus(path(place)).identity.inode }

    /// Writes files of different sizes into a folder.
    func fill(_ folder: String, _ files: Int = 6, sizes first: Int = 10) throws {
        for index in 0..<files {
            let text = String(repeating: "x", count: first + index)
            try library.folder.write(text, to: "\(folder)/\(index).png")
        }
    }

    func rename(_ place: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(place), toPath: path(other))
    }

    func remove(_ place: String) throws { try FileManager.default.removeItem(atPath: path(place)) }

    func makeFolder(_ place: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(place), withIntermediateDirectories: true)
    }

    /// Records what lies in a drop, as a scan does that finds folders in the order of their names.
    ///
    /// - Returns: the categories that were renamed.
    @discardableResult
    func scan(_ drop: String) throws -> [RenamedCategory] {
        try store.sources.note(inode: inode(drop), ofDrop: path(drop))
        var renamed: [RenamedCategory] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: path(drop)).sorted() {
            let folder = FolderName(drop: path(drop), name: Array(name.utf8))
            let inode = try inode("\(drop)/\(name)")
            if let found = try store.catalog.meet(folder, inode: inode, isMet: { _ in false }) {
                renamed.append(found)
            }
            for file in try library.folder.files().filter({ $0.hasPrefix("\(drop)/\(name)/") }) {
                _ = try store.queue.accept([
                    Sighting(
                        key: key(String(file.dropFirst(drop.count + 1)), drop: path(drop)),
                        version: try FileStatus(path(file)).version, isRegularFile: true,
                        origin: .scan)
                ])
            }
        }
        return renamed
    }

    /// Publishes every file that waits.
    func publish() throws {
        library.time.advance(.seconds(5))
        for job in try library.claim(100) {
            let number = Int(job.version.inode % 100_000)
            try library.finish(job, .made(product(number), content: hash(number)))
        }
    }

    /// The files of a folder, as the database has them.
    func files(_ drop: String, _ folder: String = "cats") throws -> Int {
        try store.sources.presentNames(
            drop: path(drop), directory: Array(folder.utf8), after: nil, limit: 100
        ).count
    }

    /// Ids and titles of categories with live stickers, with the ids of those.
    func categories() throws -> [String: (title: String, stickers: [String])] {
        try store.read { transaction in
            var found: [String: (title: String, stickers: [String])] = [:]
            for row in try transaction.rows(
                """
                SELECT category.id, category.title, sticker.id FROM sticker
                JOIN category ON category.id = sticker.category WHERE sticker.entry IS NOT NULL
                ORDER BY sticker.id
                """)
            {
                found[row[0], default: (row[1], [])].stickers.append(row[2])
            }
            return found
        }
    }
}
