import GRDB
import StickerHashes
public import StickerModel

// Recipes of earlier releases.

extension JobStore {
    /// Gives pictures made by release 0.4 the recipes that they would have now, once in the life of a
    /// library.
    ///
    /// - Parameter settings: the settings of every category; pictures made with other settings are made
    ///   again, as they would have been then.
    /// - Returns: how many finished pictures were recognised.
    /// - Throws: `StoreError`; the next call tries again.
    @discardableResult
    public func adoptRelease04(_ settings: [StickerSettings]) throws(StoreError) -> Int {
        try write { transaction in
            guard try transaction.note("recipes") == nil else { return 0 }
            var adopted = 0
            // Settings that differ in what decides no file are one recipe.
            let recipes = try Dictionary(
                settings.map { (try Recipe.idOfRelease04($0), Recipe(settings: $0).ids) },
                uniquingKeysWith: { first, _ in first })
            for (older, ids) in recipes { adopted += try transaction.adopt(older, as: ids) }
            try transaction.setNote("recipes", "2")
            return adopted
        }
    }
}

extension StoreTransaction {
    fileprivate func adopt(_ older: RecipeID, as ids: RecipeIDs) throws -> Int {
        var adopted = 0
        for (kind, moves) in [(ids.still, false), (ids.moving, true)] {
            try run(
                """
                UPDATE job SET recipe = ?1
                WHERE recipe = ?2 AND state IN ('discarded', 'cancelled') AND EXISTS (
                    SELECT 1 FROM output WHERE output.content = job.content
                        AND json_extract(output.product, '$.animated') = ?3)
                """, [kind.whole.rawValue, older.rawValue, moves])
            adopted += try run(
                """
                UPDATE OR IGNORE output SET recipe = ?1, product = json_set(product, '$.recipe', ?1,
                    '$.sideRecipe', ?2, '$.files[0].recipe', ?3)
                WHERE recipe = ?4 AND json_extract(product, '$.animated') = ?5
                """,
                [
                    kind.whole.rawValue, kind.sideFiles.rawValue,
                    kind.renditions[0].recipe.rawValue, older.rawValue, moves,
                ])
        }
        return adopted
    }
}

extension Recipe {
    /// The recipe that release 0.4 gave to `settings`: the first 16 digits of the SHA-256 of their JSON
    /// with sorted keys.
    static func idOfRelease04(_ settings: StickerSettings) throws -> RecipeID {
        let hash = ContentHash(of: Array(try StoredJSON.encode(ofRelease04(settings))))
        return RecipeID(rawValue: String(hash.rawValue.prefix(16)))
    }
}
