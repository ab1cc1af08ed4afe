import Dispatch
import Foundation
import StickerValues
import Synchronization
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
            job, .made(product(Int(seen.version.inode)), content: hash(Int(seen.version.inode))))
        return job.sticker
    }

    @Test func nameOfAStickerThatLeftIsNoHindrance() throws {
        let library = try Library()
        try make(seen("cats/one.png", inode: 1), in: library)
        try make(seen("cats/two.png", inode: 2), in: library)
        try library.accept(gone: [key("cats/two.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()

        let summary = try library.accept(
            seen("cats/two.png", inode: 1), gone: [key("cats/one.png")])

        #expect(summary.renamed.map(\.isSameFile) == [true] && summary.accepted == 0)
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "one")) != nil)
        #expect(try library.store.catalog.liveProduct(of: key("cats/two.png")) != nil)
        #expect(try library.store.catalog.liveProduct(of: key("cats/one.png")) == nil)
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

        #expect(summary.renamed.count == 1)
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "five")) != nil)
        #expect(try library.store.catalog.liveProduct(of: key("cats/four.png")) != nil)
        #expect(try library.store.operations.status().needAttention == 0)
    }

    @Test func nameOfALiveStickerKeepsItsID() throws {
        let library = try Library()
        try make(seen("cats/one.png", inode: 1), in: library)
        try make(seen("cats/two.png", inode: 2), in: library)

        let summary = try library.accept(
            seen("cats/two.png", inode: 1), gone: [key("cats/one.png")])

        #expect(summary.renamed.count == 0 && summary.accepted == 1)
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "two")) != nil)
    }

    /// Every file takes the name of the next: 0 becomes 1, 1 becomes 2, and so on.
    @Test func aLongRowOfRenamesKeepsItsIDsInParts() throws {
        let library = try Library()
        let drop = library.folder.file("drop")
        let count = 450
        var inodes: [UInt64] = []
        for number in 0..<count {
            try library.folder.write("x", to: "drop/cats/\(number).png")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(drop)/cats/\(number).png")
            inodes.append(try #require(attributes[.systemFileNumber] as? UInt64))
            try make(seen("cats/\(number).png", inode: inodes[number], drop: drop), in: library)
        }
        for number in (0..<count).reversed() {
            rename("\(drop)/cats/\(number).png", "\(drop)/cats/\(number + 1).png")
        }
        let shifted = (0..<count).map { number in
            seen("cats/\(number + 1).png", inode: inodes[number], drop: drop)
        }

        let parts = try library.store.queue.parts(of: shifted)
        let summaries = try parts.map { try library.store.queue.accept($0) }

        #expect(parts.map(\.count) == [200, 200, 50])
        #expect(try library.store.queue.parts(of: []).isEmpty)
        #expect(summaries.map(\.renamed.count) == [200, 200, 50])
        #expect(summaries.allSatisfy { $0.accepted == 0 })
        #expect(try library.store.catalog.liveProduct(StickerID(rawValue: "0")) != nil)
        #expect(
            try library.store.catalog.liveProduct(of: key("cats/\(count).png", drop: drop)) != nil)
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

        #expect(summary.renamed.count == 1 && summary.accepted == 0)
        #expect(try library.store.catalog.liveProduct(of: key("cats/new.png", drop: drop)) != nil)
    }

    /// `mv b t; mv a b; mv t a`, seen after the first step and at the end.
    @Test func exchangedNamesExchangeTheirIDs() throws {
        let library = try Library()
        let drop = library.folder.file("drop")
        var inodes: [UInt64] = []
        for name in ["a", "b"] {
            try library.folder.write("x", to: "drop/cats/\(name).png")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: drop + "/cats/\(name).png")
            inodes.append(try #require(attributes[.systemFileNumber] as? UInt64))
            try make(seen("cats/\(name).png", inode: inodes.last ?? 0, drop: drop), in: library)
        }
        func move(_ old: String, _ new: String) {
            rename(drop + "/cats/\(old).png", drop + "/cats/\(new).png")
        }

        move("b", "t")
        let first = try library.store.queue.accept(
            [seen("cats/t.png", inode: inodes[1], drop: drop)],
            gone: [key("cats/b.png", drop: drop)])
        move("a", "b")
        move("t", "a")
        let second = try library.store.queue.accept(
            [
                seen("cats/a.png", inode: inodes[1], drop: drop),
                seen("cats/b.png", inode: inodes[0], drop: drop),
            ], gone: [key("cats/t.png", drop: drop)])

        #expect(first.renamed.count == 1 && second.renamed.count == 2)
        #expect(first.accepted + second.accepted == 0)
    }

    @Test func namesThatChangeInARingKeepTheirIDs() throws {
        let library = try Library()
        for inode in 1...3 as ClosedRange<UInt64> {
            try make(seen("cats/\(inode).png", inode: inode), in: library)
        }

        let summary = try library.store.queue.accept([
            seen("cats/1.png", inode: 3), seen("cats/2.png", inode: 1),
            seen("cats/3.png", inode: 2),
        ])

        #expect(summary.renamed.count == 0 && summary.accepted == 3)
        library.time.advance(.seconds(2))
        let jobs = try library.claim(5)
        #expect(Set(jobs.compactMap(\.sticker?.rawValue)).count == 3)
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

        #expect(summary.renamed.count == 0 && summary.accepted == 1)
    }

    @Test func othersCanWriteWhileADropIsLookedAt() throws {
        let library = try Library()
        let store = library.store
        try make(seen("cats/old.png", inode: 1), in: library)

        // A share that hangs, until somebody else has written.
        let isWritten = DispatchSemaphore(value: 0)
        var looks: [(name: FormerName, wasHeldUp: Bool)] = []
        let summary = try store.queue.accept([seen("cats/new.png", inode: 1)]) { name in
            // A thread of its own: those of the global queue may all be busy with other tests.
            Thread.detachNewThread {
                // A write that fails counts as none.
                if (try? store.sources.note(inode: 5, ofDrop: "/drop")) != nil {
                    isWritten.signal()
                }
            }
            looks.append((name, isWritten.wait(timeout: .now() + 60) == .timedOut))
            return true
        }

        #expect(looks.map(\.name) == [FormerName(key: key("cats/old.png"), inode: 1)])
        #expect(looks.allSatisfy { !$0.wasHeldUp })
        #expect(summary.renamed.count == 1 && summary.vanished == 1 && summary.accepted == 0)
        #expect(try store.sources.inode(ofDrop: "/drop") == 5)
    }

    @Test func eachNameOfABatchIsLookedAtOnce() throws {
        let library = try Library()
        for number in 1...3 {
            try make(seen("cats/old \(number).png", inode: UInt64(number)), in: library)
        }

        var looks: [UInt64] = []
        let summary = try library.store.queue.accept(
            (1...3).map { seen("cats/new \($0).png", inode: UInt64($0)) }
        ) { name in
            looks.append(name.inode)
            return name.inode != 2
        }

        #expect(looks.sorted() == [1, 2, 3])
        // The second has both names: it is no rename.
        #expect(summary.renamed.count == 2 && summary.accepted == 1)
        #expect(try library.claim(5).count == 1)
    }

    @Test func batchThatIsRecordedAgainCountsNothingTwice() throws {
        let library = try Library()
        try make(seen("cats/old.png", inode: 1), in: library)

        let summary = try library.store.queue.accept(
            [seen("dogs/first.png", inode: 2), seen("cats/new.png", inode: 1)],
            isLeft: { _ in true })

        #expect(summary.accepted == 1 && summary.renamed.count == 1)
        #expect(try library.claim(5).map(\.sticker) == [StickerID(rawValue: "first")])
        #expect(try library.store.operations.status().stickers == 1)
    }

    @Test func namesThatBecomeFreeOneByOneAreAskedForTogether() throws {
        let begun = Mutex(0)
        let library = try Library { sql in
            if sql.hasPrefix("BEGIN IMMEDIATE") { begun.withLock { $0 += 1 } }
        }
        for number in 0..<20 {
            try make(seen("cats/\(number).png", inode: UInt64(number + 1)), in: library)
        }
        begun.withLock { $0 = 0 }

        var looks = 0
        let summary = try library.store.queue.accept(
            (0..<20).map { seen("cats/\($0 + 1).png", inode: UInt64($0 + 1)) }
        ) { _ in
            looks += 1
            return true
        }

        #expect(summary.renamed.count == 20 && looks == 20)
        #expect(begun.withLock { $0 } == 2)
    }
}
