import StickerModel
import StickerStore
import Testing

/// A category's recipe changed: what it made is made anew, and served meanwhile.
struct RedoTests {
    /// `cats` by this recipe, all others as the pictures were made.
    private func recipes(cats: String) -> (_ folder: [UInt8]) -> String {
        { $0 == Array("cats".utf8) ? cats : "recipe" }
    }

    private func library() throws -> Library {
        let library = try Library()
        try library.make("cats/a.png", 1)
        try library.make("cats/b.png", 2)
        try library.make("dogs/c.png", 3)
        return library
    }

    @Test func planCountsByCategoryWhatIsStale() throws {
        let library = try library()

        let plan = try library.store.stale(recipe: recipes(cats: "new"))

        #expect(plan.map(\.category.rawValue) == ["cats", "dogs"])
        #expect(plan.map(\.stickers) == [2, 1] && plan.map(\.stale) == [2, 0])
        #expect(plan.first?.staleBytes == 2 * 4 * 10)
        #expect(try library.claim().isEmpty)
    }

    @Test func onlyWhatIsStaleIsQueuedAndOnce() throws {
        let library = try library()

        #expect(try library.store.redoStale(recipe: recipes(cats: "new")) == 2)
        #expect(try library.store.redoStale(recipe: recipes(cats: "new")) == 0)

        let jobs = try library.claim(5)
        #expect(jobs.map(\.source.name).sorted { $0[0] < $1[0] }.map { $0[0] } == [97, 98])
    }

    @Test func freshFilePassesTheQueue() throws {
        let library = try library()
        _ = try library.store.redoStale(recipe: recipes(cats: "new"))

        try library.accept(sighting("dogs/new.png"))

        #expect(try library.claim().first?.source == key("dogs/new.png"))
    }

    @Test func oldPictureIsServedUntilTheNewOneIsThere() throws {
        let library = try library()
        let publisher = try library.publisher()
        _ = try library.store.redoStale(recipe: recipes(cats: "new"))
        let job = try #require(try library.claim().first)
        _ = try publisher.publish(job.category)
        let before = try library.manifest("cats")

        try library.finish(job, .made(product(1, recipe: "new"), content: hash(1)))
        _ = try publisher.publish(job.category)

        let after = try library.manifest("cats")
        #expect(before.stickers.count == 2 && after.stickers.count == 2)
        #expect(before.stickers.map(\.identifier) == after.stickers.map(\.identifier))
        #expect(before.stickers[0].imageURL != after.stickers[0].imageURL)
        #expect(try library.store.usage().categories.first?.oldRevisions.pictures == 1)
    }

    @Test func refusalUnderTheNewRecipeKeepsTheOldPictureAndIsNotRepeated() throws {
        let library = try library()
        _ = try library.store.redoStale(recipe: recipes(cats: "new"))
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        for job in try library.claim(5) {
            try library.finish(job, .refused(refusal, content: hash(1)))
        }

        #expect(try library.store.redoStale(recipe: recipes(cats: "new")) == 0)
        #expect(try library.store.status().needAttention == 2)
        #expect(try library.store.status().stickers == 3)
        #expect(try library.store.redoStale(recipe: recipes(cats: "newer")) == 2)
    }

    @Test func fileThatIsBeingLookedAtAnewIsLeftToThat() throws {
        let library = try library()
        try library.accept(sighting("cats/a.png", 7))

        #expect(try library.store.redoStale(recipe: recipes(cats: "new")) == 1)
    }

    @Test func picturesWhoseFilesAreGoneAreMadeAnew() throws {
        let library = try Library()
        let objects = try ObjectStore(out: library.out)
        let housekeeper = Housekeeper(store: library.store, objects: objects, out: library.out)
        try library.make("cats/a.png")

        let lost = try housekeeper.noteLost()
        let added = try library.store.redoStale { _ in "recipe" }
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))

        #expect(lost == 1 && added == 1)
        #expect(try library.store.product(content: hash(1), recipe: "recipe") != nil)
        #expect(try library.store.redoStale { _ in "recipe" } == 0)
    }
}
