import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// A release that changes a default takes libraries over as they are: here as if `nearest` were the newer default.
struct ChangedDefaultsTests {
    private let library: Library
    private let change = ChangedDefault(
        "sticker.resample", revision: 9, \.resample, from: .lanczos3, to: .nearest)
    /// The key is absent, or spelled out as the newer default.
    private let plain: Configuration

    init() throws {
        library = try Library()
        var configuration = Configuration()
        configuration.sticker.resample = .nearest
        plain = configuration
    }

    /// A category whose file of before spells the older default out.
    private func spelled(_ category: String) -> Configuration {
        var configuration = plain
        configuration.sticker.resample = .nearest
        var own = configuration.sticker
        own.resample = .lanczos3
        configuration.categories[category] = own
        return configuration
    }

    private func make(
        _ path: String, _ content: Int, by configuration: Configuration? = nil
    ) throws {
        let older = configuration ?? plain.before([change])
        let names = CategoryNames(folder: key(path).categoryFolder)
        let ids = older.recipe(of: names).ids.still
        var made = product(content, recipe: ids.whole, revision: 4)
        made.sideRecipe = ids.sideFiles
        made.files[0].recipe = ids.renditions[0].recipe
        try library.accept(sighting(path, Int64(content)))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(made, content: hash(content)))
    }

    private func stale(_ configuration: Configuration) throws -> Int {
        try library.store.queue.redoStale { configuration.recipe(of: $0).granting($1).ids }
    }

    @discardableResult
    private func adopt(_ configuration: Configuration) throws -> Int {
        try library.store.catalog.adoptChangedDefaults([change], in: configuration)
    }

    @Test func nothingIsMadeAgainWhereTheKeyIsAbsent() throws {
        try make("cats/a.png", 1)

        #expect(try adopt(plain) == 1)

        #expect(try stale(plain) == 0)
        #expect(try library.store.packs.knownProducts(of: hash(1)).map(\.revision) == [4])
    }

    @Test func nothingIsMadeAgainWhereTheOlderDefaultIsSpelledOut() throws {
        try make("cats/a.png", 1)
        var configuration = Configuration()
        configuration.sticker.resample = .lanczos3

        #expect(try adopt(configuration) == 0)

        #expect(try stale(configuration) == 0)
    }

    /// The same picture in two categories, of which one spells the older default out.
    @Test func sharedPictureKeepsBothNames() throws {
        let configuration = spelled("cats")
        try make("cats/a.png", 1)
        try make("dogs/a.png", 1)
        try make("dogs/b.png", 1)

        try adopt(configuration)

        #expect(try stale(configuration) == 0)
        #expect(try library.store.packs.knownProducts(of: hash(1)).count == 2)
        #expect(
            try library.store.catalog.liveProduct(of: key("dogs/a.png"))
                == library.store.catalog.liveProduct(of: key("dogs/b.png")))
    }

    @Test func twinsOfOneCategoryStillShareTheirFiles() throws {
        for path in ["cats/a.png", "cats/b.png", "dogs/a.png"] { try make(path, 1) }

        try adopt(plain)

        #expect(try stale(plain) == 0)
        let live = try library.store.read {
            try $0.rows("SELECT DISTINCT output FROM source WHERE output IS NOT NULL")
        }
        #expect(live.count == 1)
    }

    /// One of them was deleted before, and waits in the trash.
    @Test func twinsThatAgreeKeepTheirOutputAndNothingIsReleased() throws {
        for path in ["cats/a.png", "cats/b.png", "cats/c.png"] { try make(path, 1) }
        try library.accept(gone: [key("cats/c.png")])
        library.time.advance(.seconds(60))
        _ = try library.store.catalog.expireMissing()
        func outputs() throws -> String? {
            try library.store.read {
                try $0.value(
                    "SELECT group_concat(id || ' ' || coalesce(keep_until, 'shown')) FROM output")
            }
        }
        let before = try outputs()

        try adopt(plain)

        #expect(try stale(plain) == 0)
        #expect(try outputs() == before)
    }

    @Test func jobThatWaitsHasThePresentRecipe() throws {
        try make("cats/a.png", 1)
        var older = plain.before([change])
        older.sticker.qualityMin = 50
        #expect(try stale(older) == 1)
        var newer = plain
        newer.sticker.qualityMin = 50

        try adopt(newer)

        let recipe = newer.recipe(of: CategoryNames(folder: Array("cats".utf8))).ids.still.whole
        let waiting: String? = try library.store.read {
            try $0.value("SELECT recipe FROM job WHERE state = 'available'")
        }
        #expect(waiting == recipe.rawValue)
    }

    @Test func changesAreLeftUntilTheyAreTakenOver() throws {
        #expect(try library.store.catalog.defaultsToAdopt(of: [change]).map(\.key) == [change.key])
        try adopt(plain)
        #expect(try library.store.catalog.defaultsToAdopt(of: [change]).isEmpty)
    }

    @Test func whatAnOperatorChangesAfterwardsIsMadeAgain() throws {
        try make("cats/a.png", 1)
        try adopt(plain)
        var other = plain
        other.sticker.resample = .lanczos3

        #expect(try stale(other) == 1)
    }

    @Test func whatAnOperatorChangedWithTheUpgradeIsMadeAgain() throws {
        try make("cats/a.png", 1)
        var other = plain
        other.sticker.qualityMin = 50

        #expect(try adopt(other) == 0)
        #expect(try stale(other) == 1)
    }

    @Test func changeIsTakenOverOnce() throws {
        try adopt(plain)
        try make("cats/a.png", 1)

        #expect(try adopt(plain) == 0)
        #expect(try stale(plain) == 1)
    }

    @Test func refusalStaysTheRefusalOfItsRecipe() throws {
        try make("cats/a.png", 1)
        var older = plain.before([change])
        older.sticker.qualityMin = 50
        #expect(try stale(older) == 1)
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        try library.finish(
            try #require(try library.claim().first), .refused(refusal, content: hash(1)))
        var newer = plain
        newer.sticker.qualityMin = 50

        try adopt(newer)

        #expect(try stale(newer) == 0)
        #expect(try library.store.operations.status().needAttention == 1)
    }

    /// Stickers that wait for their file, and kept files of replaced ones, are found under the new name.
    @Test func whatIsKeptIsNamedAsWell() throws {
        try make("cats/a.png", 1)
        try library.accept(gone: [key("cats/a.png")])

        try adopt(plain)

        let names = CategoryNames(folder: Array("cats".utf8))
        let ids = plain.recipe(of: names).ids
        let products = try library.store.packs.knownProducts(of: hash(1))
        #expect(Inventory(of: ids, among: products).isComplete)
    }

    @Test func picturesOfPacksAreNamedForTargetsThatTheCategoryDoesNotHave() throws {
        try make("cats/a.png", 1)
        let discord = try #require(Target.builtIn["discord"])
        let before = plain.before([change])
        var pack = product(1, recipe: "pack", revision: 4, files: 3)
        pack.files = [pack.files[0]]
        func recipe(_ configuration: Configuration) -> RecipeID? {
            Recipe(settings: configuration.sticker, targets: [discord]).ids.still
                .recipe(for: "discord")
        }
        (pack.files[0].role, pack.files[0].target) = (.rendition, "discord")
        pack.files[0].recipe = recipe(before)
        try library.store.packs.keep(pack, of: hash(1))

        try adopt(plain)

        let known = try library.store.packs.knownProducts(of: hash(1)).flatMap(\.files).map(
            \.recipe)
        #expect(known.contains(recipe(plain)) && !known.contains(recipe(before)))
    }
}
