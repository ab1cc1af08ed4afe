import Logging
import StickerStore

/// The history of the library, to which everything that people change is added.
struct LibraryHistory {
    let operations: Operations
    let logger: Logger

    /// Adds changes that were made. They stand even if the history cannot be written.
    func note(_ changes: [NewChange], by person: Person) {
        do throws(StoreError) {
            try operations.note(changes, by: person.name)
        } catch {
            logger.error(
                "the history lacks a change",
                metadata: person.metadata(["detail": "\(error)"]))
        }
    }
}
