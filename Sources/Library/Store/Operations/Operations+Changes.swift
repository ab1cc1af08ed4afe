public import StickerValues

extension Operations {
    /// Notes what somebody changed. It is kept for `queue.historyDays`.
    ///
    /// - Parameters:
    ///   - changes: the changes, in their order.
    ///   - person: who made them; `nil` where nobody has a name.
    /// - Throws: `StoreError`; nothing was noted.
    public func note(_ changes: [NewChange], by person: String?) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try write { transaction in
            for change in changes { try transaction.note(change, by: person) }
        }
    }

    /// The changes to a sticker or its file, newest first.
    ///
    /// - Parameters:
    ///   - story: the sticker.
    ///   - limit: the most.
    /// - Returns: the changes.
    /// - Throws: `StoreError` if the database cannot be read.
    public func changes(of story: StickerStory, limit: Int) throws(StoreError) -> [MadeChange] {
        try read { transaction in
            try transaction.changes(of: story.sticker, at: story.file, limit: limit)
        }
    }

    /// The changes to a category and its stickers, newest first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func changes(
        in category: CategoryID, limit: Int
    ) throws(StoreError) -> [MadeChange] {
        try read { transaction in
            try transaction.changes(in: category, limit: limit)
        }
    }
}
