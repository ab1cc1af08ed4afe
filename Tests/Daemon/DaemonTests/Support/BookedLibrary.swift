import Foundation
import Logging
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

/// A library whose stickers are in the database and in no manifest yet.
final class BookedLibrary {
    let folder: TemporaryFolder
    let trouble = WaitableValue<String?>(nil)
    let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        for name in ["out", "state"] { try folder.makeFolder(name) }
        store = try LibraryStore(path: folder.path("state/\(LibraryStore.fileName)"))
    }

    /// Books a sticker without a file, which manifests do not mind.
    func make(_ path: String) throws {
        _ = try store.queue.accept([sighting(path)])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let content = ContentHash(of: Array(path.utf8))
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: 1, sha256: content)
        let product = StickerProduct(
            recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless), files: [file])
        let finished = FinishedJob(
            job: job, outcome: .made(product, content: content), log: StepLog())
        _ = try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    /// Books what a side file says.
    func say(_ path: String, _ text: String) throws {
        _ = try store.queue.accept([sighting(path)])
        let job = try #require(try store.queue.turn(finished: [], claiming: .any(1)).claimed.first)
        let words = try #require(SideFile(key(path))).words(in: Array(text.utf8))
        let content = ContentHash(of: Array(text.utf8))
        let finished = FinishedJob(
            job: job,
            outcome: .said(changed: try store.catalog.note(words, of: job) ?? [], content: content),
            log: StepLog())
        _ = try store.queue.turn(finished: [finished], claiming: .any(0))
    }

    /// Publishes these categories at once, and says what failed. A `.reader` can write manifests and book
    /// none.
    func publish(_ categories: [String], access: StoreAccess = .daemon) throws -> [String] {
        let objects = try ObjectStore(out: folder.path("out"))
        try CatalogPublisher(catalog: self.store.catalog, objects: objects).publishRemovals()
        let store =
            access == .daemon
            ? store
            : try LibraryStore(path: folder.path("state/\(LibraryStore.fileName)"), access: access)
        let catalog = CatalogPublisher(
            catalog: store.catalog, objects: objects)
        let publisher = Publisher(
            catalog: catalog, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [trouble] said in trouble.update { $0 = said } }
        publisher.changed(Set(categories.map { CategoryID(rawValue: $0) }))
        return publisher.stop()
    }

    /// The categories whose manifest is older than the database, sorted.
    func behind() throws -> [String] {
        try store.catalog.dirtyCategories().map(\.rawValue).sorted()
    }

    /// The categories that have a manifest, sorted.
    var manifests: [String] {
        let out = folder.path("out")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: out)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: "\(out)/\(name)/manifest.json", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }.sorted()
    }

    func key(_ path: String) -> SourceKey {
        let parts = path.split(separator: "/").map { Array($0.utf8) }
        return SourceKey(drop: folder.path("drop"), directory: parts[0], name: parts[1])
    }

    /// The file as it always is; `inode` is that of another name where it was moved.
    func sighting(_ path: String, movedFrom other: String? = nil) -> Sighting {
        let inode = UInt64(bitPattern: Int64((other ?? path).hashValue))
        return Sighting(
            key: key(path), version: FileVersion(inode: inode, size: 1, mtime: 1, ctime: 1),
            isRegularFile: true, origin: .closed)
    }
}
