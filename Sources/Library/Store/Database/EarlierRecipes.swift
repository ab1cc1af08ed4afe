import GRDB
public import StickerConfiguration
import StickerSystem
import StickerValues

/// The present names of the recipes of release 0.4: pictures that the present settings would make count as made by
/// them, and are not made again.
public struct EarlierRecipes: Hashable, Sendable {
    private var ids: [RecipeID: RecipeIDs] = [:]
    /// Whether the names follow the defaults that changed since; otherwise `adoptChangedDefaults` renames file by file.
    private(set) var isCurrent = true

    /// Creates an empty list: pictures of an older release keep their names.
    public init() {}

    /// Creates the names by the settings of every category. Pictures made with other settings keep their names, and are
    /// made again as then.
    ///
    /// - Throws: an error if settings cannot be written as JSON.
    public init(_ configuration: StickerConfiguration.Configuration) throws {
        let before = configuration.before(ChangedDefault.all)
        var settings = [(before.sticker, configuration.sticker)]
        for (name, earlier) in before.categories.sorted(by: { $0.key < $1.key }) {
            configuration.categories[name].map { settings.append((earlier, $0)) }
        }
        var present: [RecipeID: RecipeIDs] = [:]
        for (earlier, now) in settings {
            let id = try Recipe.idOfRelease04(earlier)
            let names = Recipe(settings: now).ids
            // Two recipes that were the same may differ now: one spells an old default out, or has a new key.
            if let first = present[id], first != names { isCurrent = false }
            present[id] = present[id] ?? names
            ids[id] = ids[id] ?? Recipe(settings: earlier).ids
        }
        if isCurrent { ids = present }
    }

    /// The note of how many outputs were adopted.
    static let note = "recipes"

    /// Gives every output of release 0.4 the form of this release, and its name in this release if there is one. Each
    /// is written once, as a library may have a hundred thousand.
    func adopt(_ database: Database) throws {
        var adopted = 0
        for (older, names) in ids {
            for (kind, moves) in [(names.still, false), (names.moving, true)] {
                try database.execute(
                    sql: """
                        UPDATE job SET recipe = ?1
                        WHERE recipe = ?2 AND state IN ('discarded', 'cancelled') AND EXISTS (
                            SELECT 1 FROM output WHERE output.content = job.content
                                AND json_extract(output.product, '$.animated') = ?3)
                        """, arguments: [kind.whole.rawValue, older.rawValue, moves])
                try database.execute(
                    sql: """
                        UPDATE OR IGNORE output SET revision = \(Self.revision), recipe = ?1,
                            product = json_set(product, \(Self.form), '$.recipe', ?1,
                                '$.sideRecipe', ?2, '$.files[0].recipe', ?3)
                        WHERE recipe = ?4 AND json_extract(product, '$.animated') = ?5
                        """,
                    arguments: [
                        kind.whole.rawValue, kind.sideFiles.rawValue,
                        kind.renditions[0].recipe.rawValue, older.rawValue, moves,
                    ])
                adopted += database.changesCount
            }
        }
        try database.execute(
            sql: """
                UPDATE output SET revision = \(Self.revision), product = json_set(product, \(Self.form))
                WHERE revision = 0
                """)
        try EarlierDatabase.setNote(database, Self.note, String(adopted))
    }

    /// The revision that an output counts as made by: later revisions that did not improve it count. Revision 3
    /// concerned only lossy stills, and 4 only lossy animations.
    private static let revision = """
        CASE WHEN json_extract(product, '$.encoding.mode') = 'lossless' THEN 4
            WHEN json_extract(product, '$.animated')
            THEN iif(json_extract(product, '$.encoding.mode') IS NOT NULL
                AND json_extract(product, '$.encoding.mode') <> 'lossy', 4, 3)
            ELSE 2 END
        """

    /// All its stickers were for WhatsApp, with one encoding.
    private static let form = """
        '$.revision', \(revision), '$.shortfalls', json('[]'), '$.files[0].target', 'whatsapp',
        '$.files[0].encoding', json_extract(product, '$.encoding')
        """
}

extension Recipe {
    /// The recipe id that release 0.4 gave to `settings`: the first 16 digits of the SHA-256 of their JSON with sorted
    /// keys.
    static func idOfRelease04(_ settings: StickerSettings) throws -> RecipeID {
        let hash = ContentHash(of: Array(try StoredJSON.encode(ofRelease04(settings))))
        return RecipeID(rawValue: String(hash.rawValue.prefix(16)))
    }
}
