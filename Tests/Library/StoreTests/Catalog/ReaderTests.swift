import Foundation
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

private let cats = CategoryID(rawValue: "cats")

struct ReaderTests {
    private static func bytes(_ content: Int) -> [UInt8] { Array("picture \(content)".utf8) }

    /// The manifest as a reader finds it, all pages; every file it names is looked for.
    private static func look(_ out: String) throws -> Int {
        var next: String? = "manifest.json"
        var generation: Int?
        while let name = next {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(out)/cats/\(name)"))
            let page = try JSONDecoder().decode(Manifest.self, from: data)
            guard generation == nil || generation == page.generation else {
                throw Missing("pages of two generations")
            }
            generation = page.generation
            for file in page.stickers.flatMap(\.files) {
                let path = "\(out)/cats/\(file.url)"
                let content = try Data(contentsOf: URL(fileURLWithPath: path))
                guard ContentHash(of: Array(content)) == file.sha256 else {
                    throw Missing("wrong content")
                }
            }
            next = page.nextURL
        }
        return generation ?? 0
    }

    @Test func readerNeverFindsHalfAnything() async throws {
        let library = try Library()
        library.policy.pageEntriesMax = 10
        let out = library.out
        let objects = try ObjectStore(out: out)
        let publisher = CatalogPublisher(catalog: library.store.catalog, objects: objects)
        func save(_ number: Int, _ content: Int) throws {
            let hashes = try objects.place([
                NewObject(bytes: Self.bytes(content), format: .webp)
            ])
            let file = StickerFile(
                role: .sticker, format: .webp, size: .sticker, bytes: 10, sha256: hashes[0])
            try library.accept(sighting("cats/\(number) s.png", Int64(content)))
            library.time.advance(.seconds(1))
            let job = try #require(try library.claim().first)
            let made = StickerProduct(
                recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: [file])
            try library.finish(job, .made(made, content: hash(content)))
            _ = try publisher.publish(cats)
        }
        try save(0, 0)
        let done = Done()
        defer { done.set() }
        let reader = Task.detached {
            var generations = [try Self.look(out)]
            while !done.isSet { generations.append(try Self.look(out)) }
            return generations
        }

        for content in 1..<60 { try save(content % 15, content) }
        done.set()

        let generations = try await reader.value
        #expect(generations == generations.sorted())
        #expect(try Self.look(out) == 60)
    }
}

/// A flag that one thread sets and another reads.
private final class Done: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
