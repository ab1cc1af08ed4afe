/// A default that a release changed.
///
/// Stickers made by earlier releases with the former default stay as they are: they get the recipe of the present
/// default, and are outdated if that would make other files. Nothing is made again unrequested. A value written by an
/// operator is no default, and changes only when the operator changes it.
public struct ChangedDefault: Sendable {
    /// The key, for example `sticker.resample`.
    public let key: String
    /// The first revision of the code with the newer default, see `Recipe.currentRevision`.
    public let revision: Int
    private let has: @Sendable (StickerSettings) -> Bool
    private let undo: @Sendable (inout StickerSettings) -> Void

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - key: the key of the configuration.
    ///   - revision: the first revision with the newer default.
    ///   - setting: the setting.
    ///   - before: the default of earlier releases.
    ///   - now: the newer default.
    public init<Value: Equatable & Sendable>(
        _ key: String, revision: Int,
        _ setting: any WritableKeyPath<StickerSettings, Value> & Sendable,
        from before: Value, to now: Value
    ) {
        (self.key, self.revision) = (key, revision)
        has = { $0[keyPath: setting] == now }
        undo = { $0[keyPath: setting] = before }
    }

    /// Every default ever changed, the latest last.
    public static let all = [
        ChangedDefault("sticker.resample", revision: 5, \.resample, from: .lanczos3, to: .auto)
    ]

    /// Whether `settings` have the newer default.
    public func isInForce(in settings: StickerSettings) -> Bool { has(settings) }

    /// Restores the former default.
    fileprivate func takeBack(in settings: inout StickerSettings) {
        if has(settings) { undo(&settings) }
    }
}

extension StickerSettings {
    /// The settings as releases before `changes` read the file: with the defaults of that time.
    public func before(_ changes: some BidirectionalCollection<ChangedDefault>) -> StickerSettings {
        var settings = self
        for change in changes.reversed() { change.takeBack(in: &settings) }
        return settings
    }
}

extension RecipeIDs {
    /// The former ids of the files and parts of the same recipe: the ids of `earlier` with those of this one.
    ///
    /// - Parameter earlier: the ids of the same recipe with other defaults, and the same targets.
    /// - Returns: only those that differ.
    public func renames(of earlier: RecipeIDs) -> [RecipeID: RecipeID] {
        var renames: [RecipeID: RecipeID] = [:]
        func add(_ before: Kind, _ now: Kind) {
            renames[before.whole] = now.whole
            renames[before.sideFiles] = now.sideFiles
            for (old, new) in zip(before.renditions, now.renditions) {
                renames[old.recipe] = new.recipe
            }
        }
        if let before = earlier.cmyk, let now = cmyk { add(before, now) }
        add(earlier.moving, moving)
        add(earlier.still, still)
        return renames.filter { $0.key != $0.value }
    }
}

extension StickerProduct {
    /// Gives the product and its files other ids.
    public mutating func rename(_ renames: [RecipeID: RecipeID]) {
        recipe = renames[recipe] ?? recipe
        sideRecipe = sideRecipe.map { renames[$0] ?? $0 }
        for index in files.indices {
            files[index].recipe = files[index].recipe.map { renames[$0] ?? $0 }
        }
        for index in shortfalls.indices {
            shortfalls[index].recipe = shortfalls[index].recipe.map { renames[$0] ?? $0 }
        }
    }
}
