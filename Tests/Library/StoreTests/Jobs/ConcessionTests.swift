import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Concessions of an operator are stored with the sticker.
struct ConcessionTests {
    private let library: Library
    private let long = Refusal(.tooLong, "it plays for 14 s", remedy: "shorten it")
    private let cut = Refusal(.truncated, "the PNG is cut off", remedy: "copy it again")

    init() throws { library = try Library() }

    private func refuse(
        _ path: String, _ content: Int, _ refusal: Refusal
    ) throws -> ClaimedJob {
        try library.accept(sighting(path, Int64(content)))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(refusal, content: hash(content)))
        return job
    }

    private func granted(_ job: ClaimedJob, _ content: Int) throws -> Concessions {
        try library.store.queue.outlook(of: job, hash(content)).concessions
    }

    private var all: JobFilter {
        var filter = JobFilter()
        filter.needingAttention = true
        return filter
    }

    @Test func grantConcernsWhatLackedIt() throws {
        let wave = try refuse("cats/wave.gif", 1, long)
        let torn = try refuse("cats/torn.png", 2, cut)

        let retried = try library.store.operations.retry(
            all, granting: Grant(tooLong: .trim, acceptsDamage: false))
        let dry = try library.store.operations.retry(
            all, dryRun: true, granting: Grant(tooLong: nil, acceptsDamage: true))

        #expect(retried.requeued.map(\.id) == [wave.id])
        #expect(retried.skipped.map(\.why) == ["refused for another reason"])
        #expect(dry.requeued.map(\.id) == [torn.id])
        let jobs = try library.claim(5)
        #expect(try jobs.map { try granted($0, 1) } == [Concessions(tooLong: .trim)])
        #expect(try library.store.operations.job(wave.id)?.granted == Concessions(tooLong: .trim))
        #expect(try library.store.operations.job(torn.id)?.granted == nil)
    }

    @Test func sameGrantTwiceEndsAlike() throws {
        try library.store.write { try $0.noteRelease() }
        _ = try refuse("cats/torn.png", 2, cut)
        let grant = Grant(tooLong: nil, acceptsDamage: true)
        #expect(try library.store.operations.retry(all, granting: grant).requeued.count == 1)
        let job = try #require(try library.claim().first)
        #expect(try granted(job, 2).damaged == hash(2))
        try library.finish(job, .refused(cut, content: hash(2)))

        let again = try library.store.operations.retry(all, granting: grant)
        let forced = try library.store.operations.retry(
            all, dryRun: true, isForced: true, granting: grant)

        #expect(again.skipped.map(\.why) == ["same result expected (--force)"])
        #expect(forced.requeued.count == 1)
    }

    @Test func acceptedDamageIsThatOfTheseBytes() {
        let concessions = Concessions(tooLong: .trim, damaged: hash(1))
        #expect(concessions.about(hash(1)) == concessions)
        #expect(concessions.about(hash(2)) == Concessions(tooLong: .trim))
        #expect(concessions.about(nil) == Concessions(tooLong: .trim))
    }

    @Test func concessionsStayWithTheStickerAndDecideItsRecipe() throws {
        _ = try refuse("cats/wave.gif", 1, long)
        try library.make("cats/other.png", 9)
        _ = try library.store.operations.retry(
            all, granting: Grant(tooLong: .trim, acceptsDamage: false))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1, recipe: "trimmed"), content: hash(1)))
        let recipe = { (_: CategoryNames, granted: Concessions) in
            RecipeIDs(granted.tooLong == .trim ? "trimmed" : "recipe")
        }

        #expect(try library.store.queue.redoStale(recipe: recipe) == 0)
        #expect(
            try library.store.operations.story(of: "wave")?.concessions
                == Concessions(tooLong: .trim))
        for category in try library.store.catalog.dirtyCategories() {
            _ = try library.publisher().publish(category)
        }
        let entry = try #require(try library.manifest("cats").stickers.first { $0.title == "wave" })
        #expect(entry.source.concessions == Concessions(tooLong: .trim))

        _ = try library.store.operations.renew("wave", tooLong: .ofTarget)
        #expect(try library.store.operations.story(of: "wave")?.concessions == nil)
        #expect(try library.claim().map { try granted($0, 1) } == [Concessions()])
    }

    @Test func newIDKeepsWhatWasGranted() throws {
        try library.make("cats/wave.gif", 1)
        _ = try library.store.operations.renew("wave", tooLong: .own(.fasterOrTrim))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1), content: hash(1)))

        _ = try library.store.operations.giveNewID(to: "wave")

        #expect(
            try library.store.operations.story(of: "wave_2")?.concessions
                == Concessions(tooLong: .fasterOrTrim))
    }

    /// Its bytes tell whose it is before it is published.
    @Test func copyOfAGrantedFileThatIsGoneIsGranted() throws {
        _ = try refuse("cats/torn.png", 2, cut)
        _ = try library.store.operations.retry(
            all, granting: Grant(tooLong: nil, acceptsDamage: true))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(2), content: hash(2)))
        _ = try library.store.queue.accept([], gone: [key("cats/torn.png")])
        try library.accept(sighting("dogs/other.png", 2))
        library.time.advance(.seconds(1))

        let copy = try #require(try library.claim().first)
        #expect(try granted(copy, 2).damaged == hash(2))
        #expect(try granted(copy, 3) == Concessions())
        try library.finish(copy, .made(product(2), content: hash(2)))
        #expect(try library.store.operations.story(of: "torn")?.concessions?.damaged == hash(2))
    }

    @Test func grantOutlivesTheIdThatAFileHadUntilItWasKnown() throws {
        try library.make("cats/wave.gif", 1)
        _ = try library.store.queue.accept([], gone: [key("cats/wave.gif")])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        _ = try refuse("cats/hello.gif", 1, long)
        _ = try library.store.operations.retry(
            all, granting: Grant(tooLong: .trim, acceptsDamage: false))

        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1, recipe: "trimmed"), content: hash(1)))

        #expect(
            try library.store.operations.story(of: "wave")?.concessions
                == Concessions(tooLong: .trim))
    }

    @Test func recipesWithAndWithoutAGrantDiffer() {
        let plain = Recipe(settings: StickerSettings())
        let damaged = plain.granting(Concessions(damaged: hash(1)))
        let trimmed = plain.granting(Concessions(tooLong: .trim))
        #expect(damaged.ids.still.whole != plain.ids.still.whole)
        #expect(damaged.ids.moving.whole != plain.ids.moving.whole)
        #expect(trimmed.ids.moving.whole != plain.ids.moving.whole)
        // Stills do not play too long.
        #expect(trimmed.ids.still == plain.ids.still)
        #expect(plain.granting(Concessions()).ids == plain.ids)
    }
}
