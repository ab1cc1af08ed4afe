import GRDB
import StickerModel

extension JobStore {
    /// Copies the database as it is at one moment into a new file; others may write meanwhile.
    ///
    /// - Throws: `StoreError`.
    func copy(to path: String) throws(StoreError) {
        try outsideTransactions { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }

    /// The paths below `out` of all pictures that are published or kept.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func publishedFiles() throws(StoreError) -> [String] {
        try read { transaction in
            try transaction.rows("SELECT DISTINCT path FROM output_file ORDER BY path")
                .map { $0[0] }
        }
    }

    /// The number of stickers listed as removed.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func removedStickers() throws(StoreError) -> Int {
        try read { try $0.count("SELECT count(*) FROM removal") }
    }

    /// Continues a library that lost everything published since the copy: manifests, index and list of removed stickers
    /// are written again, with generations above any that readers can have seen.
    ///
    /// A generation rises once with each transaction, which is synced to the disk: less than once per millisecond.
    ///
    /// - Parameter createdAt: when the copy was made.
    /// - Throws: `StoreError`; nothing was changed.
    func continueAfterLoss(since createdAt: Timestamp) throws(StoreError) {
        try write { transaction in
            let rise = Int(max(0, transaction.now.wall - createdAt.milliseconds)) + 1
            try transaction.run("UPDATE category SET generation = generation + ?", [rise])
            try transaction.raiseIndex(by: rise)
            try transaction.raisePacks(by: rise)
            try transaction.raiseRemovals(by: rise)
        }
    }
}
