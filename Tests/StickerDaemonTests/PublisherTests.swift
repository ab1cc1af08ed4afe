import Foundation
import Logging
import StickerModel
import StickerStore
import StickerTestSupport
import Testing

@testable import StickerDaemon

struct PublisherTests {
    @Test func restGrowsWithTheWriteButNotForEver() {
        #expect(Publisher.rest(after: .milliseconds(3)) == .seconds(1))
        #expect(Publisher.rest(after: .milliseconds(500)) == .seconds(10))
        #expect(Publisher.rest(after: .seconds(60)) == .seconds(30))
    }

    @Test func manifestThatCannotBeWrittenHoldsUpNoOther() throws {
        let place = try Place()
        for category in ["birds", "cats", "dogs"] { try place.make("\(category)/a.png") }
        // A folder in the manifest's place: rename(2) cannot replace it.
        try place.folder.write([0], to: "out/cats/manifest.json/obstacle")

        let failed = try place.publish(["birds", "cats", "dogs"])

        #expect(failed == ["cats"])
        #expect(place.manifests == ["birds", "dogs"])
        #expect(try place.behind() == ["cats"])
        #expect(place.trouble.value?.contains("the manifest of cats stays as it was") == true)
    }

    @Test func whatWasNotBookedIsWrittenAgain() throws {
        let place = try Place()
        for category in ["cats", "dogs"] { try place.make("\(category)/a.png") }
        let failed = try place.publish(["cats", "dogs"], access: .reader)
        #expect(failed == ["cats", "dogs"])
        #expect(place.manifests == ["cats", "dogs"])
        #expect(try place.behind() == ["cats", "dogs"])

        let again = try place.publish(["cats", "dogs"])

        #expect(again.isEmpty)
        #expect(try place.behind().isEmpty)
        #expect(place.manifests == ["cats", "dogs"])
    }
}

/// A library whose stickers are in the books and in no manifest yet.
private final class Place {
    let folder: TemporaryFolder
    let trouble = WaitableValue<String?>(nil)
    private let store: JobStore

    init() throws {
        folder = try TemporaryFolder()
        for name in ["out", "state"] { try folder.makeFolder(name) }
        store = try JobStore(path: folder.path("state/\(JobStore.fileName)"))
    }

    /// Books a sticker without a file, which manifests do not mind.
    func make(_ path: String) throws {
        let parts = path.split(separator: "/").map { Array($0.utf8) }
        let key = SourceKey(drop: folder.path("drop"), directory: parts[0], name: parts[1])
        let generation = Generation(inode: UInt64(path.utf8.count), size: 1, mtime: 1, ctime: 1)
        _ = try store.accept([
            Sighting(key: key, generation: generation, isRegularFile: true, origin: .closed)
        ])
        let job = try #require(try store.turn(finished: [], claiming: 1).claimed.first)
        let content = ContentHash(of: Array(path.utf8))
        let file = StickerFile(
            role: .sticker, format: .webp, size: .sticker, bytes: 1, sha256: content)
        let product = StickerProduct(
            recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless), files: [file])
        let finished = FinishedJob(
            job: job, outcome: .made(product, content: content), log: StepLog())
        _ = try store.turn(finished: [finished], claiming: 0)
    }

    /// Publishes these categories at once, and says which failed, sorted. A `.reader` can write
    /// manifests and book none.
    func publish(_ categories: [String], access: JobStore.Access = .daemon) throws -> [String] {
        let store =
            access == .daemon
            ? store : try JobStore(path: folder.path("state/\(JobStore.fileName)"), access: access)
        let catalog = CatalogPublisher(
            store: store, objects: try ObjectStore(out: folder.path("out")))
        let publisher = Publisher(
            catalog: catalog, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [trouble] said in trouble.update { $0 = said } }
        publisher.changed(Set(categories.map { CategoryID(rawValue: $0) }))
        return publisher.stop().keys.map(\.rawValue).sorted()
    }

    /// The categories whose manifest is older than the books, sorted.
    func behind() throws -> [String] { try store.dirtyCategories().map(\.rawValue).sorted() }

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
}
