import GRDB
public import StickerValues

/// The operator's pauses. They survive restarts.
public struct Pauses: Hashable, Sendable, Codable {
    /// Whether everything is paused.
    public var all = false
    /// Categories that are paused individually.
    public var categories: [CategoryID] = []
}

extension Operations {
    /// The present pauses.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func pauses() throws(StoreError) -> Pauses {
        try read { transaction in
            Pauses(
                all: try transaction.isPaused(),
                categories: try transaction.categories(
                    "SELECT id FROM category INDEXED BY category_paused WHERE paused = 1 ORDER BY id"
                ))
        }
    }

    /// Stops jobs of a category from starting, or with `false` lets them start again; running jobs continue, and
    /// published stickers stay.
    ///
    /// - Parameters:
    ///   - paused: whether to pause.
    ///   - category: the id; `nil` for everything.
    /// - Returns: `false` if there is no such category.
    /// - Throws: `StoreError`; nothing was changed.
    public func setPaused(_ paused: Bool, category: CategoryID? = nil) throws(StoreError) -> Bool {
        try write { transaction in
            guard let category else {
                try transaction.setNote("paused", paused ? "1" : "0")
                return true
            }
            return try transaction.run(
                "UPDATE category SET paused = ? WHERE id = ?", [paused, category.rawValue]) == 1
        }
    }
}
