import StickerModel
import StickerStore
import Synchronization

/// The configuration in force. A reload puts another in its place; whoever works on something keeps
/// the one that it began with.
final class Settings: Sendable {
    private let configuration: Mutex<Configuration>

    init(_ configuration: Configuration) { self.configuration = Mutex(configuration) }

    /// The configuration at this moment.
    var current: Configuration { configuration.withLock { $0 } }

    /// Puts `newer` in force, but for the folders, which are those of the start.
    func replace(with newer: Configuration) {
        configuration.withLock { current in
            var newer = newer
            (newer.drops, newer.out, newer.state) = (current.drops, current.out, current.state)
            current = newer
        }
    }

    /// The ids of the recipe of a category, named by its folder.
    func recipe(ofFolder folder: [UInt8]?) -> RecipeIDs {
        current.recipe(forCategoryFolder: folder).ids
    }
}
