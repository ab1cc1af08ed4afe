import StickerStore
import StickerValues

extension ObjectStore {
    /// Writes the files of one sticker and puts them in place.
    func place(_ objects: [NewObject]) throws -> [ContentHash] {
        let staged = try stage(objects)
        for case let error? in commit([staged]) { throw error }
        return staged.hashes
    }
}
