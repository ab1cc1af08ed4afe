import Logging
import StickerLogs
import StickerModel
import StickerStore

/// Repairs damage to the published files: if one is missing, its sticker leaves the manifests at once and
/// is made again; manifests and the index are written again.
struct Repair: Sendable {
    let housekeeper: Housekeeper
    let catalog: CatalogPublisher
    let publisher: Publisher
    let redo: Redo
    let logger: Logger

    /// Compares everything that is published with the database: every file is looked at.
    func run() throws {
        let lost = try publisher.betweenPublications { try housekeeper.noteLost() }
        // At once: what is noted now is no news to the next run, should anything below fail.
        if lost > 0 {
            redo.demand()
            logger.error(
                "published files are missing from out, their stickers are made anew",
                metadata: [LogKey.count: "\(lost)"])
        }
        try mendLists()
    }

    /// Writes manifests, the index and the list of removals again where they are missing or out of date.
    func mendLists() throws {
        publisher.changed(Set(try catalog.missingOrDirty()))
        try publisher.betweenPublications {
            try catalog.publishIndex()
            try catalog.publishRemovals()
        }
    }
}
