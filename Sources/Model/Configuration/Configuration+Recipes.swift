public import StickerValues

extension Configuration {
    /// The recipe of a category: its targets, and those that its packs need.
    public func recipe(of category: CategoryNames) -> Recipe {
        var settings = settings(of: category)
        let packs = settings.packs
        if packs.contains(where: { $0.target == nil }) { settings.companions = true }
        var recipe = Recipe(
            settings: settings, targets: settings.targets.compactMap { targets[$0] })
        for target in packs.compactMap(\.target).compactMap({ targets[$0] }) {
            recipe.add(target)
        }
        recipe.cmykProfile = color.cmykProfile?.profile
        return recipe
    }

    /// The configuration as releases before `changes` read its file.
    public func before(_ changes: some BidirectionalCollection<ChangedDefault>) -> Configuration {
        var configuration = self
        configuration.sticker = sticker.before(changes)
        configuration.categories = categories.mapValues { $0.before(changes) }
        return configuration
    }
}
