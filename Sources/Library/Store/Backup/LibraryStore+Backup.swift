import GRDB
import Glibc
public import StickerConfiguration
import StickerSystem
public import StickerValues

extension LibraryStore {
    /// The published stickers whose files are not in the drops now: they cannot be made again. A file that cannot be
    /// looked up for another reason counts as being there.
    ///
    /// Reads the folders.
    ///
    /// - Parameter drops: the drops of the configuration.
    /// - Returns: their ids, sorted.
    /// - Throws: `StoreError` if the database cannot be read.
    public func stickersWithoutFile(in drops: [DropFolder]) throws(StoreError) -> [StickerID] {
        var folders: [String: String] = [:]
        for case .moved(let drop) in try sources.outlook(of: drops) {
            folders[drop.from] = drop.path
        }
        var (found, last): ([StickerID], Int64) = ([], 0)
        while true {
            let page = try read { try $0.publishedPage(after: last) }
            guard let end = page.last else { return found.sorted { $0.rawValue < $1.rawValue } }
            last = end.id
            for (drop, sources) in Dictionary(grouping: page, by: \.key.drop) {
                let missing = Self.missing(sources, below: folders[drop] ?? drop)
                found += missing.compactMap(\.sticker)
            }
        }
    }

    /// The files that do not exist.
    private static func missing(_ sources: [SourceRow], below drop: String) -> [SourceRow] {
        do {
            let folder = try Descriptor(folder: drop)
            return sources.filter { source in
                do {
                    _ = try FileStatus(source.key.relativePath, in: folder, path: drop)
                    return false
                } catch {
                    return saysMissing(error)
                }
            }
        } catch {
            return saysMissing(error) ? sources : []
        }
    }

    private static func saysMissing(_ error: any Error) -> Bool {
        [ENOENT, ENOTDIR].contains((error as? FileError)?.errno)
    }

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

extension StoreTransaction {
    /// The next 500 files of published stickers.
    fileprivate func publishedPage(after id: Int64) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM source
            WHERE id > ? AND sticker IS NOT NULL AND output IS NOT NULL ORDER BY id LIMIT 500
            """, [id])
    }
}
