import StickerConfiguration
import StickerValues

/// The recipe ids of categories before some defaults changed.
struct RecipeRenaming {
    private let now: Configuration
    private let before: Configuration
    private var known: [Owner: [RecipeID: RecipeID]] = [:]

    private struct Owner: Hashable {
        var names: CategoryNames
        var concessions: Concessions
    }

    init(_ configuration: Configuration, before changes: [ChangedDefault]) {
        (now, before) = (configuration, configuration.before(changes))
    }

    /// The earlier ids with the present ones, for every target: packs hold pictures for targets other than the
    /// category's.
    mutating func renames(
        of names: CategoryNames, _ concessions: Concessions = Concessions()
    ) -> [RecipeID: RecipeID] {
        let owner = Owner(names: names, concessions: concessions)
        if let renames = known[owner] { return renames }
        func ids(_ configuration: Configuration, everyTarget: Bool) -> RecipeIDs {
            var recipe = configuration.recipe(of: names)
            if everyTarget {
                let others = configuration.targets.filter { name, _ in
                    !recipe.targets.contains { $0.name == name }
                }
                recipe.targets += others.sorted { $0.key < $1.key }.map(\.value)
            }
            return recipe.granting(concessions).ids
        }
        let renames = [false, true].reduce(into: [RecipeID: RecipeID]()) { renames, all in
            let earlier = ids(before, everyTarget: all)
            renames.merge(ids(now, everyTarget: all).renames(of: earlier)) { first, _ in first }
        }
        known[owner] = renames
        return renames
    }
}
