import GRDB
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// Stickers of release 0.4 are recognised by their settings, and no others.
struct AdoptTests {
    private let library: Library

    init() throws { library = try Library() }

    private func ids(_ settings: StickerSettings) -> RecipeIDs { Recipe(settings: settings).ids }

    private func settings(matte: String) -> StickerSettings {
        var settings = StickerSettings()
        settings.matte = matte
        return settings
    }

    private func idOfRelease04(_ settings: StickerSettings) throws -> RecipeID {
        try Recipe.idOfRelease04(settings.before(ChangedDefault.all))
    }

    /// Books a product as release 0.4 did: parts have no recipes.
    private func make(
        _ path: String, _ content: Int, by settings: StickerSettings, animated: Bool = false
    ) throws {
        var made = product(content, recipe: try idOfRelease04(settings))
        made.sideRecipe = nil
        made.files[0].recipe = nil
        made.animated = animated
        try library.accept(sighting(path, Int64(content)))
        library.time.advance(.seconds(1))
        let job = try #require(try library.claim().first)
        try library.finish(job, .made(made, content: hash(content)))
    }

    /// The library as release 0.4 left it is opened by this one.
    ///
    /// - Returns: how many pictures were recognised.
    private func adopt(
        _ settings: StickerSettings, _ others: StickerSettings...
    ) throws -> Int {
        var configuration = StickerConfiguration.Configuration()
        configuration.sticker = settings
        for (number, other) in others.enumerated() {
            configuration.categories["category \(number)"] = other
        }
        try library.store.write { try $0.undoMigration() }
        try library.store.close()
        try library.reopen(adopting: EarlierRecipes(configuration))
        return try #require(library.store.upgrade).adopted
    }

    private func stale(_ settings: StickerSettings) throws -> Int {
        try library.store.queue.redoStale { _, _ in ids(settings) }
    }

    /// The ids are those that 0.4 wrote into its databases: one stands in the library of that release.
    @Test func idOfRelease04IsFrozen() throws {
        let id = try Recipe.idOfRelease04(StickerSettings().before(ChangedDefault.all))

        let fixture = Repository.path(
            "Tests/EndToEndTests/Fixtures/library-0.4.0/state/stickerd.sqlite")
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: fixture, configuration: configuration)
        let recipes = try database.read {
            try String.fetchAll($0, sql: "SELECT DISTINCT recipe FROM output")
        }
        #expect(recipes == [id.rawValue])
    }

    @Test func stillsAndAnimationsAreTakenOverAsTheyAre() throws {
        let settings = StickerSettings()
        try make("cats/a.png", 1, by: settings)
        try make("cats/b.gif", 2, by: settings, animated: true)

        #expect(try adopt(settings) == 2)

        #expect(try stale(settings) == 0)
        #expect(
            try library.store.packs.knownProducts(of: hash(1)).map(\.recipe)
                == [ids(settings).still.whole])
        #expect(
            try library.store.packs.knownProducts(of: hash(2)).map(\.recipe)
                == [ids(settings).moving.whole])
    }

    @Test func whatWasTakenOverCountsAsMadeByItsParts() throws {
        let settings = StickerSettings()
        try make("cats/a.png", 1, by: settings)
        #expect(try adopt(settings) == 1)
        let targets = ["whatsapp", "discord"].compactMap { Target.builtIn[$0] }
        let recipe = Recipe(settings: settings, targets: targets)

        let inventory = Inventory(
            of: recipe.ids, among: try library.store.packs.knownProducts(of: hash(1)))

        #expect(!inventory.order(of: recipe).makesSticker)
        #expect(inventory.order(of: recipe).targetsToMake.map(\.name) == ["discord"])
    }

    @Test func whatItRefusedIsNotTriedAgain() throws {
        let settings = StickerSettings()
        try make("cats/a.png", 1, by: self.settings(matte: "#123456"))
        let older = RecipeIDs(try idOfRelease04(settings).rawValue)
        #expect(try library.store.queue.redoStale { _, _ in older } == 1)
        let refusal = Refusal(.willNotFit, "no encoding fits", remedy: "simplify it")
        let job = try #require(try library.claim().first)
        try library.finish(job, .refused(refusal, content: hash(1)))

        #expect(try adopt(settings) == 0)

        #expect(try stale(settings) == 0)
        #expect(try library.store.operations.story(of: "a")?.made != nil)
    }

    @Test func whatOtherSettingsMadeIsMadeAgain() throws {
        try make("cats/a.gif", 1, by: settings(matte: "#123456"), animated: true)

        #expect(try adopt(StickerSettings()) == 0)

        #expect(try stale(StickerSettings()) == 1)
    }

    /// A matte concerns no still: what were two recipes is one now.
    @Test func recipesThatBecameOneAreTakenOverWithoutAQuarrel() throws {
        let (white, black) = (settings(matte: "#FFFFFF"), settings(matte: "#000000"))
        try make("cats/a.png", 1, by: white)
        try make("dogs/a.png", 1, by: black)

        #expect(try adopt(white, black) == 1)

        #expect(try stale(white) == 1)
        let job = try #require(try library.claim().first)
        let products = try library.store.packs.knownProducts(of: hash(1))
        let known = try #require(Inventory(of: ids(white), among: products).product)
        try library.finish(job, .made(known, content: hash(1)))
        #expect(try stale(white) == 0)
    }

    /// Keys that are new were in no recipe of 0.4: one category has one of them, and the pictures of the others stay.
    @Test func categoryWithANewKeyTakesNoOthersPictures() throws {
        let settings = StickerSettings()
        var outlined = settings
        outlined.outline.pixels = 9
        try make("cats/a.png", 1, by: settings)

        #expect(try adopt(settings, outlined) == 1)

        #expect(library.store.upgrade?.isCurrent == false)
        #expect(try stale(settings.before(ChangedDefault.all)) == 0)
    }

    /// Two categories shared a default that changed, and one names it: then files are distinguished one by one.
    @Test func settingsThatPartedSinceAreToldApart() throws {
        let spelled = StickerSettings().before(ChangedDefault.all)
        try make("cats/a.png", 1, by: spelled)

        #expect(try adopt(StickerSettings(), spelled) == 1)

        #expect(try stale(spelled) == 0)
        #expect(library.store.upgrade?.isCurrent == false)
    }

    // MARK: The tables of release 0.4

    @Test func lostAndRebuiltOutputsAreKnownAsWhatTheyAre() throws {
        for number in 1...3 { try library.make("cats/\(number).png", number) }
        try library.store.write { transaction in
            try transaction.run("UPDATE output SET recipe = 'lost-1' WHERE id = 1")
            try transaction.run("UPDATE output SET recipe = 'rebuilt' WHERE id = 2")
            try transaction.undoMigration()
        }

        try library.reopen()

        let marks = try library.store.read { transaction in
            try transaction.rows("SELECT is_lost, is_rebuilt, revision FROM output ORDER BY id")
                .map { [$0[0], $0[1], $0[2]] as [Int] }
        }
        #expect(marks == [[1, 0, 4], [0, 1, 4], [0, 0, 4]])
        #expect(try library.store.queue.redoStale { _, _ in RecipeIDs("recipe") } == 2)
    }

    /// A sticker that a newer revision would not improve counts as made by it, so nothing is made again in vain.
    @Test func revisionsRiseWithWhatTheyMakeNoBetter() throws {
        for number in 1...4 { try library.make("cats/\(number).png", number) }
        try library.store.write { transaction in
            try transaction.run(
                """
                UPDATE output SET product = json_set(product, '$.animated', json('true'))
                WHERE id <= 2
                """)
            try transaction.run(
                """
                UPDATE output SET product = json_set(product, '$.encoding.mode', 'lossy')
                WHERE id IN (1, 3)
                """)
            try transaction.undoMigration()
        }

        try library.reopen()

        let revisions = try library.store.read { transaction in
            try transaction.rows(
                """
                SELECT revision, json_extract(product, '$.revision') FROM output ORDER BY id
                """
            ).map { [$0[0], $0[1]] as [Int] }
        }
        #expect(revisions == [[3, 3], [4, 4], [2, 2], [4, 4]], "stickers with loss alone gain")
    }

    @Test func stickersOfRelease04AreForWhatsApp() throws {
        try library.make("cats/a.png", 1)
        try library.store.write { transaction in
            try transaction.run(
                """
                UPDATE output SET product = json_remove(product, '$.files[0].target',
                    '$.files[0].encoding', '$.revision', '$.shortfalls')
                """)
            try transaction.undoMigration()
        }

        try library.reopen()

        let products = try library.store.packs.knownProducts(of: hash(1))
        #expect(products.map(\.files[0].target) == ["whatsapp"])
        #expect(products.map(\.files[0].encoding) == [Encoding(mode: .lossless)])
        #expect(products.map(\.revision) == [4] && products.map(\.shortfalls) == [[]])
    }

    /// Release 0.4 noted no sizes beside the product.
    @Test func sizesAreKnownBeforeAndAfterTheyAreNoted() throws {
        try library.make("cats/a.png", 1)
        try library.store.catalog.refreshEntries()
        let bytes = try library.store.operations.usage()
        #expect(bytes.totalBytes > 0)
        try library.store.write { transaction in
            try transaction.run("UPDATE output_file SET bytes = NULL")
            _ = try transaction.markStale(CategoryID(rawValue: "cats"))
        }

        var before = try library.store.operations.usage()
        before.databaseBytes = bytes.databaseBytes
        #expect(before == bytes)
        #expect(try library.store.catalog.settleEntries(of: CategoryID(rawValue: "cats")))

        let unknown = try library.ask("SELECT count(*) FROM output_file WHERE bytes IS NULL")
        #expect(unknown == ["0"])
        #expect(try library.store.operations.usage().totalBytes == bytes.totalBytes)
    }

    @Test func timeThatSearchesTookIsReadOutOfTheirLogsOnce() throws {
        for (number, steps) in [["read", "fit", "place"], ["read", "compare"]].enumerated() {
            try library.accept(sighting("cats/\(number).png", Int64(number)))
            let job = try #require(try library.claim().first)
            var log = StepLog()
            for step in steps { log.append(StepEntry(step, milliseconds: 10, "")) }
            let made = JobOutcome.made(product(number), content: hash(number))
            _ = try library.store.queue.turn(
                finished: [FinishedJob(job: job, outcome: made, log: log)], claiming: .any(0))
        }
        #expect(try library.store.operations.averageJobMilliseconds() == nil)
        try library.store.write { try $0.undoMigration() }

        try library.reopen()

        #expect(try library.store.operations.averageJobMilliseconds() == 30)
    }
}
