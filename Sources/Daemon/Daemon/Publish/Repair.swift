import Logging
import StickerProgram
import StickerStore
import StickerValues

/// Repairs published files. If one is missing, its sticker leaves the manifests at once and is made again; manifests
/// and the index are rewritten.
struct Repair: Sendable {
    let housekeeper: Housekeeper
    let catalog: CatalogPublisher
    let publisher: Publisher
    let redo: Redo
    let logger: Logger

    /// Compares every published file with the database.
    func run() throws {
        let lost = try publisher.betweenPublications { try housekeeper.noteLost() }
        // At once: the next run does not find this loss again if a step below fails.
        if lost > 0 {
            redo.demand()
            logger.error(
                "published files are missing from out, their stickers are made again",
                metadata: [LogKey.count: "\(lost)"])
        }
        try mendLists()
    }

    /// Rewrites manifests, the index and the list of removed stickers where they are missing or outdated.
    func mendLists() throws {
        publisher.changed(Set(try catalog.missingOrDirty()))
        try publisher.betweenPublications {
            try catalog.publishIndex()
            try catalog.publishRemovals()
        }
    }
}
