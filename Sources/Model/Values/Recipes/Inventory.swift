/// Existing and missing files of a recipe for given bytes.
public struct Inventory: Sendable {
    /// The known result for a further target.
    private enum Answer {
        case file(StickerFile)
        case shortfall(Shortfall)
    }

    private let wanted: RecipeIDs
    /// Whether the picture moves, as far as earlier products show.
    private let moves: Bool
    /// The sticker and its side files; empty if they are to be made.
    private var sticker: [StickerFile] = []
    private var appearance: Appearance?
    private var answers: [String: Answer] = [:]
    private var revision = Recipe.currentRevision

    /// Compares the wanted with the existing files.
    ///
    /// - Parameters:
    ///   - wanted: the ids of the recipe.
    ///   - products: all products of these bytes, by any recipe; better ones first.
    ///   - isThere: whether a file exists and can be relied on.
    public init(
        of wanted: RecipeIDs, among products: [StickerProduct],
        isThere: (StickerFile) -> Bool = { _ in true }
    ) {
        self.wanted = wanted
        let whole = products.first { $0.isSticker(of: wanted[moves: $0.animated]) }
        moves = (whole ?? products.first)?.animated ?? false
        if let whole {
            let files = whole.files.filter { $0.role != .rendition }
            if files.allSatisfy(isThere) {
                sticker = files
                appearance = whole.appearance
                revision = whole.revision
            }
        }
        for product in products where product.animated == moves { take(from: product, isThere) }
    }

    private mutating func take(from product: StickerProduct, _ isThere: (StickerFile) -> Bool) {
        for (target, recipe) in kind.renditions.dropFirst().map({ ($0.target, $0.recipe) })
        where answers[target] == nil {
            let file = product.files.first { $0.recipe == recipe && isThere($0) }
            if var file {
                (file.role, file.target) = (.rendition, target)
                answers[target] = .file(file)
            } else if var shortfall = product.shortfalls.first(where: { $0.recipe == recipe }) {
                shortfall.target = target
                answers[target] = .shortfall(shortfall)
            } else {
                continue
            }
            revision = min(revision, product.revision)
        }
    }

    private var kind: RecipeIDs.Kind { wanted[moves: moves] }

    /// The further targets without a known result.
    public var missing: [String] {
        kind.renditions.dropFirst().map(\.target).filter { answers[$0] == nil }
    }

    /// Whether every file of the recipe exists.
    public var isComplete: Bool { !sticker.isEmpty && missing.isEmpty }

    /// The product, if nothing is missing.
    public var product: StickerProduct? { isComplete ? assembled(sticker, moves: moves) : nil }

    /// The existing files that stay.
    public var kept: [StickerFile] {
        sticker
            + answers.values.compactMap { answer in
                if case .file(let file) = answer { file } else { nil }
            }
    }

    /// The part of `recipe` still to be made.
    public func order(of recipe: Recipe) -> Recipe {
        var part = recipe.part(for: Set(missing), makesSticker: sticker.isEmpty)
        part.drawsStill = recipe.drawsStill || (!sticker.isEmpty && !moves)
        return part
    }

    /// Combines existing files with those made for `order`.
    ///
    /// - Parameters:
    ///   - files: the new files, the sticker first if it was ordered.
    ///   - shortfalls: the targets without a possible file.
    ///   - animated: whether the sticker moves, if it was made.
    ///   - appearance: the sticker's appearance, if it was made.
    /// - Returns: the product; `nil` if the picture turned out to move although the existing files are still, or vice
    ///   versa: then none of them can be used.
    public func product(
        adding files: [StickerFile], _ shortfalls: [Shortfall], animated: Bool,
        appearance: Appearance? = nil
    ) -> StickerProduct? {
        // Renditions do not show whether the sticker moves; the existing one does.
        let animated = sticker.isEmpty ? animated : moves
        guard animated == moves || answers.isEmpty else { return nil }
        let kind = wanted[moves: animated]
        var whole = self
        for var file in files where file.role == .rendition {
            file.recipe = kind.recipe(for: file.target)
            if let target = file.target { whole.answers[target] = .file(file) }
        }
        for var shortfall in shortfalls {
            shortfall.recipe = kind.recipe(for: shortfall.target)
            whole.answers[shortfall.target] = .shortfall(shortfall)
        }
        var own = files.filter { $0.role != .rendition }
        if !own.isEmpty {
            own[0].recipe = kind.renditions[0].recipe
            whole.appearance = appearance
        }
        return whole.assembled(own.isEmpty ? sticker : own, moves: animated)
    }

    private func assembled(_ sticker: [StickerFile], moves: Bool) -> StickerProduct {
        let kind = wanted[moves: moves]
        var files = sticker
        var shortfalls: [Shortfall] = []
        files[0].target = kind.renditions[0].target
        for rendition in kind.renditions.dropFirst() {
            switch answers[rendition.target] {
            case .file(let file): files.append(file)
            case .shortfall(let shortfall): shortfalls.append(shortfall)
            case nil: preconditionFailure("nothing is known of \(rendition.target)")
            }
        }
        guard let encoding = files[0].encoding else {
            preconditionFailure("a sticker without its encoding")
        }
        return StickerProduct(
            recipe: kind.whole, sideRecipe: kind.sideFiles, revision: revision, animated: moves,
            encoding: encoding, files: files, shortfalls: shortfalls, appearance: appearance)
    }
}

extension StickerProduct {
    /// Whether its sticker and side files were made by these recipes.
    fileprivate func isSticker(of kind: RecipeIDs.Kind) -> Bool {
        sideRecipe == kind.sideFiles && files[0].recipe == kind.renditions[0].recipe
    }
}
