import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Another profile for CMYK concerns pictures in CMYK alone.
struct InkTests {
    /// The settings without a profile, and with one.
    private let plain = RecipeIDs("recipe")
    private let inked = RecipeIDs("recipe", cmyk: "inked")

    private func queued(_ library: Library) throws -> [String] {
        let count = try library.store.queue.redoStale { _, _ in inked }
        return try library.claim(count).map { String(decoding: $0.source.name, as: UTF8.self) }
            .sorted()
    }

    @Test func profileMakesPicturesInCMYKAgainAndNoOthers() throws {
        let library = try Library()
        try library.make("cats/inks.jpg", 1, isCMYK: true)
        try library.make("cats/inks by another name.png", 2, isCMYK: true)
        try library.make("cats/light.jpg", 3, isCMYK: false)
        try library.make("cats/light.png", 4, isCMYK: false)
        #expect(try library.store.queue.redoStale { _, _ in plain } == 0)

        let plan = try library.store.queue.stale { _, _ in inked }
        let names = try queued(library)

        #expect(plan.map(\.stickers) == [4] && plan.map(\.stale) == [2])
        #expect(plan.map(\.unexamined) == [0])
        #expect(names == ["inks by another name.png", "inks.jpg"])
        #expect(try library.store.queue.redoStale { _, _ in inked } == 0)
    }

    @Test func profileThatIsTakenBackMakesThemAgain() throws {
        let library = try Library()
        try library.make("cats/inks.jpg", 1, isCMYK: true)
        #expect(try library.store.queue.redoStale { _, _ in inked } == 1)
        let job = try #require(try library.claim().first)
        let made = product(1, recipe: "inked")
        try library.finish(job, .made(made, content: hash(1)), isCMYK: true)

        #expect(try library.store.queue.redoStale { _, _ in inked } == 0)
        #expect(try library.store.queue.redoStale { _, _ in plain } == 1)
    }

    @Test func whatAnEarlierReleaseMadeIsReadAgainOnce() throws {
        let library = try Library()
        for (number, name) in ["a.jpg", "b.JPEG", "c.png"].enumerated() {
            try library.make("cats/\(name)", number, isCMYK: nil)
        }
        #expect(try library.store.queue.stale { _, _ in plain }.map(\.unexamined) == [0])

        let plan = try library.store.queue.stale { _, _ in inked }
        #expect(plan.map(\.unexamined) == [2] && plan.map(\.stale) == [0])
        #expect(try library.store.queue.redoStale { _, _ in inked } == 2)
        for job in try library.claim(2) {
            let content = job.source.name == Array("a.jpg".utf8) ? 0 : 1
            try library.finish(job, .unchanged(content: hash(content)), isCMYK: content == 0)
        }

        // One is in CMYK after all.
        #expect(try library.store.queue.stale { _, _ in inked }.map(\.unexamined) == [0])
        #expect(try queued(library) == ["a.jpg"])
    }

    @Test func otherSettingsMakeUnknownPicturesAgainAsEver() throws {
        let library = try Library()
        try library.make("cats/a.jpg", 1)

        let plan = try library.store.queue.stale { _, _ in RecipeIDs("new", cmyk: "inked") }

        #expect(plan.map(\.stale) == [1] && plan.map(\.unexamined) == [0])
    }

    @Test func whatIsKnownOfTheBytesHoldsForEverythingMadeOfThem() throws {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("dogs/b.jpg", 1, isCMYK: true)

        #expect(try queued(library) == ["a.png", "b.jpg"])
    }
}
