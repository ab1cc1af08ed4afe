import StickerValues
import Testing

@testable import StickerStore

/// Conflict copies beside their originals.
struct CopiesTests {
    private static let copy = "cats/wave.sync-conflict-20240131-120000-ABCDEFG.png"

    @Test func conflictCopyIsHeldUntilItsOriginalIsGone() throws {
        let library = try Library()
        try library.make("cats/wave.png")
        try library.accept(sighting(Self.copy, 2))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.conflictCopy, "it is a conflict copy", remedy: "keep one")
        try library.finish(job, .refused(refusal, content: nil))
        #expect(try library.store.operations.releaseCopies() == 0)

        try library.accept(gone: [key("cats/wave.png")])
        #expect(try library.store.catalog.expected(key("cats/wave.png")) == key("cats/wave.png"))
        #expect(try library.store.operations.releaseCopies() == 0)
        try library.reopen()
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()

        #expect(try library.store.catalog.expected(key("cats/wave.png")) == nil)
        #expect(try library.store.operations.releaseCopies() == 1)
        #expect(try library.claim().first?.source == key(Self.copy))
        #expect(try library.store.operations.releaseCopies() == 0)
    }

    @Test func conflictCopyIsHeldWhenItsOriginalIsSavedInAnotherFormat() throws {
        let library = try Library()
        try library.make("cats/wave.png")
        try library.accept(sighting(Self.copy, 9))
        let refusal = Refusal.conflictCopy(of: key("cats/wave.png"), now: key("cats/wave.png"))
        let copy = try #require(try library.claim().first)
        try library.finish(copy, .refused(refusal, content: nil))
        try library.accept(sighting("cats/wave.gif", 2), gone: [key("cats/wave.png")])
        let newcomer = try #require(try library.claim().first)
        try library.finish(newcomer, .made(product(2), content: hash(2)))
        _ = try library.store.catalog.expireMissing(isEnd: true)
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()

        #expect(
            try library.store.catalog.expected(key("cats/wave.png")) == key("cats/wave.gif"))
        #expect(try library.store.operations.releaseCopies() == 0)
        let told = try library.store.operations.jobs().first { $0.reason == "conflict-copy" }?
            .refusal
        #expect(told?.detail == "it is a conflict copy of wave.png, now wave.gif: keep one")
        #expect(
            told?.remedy.hasPrefix("to keep this one, delete wave.gif and rename it to wave.png;")
                == true)
        try library.accept(gone: [key("cats/wave.gif")])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        #expect(try library.store.catalog.expected(key("cats/wave.png")) == nil)
    }

    /// Syncthing renames the file that was changed here, and then puts the other one in its place.
    @Test func renamingToAConflictCopyKeepsTheIDWithTheName() throws {
        let library = try Library()
        try library.accept(sighting("cats/wave.png", 1, inode: 7))
        let first = try #require(try library.claim().first)
        try library.finish(first, .made(product(1), content: hash(1)))

        _ = try library.store.queue.accept(
            [sighting(Self.copy, 1, inode: 7)], gone: [key("cats/wave.png")])
        try library.accept(sighting("cats/wave.png", 2, inode: 8))
        library.time.advance(.seconds(5))

        let jobs = try library.claim(9)
        #expect(
            jobs.first { $0.source == key("cats/wave.png") }?.sticker == StickerID(rawValue: "wave")
        )
        #expect(jobs.count == 2)
    }
}
