import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// A category's recipe changed: its stickers are made again, and served meanwhile.
struct RedoTests {
    /// `cats` by this recipe, all others as the pictures were made.
    private func recipes(cats: String) -> (CategoryNames, Concessions) -> RecipeIDs {
        { names, _ in RecipeIDs(names.folder == Array("cats".utf8) ? cats : "recipe") }
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

        let plan = try library.store.queue.stale(recipe: recipes(cats: "new"))

        #expect(plan.map(\.category.rawValue) == ["cats", "dogs"])
        #expect(plan.map(\.stickers) == [2, 1] && plan.map(\.stale) == [2, 0])
        #expect(plan.first?.staleBytes == 2 * 4 * 10)
        #expect(try library.claim().isEmpty)
    }

    @Test func onlyWhatIsStaleIsQueuedAndOnce() throws {
        let library = try library()

        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 2)
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 0)

        let jobs = try library.claim(5)
        #expect(jobs.map(\.source.name).sorted { $0[0] < $1[0] }.map { $0[0] } == [97, 98])
    }

    @Test func endOfAPublishedFileIsNotWaitedForAgain() throws {
        let library = try library()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))

        let job = try #require(try library.claim().first)

        #expect(job.ageMilliseconds >= library.policy.arrivingMax.milliseconds)
    }

    @Test func freshFilePassesTheQueue() throws {
        let library = try library()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))

        try library.accept(sighting("dogs/new.png"))

        #expect(try library.claim().first?.source == key("dogs/new.png"))
    }

    @Test func oldPictureIsServedUntilTheNewOneIsThere() throws {
        let library = try library()
        let publisher = try library.publisher()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))
        let job = try #require(try library.claim().first)
        _ = try publisher.publish(job.category)
        let before = try library.manifest("cats")

        try library.finish(job, .made(product(1, recipe: "new"), content: hash(1)))
        _ = try publisher.publish(job.category)

        let after = try library.manifest("cats")
        #expect(before.stickers.count == 2 && after.stickers.count == 2)
        #expect(before.stickers.map(\.identifier) == after.stickers.map(\.identifier))
        #expect(before.stickers[0].imageURL != after.stickers[0].imageURL)
        #expect(try library.store.operations.usage().categories.first?.oldRevisions.pictures == 1)
    }

    @Test func refusalUnderTheNewRecipeKeepsTheOldPictureAndIsNotRepeated() throws {
        let library = try library()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        for job in try library.claim(5) {
            try library.finish(job, .refused(refusal, content: hash(1)))
        }

        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 0)
        #expect(try library.store.operations.status().needAttention == 2)
        #expect(try library.store.operations.status().stickers == 3)
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "newer")) == 2)
    }

    /// Under new settings both pictures of `cats` are refused.
    private func refusedLibrary() throws -> Library {
        let library = try library()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        for job in try library.claim(5) { try library.finish(job, .refused(refusal, content: nil)) }
        return library
    }

    @Test func refusalIsSettledWhenTheSettingsThatCausedItAreTakenBack() throws {
        let library = try refusedLibrary()
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 0)
        #expect(try library.store.operations.status().needAttention == 2)

        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "recipe")) == 0)

        #expect(try library.store.operations.status().needAttention == 0)
    }

    @Test func refusalIsSettledWhenTheFileIsPublishedByOtherSettings() throws {
        let library = try refusedLibrary()
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "newer")) == 2)
        #expect(try library.store.operations.status().needAttention == 2)

        let job = try #require(try library.claim().first)
        try library.finish(job, .made(product(1, recipe: "newer"), content: hash(1)))

        #expect(try library.store.operations.status().needAttention == 1)
    }

    @Test func planLeavesOutWhatIsRefusedOrQueuedAlready() throws {
        let library = try refusedLibrary()

        let refused = try library.store.queue.stale(recipe: recipes(cats: "new"))
        let other = try library.store.queue.stale(recipe: recipes(cats: "newer"))

        #expect(refused.first?.stale == 0 && refused.first?.stickers == 2)
        #expect(other.first?.stale == 2)
    }

    @Test func planKnowsTheFilesOfEarlierSettings() throws {
        let library = try library()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))
        for (job, content) in zip(try library.claim(5), [1, 2]) {
            try library.finish(
                job, .made(product(content, recipe: "new"), content: hash(content)))
        }

        let plan = try library.store.queue.stale(recipe: recipes(cats: "recipe"))

        #expect(plan.first?.stale == 0 && plan.first?.relisted == 2)
    }

    @Test func fileThatIsBeingLookedAtAnewIsLeftToThat() throws {
        let library = try library()
        try library.accept(sighting("cats/a.png", 7))

        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 1)
    }

    @Test func whatIsToBeMadeAnewIsQueuedAgainWhenItsFileWentAndCameBack() throws {
        let library = try library()
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 2)

        _ = try library.store.queue.accept([], gone: [key("cats/a.png")])
        let back = try library.store.queue.accept([sighting("cats/a.png", 1)])
        let moved = try library.store.queue.accept(
            [sighting("cats/c.png", 2, inode: sighting("cats/b.png").version.inode)],
            gone: [key("cats/b.png")])

        #expect(back.returned == 1 && moved.returned == 1 && moved.renamed.count == 1)
        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 2)
    }

    @Test func picturesWhoseFilesAreGoneLeaveTheManifestAndAreMadeAnew() throws {
        let library = try library()
        let publisher = try library.publisher()
        let objects = try ObjectStore(out: library.out)
        let housekeeper = Housekeeper(
            catalog: library.store.catalog, objects: objects, out: library.out)
        let hashes = try objects.place(
            product(3).files.map { file in
                NewObject(bytes: Array(file.path.utf8), format: file.format)
            })
        #expect(hashes.count == 4)

        let lost = try housekeeper.noteLost()
        for category in try library.store.catalog.dirtyCategories() {
            _ = try publisher.publish(category)
        }
        #expect(lost == 3)
        #expect(try library.manifest("cats").stickers.isEmpty)
        #expect(try library.manifest("cats").imageURL == nil)

        #expect(try library.store.queue.redoStale { _, _ in RecipeIDs("recipe") } == 3)
        for job in try library.claim(5) where job.source == key("cats/a.png") {
            try library.finish(job, .made(product(1), content: hash(1)))
        }
        _ = try publisher.publish(CategoryID(rawValue: "cats"))
        let stickers = try library.manifest("cats").stickers
        #expect(stickers.map(\.identifier.rawValue) == ["a"])
        #expect(
            try library.store.packs.knownProducts(of: hash(1)).map(\.recipe.rawValue) == ["recipe"])
        #expect(try library.store.queue.redoStale { _, _ in RecipeIDs("recipe") } == 0)
    }

    @Test func outputThatWasMadeAgainSinceTheLookIsNotLost() throws {
        let library = try library()
        let publisher = try library.publisher()
        let outputs = try (1...3).flatMap { number in
            try library.store.read { try $0.products(of: hash(number)).map(\.id) }
        }
        #expect(outputs.count == 3)

        #expect(try library.store.catalog.noteLost(outputs) { _ in false } == 0)

        for category in try library.store.catalog.dirtyCategories() {
            _ = try publisher.publish(category)
        }
        #expect(try library.manifest("cats").stickers.count == 2)
        #expect(try library.store.catalog.noteLost(outputs) { $0.hasPrefix("_/") } == 3)
    }

    @Test func everyStickerAndCoverWithLostFilesComesBackWithTheFirstThatIsMade() throws {
        let library = try library()
        let publisher = try library.publisher()
        let housekeeper = try library.housekeeper()
        try library.make("dogs/twin.png", 1)
        try library.make("birds/cover.png", 1)
        try library.make("birds/d.png", 4)
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        let before = try library.manifest("birds").imageURL
        #expect(try housekeeper.noteLost() == 4)
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }
        #expect(try library.manifest("dogs").stickers.isEmpty)
        _ = try library.store.queue.redoStale { _, _ in RecipeIDs("recipe") }

        var changed: Set<CategoryID> = []
        for job in try library.claim(9) where job.source == key("cats/a.png") {
            changed = try library.finish(job, .made(product(1), content: hash(1))).changedCategories
        }
        for category in try library.store.catalog.dirtyCategories() {
            try publisher.publish(category)
        }

        #expect(changed.map(\.rawValue).sorted() == ["birds", "cats", "dogs"])
        #expect(try library.manifest("dogs").stickers.map(\.identifier.rawValue) == ["twin"])
        #expect(try library.manifest("birds").imageURL == before && before != nil)
    }

    @Test func refusalOfOtherBytesIsNoReasonToLeaveALostStickerOut() throws {
        let library = try library()
        let housekeeper = try library.housekeeper()
        _ = try library.store.queue.redoStale(recipe: recipes(cats: "new"))
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        for job in try library.claim(5) { try library.finish(job, .refused(refusal, content: nil)) }
        for (path, content) in [("cats/a.png", 7), ("cats/b.png", 8)] {
            try library.accept(sighting(path, Int64(content)))
            library.time.advance(.seconds(1))
            let job = try #require(try library.claim().first)
            try library.finish(job, .made(product(content, recipe: "new"), content: hash(content)))
        }
        _ = try housekeeper.noteLost()

        #expect(try library.store.queue.redoStale(recipe: recipes(cats: "new")) == 3)
    }

    @Test func filesThatWereReplacedMayBeMissing() throws {
        let library = try Library()
        let objects = try ObjectStore(out: library.out)
        let housekeeper = Housekeeper(
            catalog: library.store.catalog, objects: objects, out: library.out)
        let bytes = Array("picture".utf8)
        let placed = try #require(
            try objects.place([NewObject(bytes: bytes, format: .webp)]).first)
        func made(_ hash: ContentHash, _ count: Int) -> StickerProduct {
            let file = StickerFile(
                role: .sticker, target: "whatsapp", recipe: "recipe", format: .webp, size: .sticker,
                bytes: count, sha256: hash, encoding: Encoding(mode: .lossless))
            return StickerProduct(
                recipe: "recipe", animated: false, encoding: Encoding(mode: .lossless),
                files: [file])
        }
        try library.accept(sighting("cats/a.png"))
        try library.finish(
            try #require(try library.claim().first), .made(made(hash(9), 1), content: hash(1)))
        _ = try library.store.operations.renew("a")
        try library.finish(
            try #require(try library.claim().first),
            .made(made(placed, bytes.count), content: hash(1)))

        #expect(try housekeeper.noteLost() == 0)
    }

    @Test func lostPictureIsNotNamedAgainBecauseOfAnotherSetting() throws {
        let library = try library()
        let publisher = try library.publisher()
        let objects = try ObjectStore(out: library.out)
        let housekeeper = Housekeeper(
            catalog: library.store.catalog, objects: objects, out: library.out)
        #expect(try housekeeper.noteLost() == 3)

        library.policy.publicBaseURL = "https://stickers.example/"
        try library.store.catalog.refreshEntries()
        _ = try publisher.publish(CategoryID(rawValue: "cats"))

        #expect(try library.manifest("cats").stickers.isEmpty)
        #expect(try housekeeper.noteLost() == 0)
    }

    @Test func anotherDefaultCategoryTakesTheFilesOfTheDropItself() throws {
        let library = try Library()
        let publisher = try library.publisher()
        try library.make("root.png", 1)
        try library.make("stickers/below.png", 2)
        try library.make("cover.png", 3)  // no cover, as it lies in no folder

        let recipes: (CategoryNames, Concessions) -> RecipeIDs = { names, _ in
            RecipeIDs(names.folder == nil || names.folder == Array("misc".utf8) ? "new" : "recipe")
        }
        let plan = try library.store.queue.stale(recipe: recipes)
        library.policy.defaultCategory = "misc"
        #expect(try library.store.catalog.moveToDefaultCategory() == 2)
        #expect(try library.store.catalog.moveToDefaultCategory() == 0)
        for category in try library.store.catalog.dirtyCategories() {
            _ = try publisher.publish(category)
        }

        #expect(
            try library.manifest("misc").stickers.map(\.identifier.rawValue) == ["cover", "root"])
        #expect(try library.manifest("stickers").stickers.map(\.identifier.rawValue) == ["below"])
        #expect(plan.map(\.stale) == [2])
        #expect(try library.store.queue.redoStale(recipe: recipes) == 2)
        for job in try library.claim(5) {
            #expect(job.category == CategoryID(rawValue: "misc"))
            try library.finish(job, .made(product(9, recipe: "new"), content: hash(9)))
        }
        #expect(try library.store.queue.redoStale(recipe: recipes) == 0)
    }
}
