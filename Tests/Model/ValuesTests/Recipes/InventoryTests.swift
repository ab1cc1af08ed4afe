import StickerTestSupport
import Testing

@testable import StickerValues

/// Files reused from earlier work, and files ordered.
struct InventoryTests {
    private let recipe: Recipe
    private let ids: RecipeIDs

    init() throws {
        let targets = ["whatsapp", "discord", "telegram"]
        recipe = Recipe(
            settings: StickerSettings(), targets: targets.compactMap { Target.builtIn[$0] })
        ids = RecipeIDs(recipe) { $0 }
    }

    private func file(
        _ role: StickerFile.Role, _ name: String, for target: String? = nil, recipe: RecipeID? = nil
    ) -> StickerFile {
        StickerFile(
            role: role, target: target, recipe: recipe, format: .webp, size: .sticker, bytes: 1,
            sha256: ContentHash(rawValue: name),
            encoding: target.map { _ in Encoding(mode: .lossless) })
    }

    /// The files of release 0.5 for WhatsApp alone.
    private func alone(animated: Bool = false, revision: Int = Recipe.currentRevision)
        -> StickerProduct
    {
        let kind = ids[moves: animated]
        return StickerProduct(
            recipe: "another", sideRecipe: kind.sideFiles, revision: revision, animated: animated,
            encoding: Encoding(mode: .lossless),
            files: [
                file(.sticker, "w", for: "whatsapp", recipe: kind.renditions[0].recipe),
                file(.tray, "t"),
            ])
    }

    /// The results for the further targets.
    private var discord: StickerFile { file(.rendition, "d", for: "discord") }
    private var telegram: Shortfall {
        Shortfall(target: "telegram", Refusal(.willNotFit, "too large", remedy: "none"))
    }

    private func whole(_ inventory: Inventory) throws -> StickerProduct {
        try #require(inventory.product(adding: [discord], [telegram], animated: false))
    }

    @Test func everythingIsOrderedWhereNothingIsThere() {
        let inventory = Inventory(of: ids, among: [])

        #expect(!inventory.isComplete && inventory.product == nil)
        #expect(inventory.order(of: recipe) == recipe)
    }

    @Test func onlyWhatFurtherTargetsLackIsOrdered() {
        let order = Inventory(of: ids, among: [alone()]).order(of: recipe)

        #expect(!order.makesSticker)
        #expect(order.targetsToMake.map(\.name) == ["discord", "telegram"])
    }

    @Test func renditionsOfAStillStandStillWhateverTheirPictureDoes() {
        func drawsStill(_ products: [StickerProduct]) -> Bool {
            Inventory(of: ids, among: products).order(of: recipe).drawsStill
        }

        var another = alone()
        another.files[0].recipe = "another"
        #expect(drawsStill([alone()]) && !drawsStill([another]))
        #expect(!drawsStill([alone(animated: true)]) && !drawsStill([]))
    }

    @Test func appearanceIsThatOfTheStickerThatIsTaken() throws {
        let looks = Appearance(
            onDarkPercent: 90, onLightPercent: 80, marginPixels: 16, startsEmpty: false)
        var judged = alone()
        judged.appearance = looks

        // An earlier release judged nothing, and nothing is made for that alone.
        #expect(try whole(Inventory(of: ids, among: [alone()])).appearance == nil)
        #expect(try whole(Inventory(of: ids, among: [judged])).appearance == looks)
        let known = try whole(Inventory(of: ids, among: [judged]))
        #expect(Inventory(of: ids, among: [known]).product?.appearance == looks)
        let made = Inventory(of: ids, among: []).product(
            adding: alone().files + [discord], [telegram], animated: false, appearance: looks)
        #expect(made?.appearance == looks)
    }

    @Test func productHasTheFilesInTheOrderOfTheTargetsAndTheirRecipes() throws {
        let product = try whole(Inventory(of: ids, among: [alone()]))

        #expect(product.files.map(\.sha256.rawValue) == ["w", "t", "d"])
        #expect(product.files.map(\.role) == [.sticker, .tray, .rendition])
        #expect(product.files.last?.recipe == ids.still.recipe(for: "discord"))
        #expect(product.shortfalls.map(\.recipe) == [ids.still.recipe(for: "telegram")])
        #expect(product.recipe == ids.still.whole && product.sideRecipe == ids.still.sideFiles)
    }

    @Test func wholeProductIsFoundAgain() throws {
        let product = try whole(Inventory(of: ids, among: [alone()]))

        let again = Inventory(of: ids, among: [product, alone()])

        #expect(again.isComplete && again.product == product)
    }

    @Test func targetThatIsLeftOutCostsNothing() throws {
        let product = try whole(Inventory(of: ids, among: [alone()]))
        let fewer = Recipe(settings: StickerSettings())

        let found = Inventory(of: RecipeIDs(fewer) { $0 }, among: [product]).product

        #expect(found?.files.map(\.sha256.rawValue) == ["w", "t"])
        #expect(found?.shortfalls == [])
    }

    @Test func renditionBecomesTheStickerOfNobodyWithoutItsSideFiles() throws {
        let product = try whole(Inventory(of: ids, among: [alone()]))
        let turned = Recipe(
            settings: StickerSettings(), targets: [recipe.targets[1], recipe.targets[0]])

        let inventory = Inventory(of: RecipeIDs(turned) { $0 }, among: [product])
        let order = inventory.order(of: turned)

        #expect(order.makesSticker && order.targets.map(\.name) == ["discord"])
        let made = [file(.sticker, "D", for: "discord"), file(.tray, "T")]
        let turnedProduct = inventory.product(adding: made, [], animated: false)
        #expect(turnedProduct?.files.map(\.sha256.rawValue) == ["D", "T", "w"])
        #expect(turnedProduct?.files.map(\.role) == [.sticker, .tray, .rendition])
    }

    @Test func fileThatIsGoneIsOrderedAgain() throws {
        let product = try whole(Inventory(of: ids, among: [alone()]))

        let tray = Inventory(of: ids, among: [product]) { $0.role != .tray }
        let discord = Inventory(of: ids, among: [product]) { $0.role != .rendition }

        #expect(tray.order(of: recipe).makesSticker)
        #expect(tray.order(of: recipe).targets.map(\.name) == ["whatsapp"])
        #expect(!discord.order(of: recipe).makesSticker)
        #expect(discord.order(of: recipe).targetsToMake.map(\.name) == ["discord"])
    }

    @Test func oldestRevisionIsThatOfTheProduct() throws {
        let product = try whole(Inventory(of: ids, among: [alone(revision: 1)]))
        let fresh = try whole(Inventory(of: ids, among: [alone()]))

        #expect(product.revision == 1 && fresh.revision == Recipe.currentRevision)
    }

    @Test func pictureThatMovesAgainstWhatWasKnownIsMadeAsAWhole() throws {
        let moving = StickerSettings.withTrayBytes(9000)
        let other = RecipeIDs(Recipe(settings: moving, targets: recipe.targets)) { $0 }
        let product = try whole(Inventory(of: ids, among: [alone()]))
        let inventory = Inventory(of: other, among: [product])

        let made = [file(.sticker, "m", for: "whatsapp"), file(.tray, "t")]

        #expect(inventory.product(adding: made, [], animated: true) == nil)
        #expect(inventory.product(adding: made, [], animated: false)?.files.count == 3)
    }

    @Test func stickerThatMovesIsKeptWhateverTheRenditionsSay() throws {
        let inventory = Inventory(of: ids, among: [alone(animated: true)])

        let product = inventory.product(adding: [discord], [telegram], animated: false)

        #expect(product?.animated == true)
        #expect(product?.files.map(\.sha256.rawValue) == ["w", "t", "d"])
        #expect(product?.recipe == ids.moving.whole)
    }

    /// An animated PNG that release 0.4 published as a still stays one.
    @Test func stillOfWhatMovesTodayIsThere() {
        let recipe = Recipe(settings: StickerSettings())

        #expect(Inventory(of: RecipeIDs(recipe) { $0 }, among: [alone()]).isComplete)
        #expect(Inventory(of: RecipeIDs(recipe) { $0 }, among: [alone(animated: true)]).isComplete)
    }

    @Test func whatNobodyKnowsTheRecipeOfIsNotReused() {
        var rebuilt = alone()
        rebuilt.sideRecipe = nil
        rebuilt.files[0].recipe = nil

        #expect(Inventory(of: ids, among: [rebuilt]).order(of: recipe) == recipe)
    }
}

extension StickerSettings {
    fileprivate static func withTrayBytes(_ bytes: Int) -> StickerSettings {
        var settings = StickerSettings()
        settings.trayBytesMax = bytes
        return settings
    }
}
