import StickerValues
import Testing

@testable import StickerStore

/// Jobs that an operator puts first.
struct BumpTests {
    private let library: Library

    init() throws {
        library = try Library()
        for name in ["a", "b", "c"] { try library.accept(sighting("cats/\(name).png", 1, .scan)) }
        library.time.advance(.seconds(5))
    }

    private func filter(_ file: String) -> JobFilter {
        var filter = JobFilter()
        filter.file = file
        return filter
    }

    @Test func bumpedPictureGoesFirst() throws {
        #expect(
            try library.store.operations.bump(filter("cats/c.png"), dryRun: true).bumped.count == 1)
        #expect(try library.store.operations.bump(filter("cats/c.png")).bumped.count == 1)
        #expect(try library.claim().map(\.source.display) == ["cats/c.png"])
    }

    @Test func whatGoesFirstAlreadyIsToldAndWhatIsDoneIsNone() throws {
        _ = try library.store.operations.bump(filter("cats/c.png"))
        let again = try library.store.operations.bump(filter("cats/c.png"))
        #expect(again.bumped.isEmpty && again.skipped.map(\.why) == ["it goes first already"])
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))
        let done = try library.store.operations.bump(filter("cats/c.png"))
        #expect(done.bumped.isEmpty && done.skipped.isEmpty)
    }
}
