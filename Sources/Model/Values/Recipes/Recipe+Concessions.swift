extension Recipe {
    /// The recipe for a sticker with concessions.
    ///
    /// - Parameter concessions: those about the content of the file.
    /// - Returns: the recipe with them.
    public func granting(_ concessions: Concessions) -> Recipe {
        var recipe = self
        recipe.acceptsDamage = concessions.damaged != nil
        guard let tooLong = concessions.tooLong else { return recipe }
        for index in targets.indices { recipe.targets[index].moving?.tooLong = tooLong }
        return recipe
    }
}
