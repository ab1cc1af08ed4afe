import FoundationEssentials
import GRDB
import StickerValues
import Testing

@testable import StickerStore

/// The first start of a release that reads more formats.
struct NewFormatsTests {
    /// A library as an older release left it: it knew nothing of WebP.
    private func olderLibrary() throws -> Library {
        let library = try Library()
        try library.accept(
            sighting("cats/a.psd"), sighting("cats/b.psd"), sighting("cats/c.psd"),
            sighting("cats/named-otherwise.png"))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(.unsupportedFormat, "the bytes are a WebP picture", remedy: "none")
        try library.finish(job, .refused(refusal, content: nil))
        for (old, new) in [("a.psd", "a.webp"), ("b.psd", "cover.webp")] {
            _ = try library.store.write { transaction in
                try transaction.run(
                    "UPDATE source SET name = ? WHERE name = ?",
                    [Data(new.utf8), Data(old.utf8)])
            }
        }
        return library
    }

    @Test func whatWasRefusedForItsFormatIsTriedOnceAfterAnUpgrade() throws {
        let library = try olderLibrary()

        #expect(try library.store.operations.retryNewFormats() == 3)

        let jobs = try library.claim(9)
        #expect(
            Set(jobs.map(\.source.display))
                == ["cats/a.webp", "cats/cover.webp", "cats/named-otherwise.png"])
        #expect(
            jobs.first { $0.source.display == "cats/a.webp" }?.sticker
                == StickerID(rawValue: "a"))
        for job in jobs { try library.finish(job, .refused(.emptyFile, content: nil)) }
        #expect(try library.store.operations.retryNewFormats() == 0)
        #expect(try library.claim(9).isEmpty)
    }

    @Test func whatWasRefusedBecauseTheDaemonWasKilledIsTriedOnce() throws {
        let library = try Library()
        try library.accept(sighting("cats/innocent.png"))
        let job = try #require(try library.claim().first)
        let refusal = Refusal(
            .decoderCrashed, "the daemon died each time", measured: "3 deaths of the daemon",
            remedy: "none")
        try library.finish(job, .refused(refusal, content: nil))

        #expect(try library.store.operations.retryNewFormats() == 1)
        #expect(try library.claim().map(\.source) == [key("cats/innocent.png")])
        #expect(try library.store.operations.retryNewFormats() == 0)
    }

    @Test func retriedFilesLetFreshOnesPass() throws {
        let library = try olderLibrary()
        _ = try library.store.operations.retryNewFormats()

        try library.accept(sighting("cats/fresh.png"))

        #expect(try library.claim().first?.source == key("cats/fresh.png"))
    }

    @Test func whatIsStillNotReadStaysRefused() throws {
        let library = try olderLibrary()

        _ = try library.store.operations.retryNewFormats()

        var filter = JobFilter()
        filter.needingAttention = true
        #expect(try library.store.operations.jobs(filter).map(\.file) == ["cats/c.psd"])
    }

    @Test func dismissedFileIsAPictureOnceItIsTouched() throws {
        let library = try olderLibrary()
        var filter = JobFilter()
        filter.needingAttention = true
        _ = try library.store.operations.dismiss(filter)

        #expect(try library.store.operations.retryNewFormats() == 0)
        try library.accept(sighting("cats/a.webp", 2))

        #expect(try library.claim(9).map(\.source.display) == ["cats/a.webp"])
    }
}
