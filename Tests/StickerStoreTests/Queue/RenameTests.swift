import Foundation
import StickerModel
import Testing

@testable import StickerStore

/// A file keeps its id under every name it takes.
struct RenameTests {
    private func seen(_ path: String, inode: UInt64, drop: String = "/drop") -> Sighting {
        var seen = sighting(path, inode: inode)
        seen.key.drop = drop
        return seen
    }

    @discardableResult
    private func make(_ seen: Sighting, in library: Library) throws -> StickerID? {
        try library.accept(seen)
        let job = try #require(try library.claim().first)
        try library.finish(
            job, .made(product(Int(seen.generation.inode)), content: hash(1)))
        return job.sticker
    }

    @Test func nameOfAStickerThatLeftIsNoHindrance() throws {
        let library = try Library()
        try make(seen("cats/one.png", inode: 1), in: library)
        try make(seen("cats/two.png", inode: 2), in: library)
        try library.accept(gone: [key("cats/two.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.expireMissing()

        let summary = try library.accept(
            seen("cats/two.png", inode: 1), gone: [key("cats/one.png")])

        #expect(summary.renamed == 1 && summary.accepted == 0)
        #expect(try library.store.liveProduct(StickerID(rawValue: "one")) != nil)
        #expect(try library.store.liveProduct(of: key("cats/two.png")) != nil)
        #expect(try library.store.liveProduct(of: key("cats/one.png")) == nil)
    }

    @Test func nameOfARefusedFileIsNoHindrance() throws {
        let library = try Library()
        try make(seen("cats/five.png", inode: 5), in: library)
        try library.accept(seen("cats/four.png", inode: 4))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.corrupt, "its data is damaged", remedy: "export it again")
        try library.finish(job, .refused(refusal, content: hash(4)))

        let summary = try library.accept(
            seen("cats/four.png", inode: 5), gone: [key("cats/five.png")])

        #expect(summary.renamed == 1)
        #expect(try library.store.liveProduct(StickerID(rawValue: "five")) != nil)
        #expect(try library.store.liveProduct(of: key("cats/four.png")) != nil)
        #expect(try library.store.status().needAttention == 0)
    }

    @Test func nameOfALiveStickerKeepsItsID() throws {
        let library = try Library()
        try make(seen("cats/one.png", inode: 1), in: library)
        try make(seen("cats/two.png", inode: 2), in: library)

        let summary = try library.accept(
            seen("cats/two.png", inode: 1), gone: [key("cats/one.png")])

        #expect(summary.renamed == 0 && summary.accepted == 1)
        #expect(try library.store.liveProduct(StickerID(rawValue: "two")) != nil)
    }

    @Test func newNameMayBeSeenBeforeTheOldIsMissed() throws {
        let library = try Library()
        let drop = library.folder.file("drop")
        try library.folder.write("x", to: "drop/dogs/old.png")
        let inode = try #require(
            try FileManager.default.attributesOfItem(atPath: drop + "/dogs/old.png")[
                .systemFileNumber] as? UInt64)
        try make(seen("dogs/old.png", inode: inode, drop: drop), in: library)
        try FileManager.default.createDirectory(
            atPath: drop + "/cats", withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: drop + "/dogs/old.png", toPath: drop + "/cats/new.png")

        let summary = try library.accept(seen("cats/new.png", inode: inode, drop: drop))

        #expect(summary.renamed == 1 && summary.accepted == 0)
        #expect(try library.store.liveProduct(of: key("cats/new.png", drop: drop)) != nil)
    }

    @Test func secondNameOfAFileThatIsStillThereIsAnotherSticker() throws {
        let library = try Library()
        let drop = library.folder.file("drop")
        try library.folder.write("x", to: "drop/cats/a.png")
        let inode = try #require(
            try FileManager.default.attributesOfItem(atPath: drop + "/cats/a.png")[
                .systemFileNumber] as? UInt64)
        try make(seen("cats/a.png", inode: inode, drop: drop), in: library)

        let summary = try library.accept(seen("cats/b.png", inode: inode, drop: drop))

        #expect(summary.renamed == 0 && summary.accepted == 1)
    }
}
