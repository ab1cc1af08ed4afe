import StickerConfiguration
import StickerStore
import StickerValues
import Synchronization

/// The configuration in force. A reload replaces it; work in progress keeps the configuration that it began
/// with.
final class Settings: Sendable {
    private let configuration: Mutex<Configuration>

    init(_ configuration: Configuration) { self.configuration = Mutex(configuration) }

    var current: Configuration { configuration.withLock { $0 } }

    /// Puts `newer` in force, except for the folders, which stay as they were at startup.
    func replace(with newer: Configuration) {
        configuration.withLock { current in
            var newer = newer
            (newer.drops, newer.out, newer.state) = (current.drops, current.out, current.state)
            newer.smart.enabled = current.smart.enabled
            current = newer
        }
    }

    /// The ids of a category's recipe, for a sticker with these concessions; `nil` if its stickers stay as they are.
    func recipe(
        of category: CategoryNames, granting concessions: Concessions = Concessions()
    ) -> RecipeIDs? {
        current.recipeIDs(of: category, granting: concessions)
    }
}
