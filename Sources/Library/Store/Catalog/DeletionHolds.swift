import CLinux
import FoundationEssentials
import GRDB
import StickerSystem
public import StickerValues

/// A deletion too large to happen without confirmation: the stickers stay until their files are back or an operator
/// confirms it.
public struct DeletionHold: Hashable, Sendable, Encodable {
    /// The category that the files vanished from; `nil` if they vanished from several categories of a drop.
    public var category: CategoryID?
    /// The drop that they vanished from; `nil` for a category.
    public var drop: String?
    /// The number of stickers whose files are missing.
    public var missing: Int
    /// The number of stickers before.
    public var stickers: Int
    /// When it was held.
    public var heldAt: Timestamp
    /// Whether the drop was empty at that time.
    public var isEmptied: Bool

    /// The category or drop, as `stickerctl confirm-delete` takes it.
    public var name: String { category?.rawValue ?? drop ?? "" }
}

/// How many files may vanish together before it counts as an accident: an unmounted share, a folder moved by mistake.
enum DeletionGuard {
    /// Up to this number is always carried out.
    static let believed = 10
    /// More than one in this many of a category or drop are held.
    static let partMax = 4
    /// Files that vanish within this time vanish together.
    static let window: Int64 = 60_000

    static func isTooLarge(_ missing: Int, of stickers: Int) -> Bool {
        missing > believed && missing * partMax > stickers
    }

    /// When too many stickers vanished: from the first to the last moment of every window with too many. `moments` are
    /// the times of vanishing, in order.
    static func accident(in moments: [Int64], of stickers: Int) -> ClosedRange<Int64>? {
        var (first, accident): (Int, ClosedRange<Int64>?) = (0, nil)
        for (last, moment) in moments.enumerated() {
            while moment - moments[first] > window { first += 1 }
            guard isTooLarge(last - first + 1, of: stickers) else { continue }
            accident = min(accident?.lowerBound ?? .max, moments[first])...moment
        }
        return accident
    }
}

extension Catalog {
    /// Deletions that await confirmation.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func deletionHolds() throws(StoreError) -> [DeletionHold] {
        try read { try $0.holds().map(\.shown) }
    }

    /// Holds back the deletion of missing files in a drop that became empty.
    ///
    /// - Returns: the hold, if it begins now.
    /// - Throws: `StoreError`; the graces continue.
    public func holdEmptied(drop: String) throws(StoreError) -> DeletionHold? {
        guard !policy.believesDeletions else { return nil }
        return try write { transaction in
            let stickers = try transaction.stickers(ofDrop: drop)
            let vanished = try transaction.vanished().filter { $0.drop == drop && !$0.isHeld }
            guard vanished.contains(where: \.isSticker),
                let hold = try transaction.hold(
                    vanished, .drop(drop), of: stickers, isEmptied: true)
            else { return nil }
            return try transaction.holds().first { $0.id == hold }?.shown
        }
    }

    /// Carries out held deletions.
    ///
    /// - Parameter name: a category by its id, or a drop by its path; `nil` for all.
    /// - Returns: the number of stickers removed now.
    /// - Throws: `StoreError`; nothing was confirmed.
    public func confirmDeletions(of name: String?) throws(StoreError) -> Int {
        try write { try $0.confirmDeletions(of: name) }
    }

    /// Removes the stickers of a drop that is no longer listed.
    ///
    /// - Returns: the number of those stickers.
    /// - Throws: `StoreError`; they stay.
    public func removeDrop(_ drop: String) throws(StoreError) -> Int {
        try write { transaction in
            let files = try transaction.presentSources(drop: drop, below: [])
            return try transaction.remove(files.map(\.id), ofDrop: drop)
        }
    }

    /// Accepts the folder at a drop's path as the drop, and removes the stickers whose files are not in it. Reads the
    /// folder.
    ///
    /// - Returns: the number of those stickers; `nil` if it is the same folder as before, or there is none.
    /// - Throws: `StoreError`; nothing was changed.
    public func acceptFolder(ofDrop drop: String) throws(StoreError) -> Int? {
        let known = try read { try $0.inode(ofDrop: drop) }
        // An inaccessible folder is not accepted.
        guard let inode = (try? FileStatus(drop))?.identity.inode, known != nil, known != inode,
            let folder = try? Descriptor(folder: drop)
        else { return nil }
        let files = try read { try $0.presentSources(drop: drop, below: []) }
        let gone = files.filter { file in
            let flags = clinux_open_path_flag()
            do throws(FileError) {
                _ = try folder.open(below: file.key.relativePath, flags, shown: file.key.display)
                return false
            } catch {
                return error.kind == .vanished
            }
        }
        return try write { transaction in
            try transaction.setNote("drop " + drop, String(inode))
            return try transaction.remove(gone.map(\.id), ofDrop: drop)
        }
    }
}

// MARK: - Holding

private enum Scope {
    case category(CategoryID)
    case drop(String)
}

private struct Vanished {
    var source: Int64
    var category: CategoryID
    var drop: String
    var at: Int64
    /// Covers and side files are no stickers, but share their fate.
    var isSticker: Bool
    var isHeld: Bool
}

private struct StandingHold {
    var id: Int64
    var shown: DeletionHold
}

extension StoreTransaction {
    /// Holds files that vanished together and are too large a part of their drop or category.
    func holdMassDeletions() throws -> [DeletionHold] {
        let unheld = try count(
            """
            SELECT count(*) FROM (SELECT 1 FROM source INDEXED BY source_waning
                WHERE missing_since IS NOT NULL AND held IS NULL LIMIT ?)
            """, [DeletionGuard.believed + 1])
        // Files that joined a hold still count, so that a slow deletion is held to its end.
        guard try unheld > DeletionGuard.believed || unheld > 0 && hasHolds() else { return [] }
        let vanished = try vanished()
        var held: Set<Int64> = []
        for (drop, files) in Dictionary(grouping: vanished, by: \.drop) {
            let accident = try accident(files, of: stickers(ofDrop: drop))
            let isOfOneCategory = Set(accident.map(\.category)).count == 1
            guard !accident.isEmpty else { continue }
            if isOfOneCategory, let category = accident.first?.category,
                DeletionGuard.isTooLarge(
                    accident.count(where: \.isSticker), of: try stickers(of: category))
            {
                continue  // said of the category below
            }
            let begun = try hold(
                accident, .drop(drop), of: stickers(ofDrop: drop), isEmptied: false)
            if let begun { held.insert(begun) }
        }
        for (category, files) in Dictionary(grouping: try self.vanished(), by: \.category) {
            let stickers = try stickers(of: category)
            let accident = try accident(files, of: stickers)
            guard !accident.isEmpty else { continue }
            let begun = try hold(accident, .category(category), of: stickers, isEmptied: false)
            if let begun { held.insert(begun) }
        }
        return try holds().filter { held.contains($0.id) }.map(\.shown)
    }

    /// The files that are not held yet and vanished together with too many others.
    private func accident(_ files: [Vanished], of stickers: Int) throws -> [Vanished] {
        let moments = files.filter(\.isSticker).map(\.at).sorted()
        guard let accident = DeletionGuard.accident(in: moments, of: stickers) else { return [] }
        return files.filter { file in
            let slack = file.isSticker ? 0 : DeletionGuard.window
            let range = accident.lowerBound - slack...accident.upperBound + slack
            return !file.isHeld && range.contains(file.at)
        }
    }

    /// Missing files with something published, except those whose deletion was confirmed and those that were only
    /// replaced.
    fileprivate func vanished() throws -> [Vanished] {
        try rows(
            """
            SELECT id, category, drop_path, coalesce(vanished_at, missing_since),
                sticker IS NOT NULL, held IS NOT NULL
            FROM source INDEXED BY source_missing
            WHERE missing_since IS NOT NULL AND heir IS NULL
                AND (output IS NOT NULL OR kind IN ('words', 'categoryWords')) AND (held IS NULL
                OR held IN (SELECT id FROM hold WHERE is_confirmed = 0))
            """
        ).map { row in
            Vanished(
                source: row[0], category: CategoryID(rawValue: row[1]), drop: row[2], at: row[3],
                isSticker: row[4], isHeld: row[5])
        }
    }

    /// Lets the stickers of these files, and of files already missing, be removed.
    fileprivate func remove(_ files: [Int64], ofDrop drop: String) throws -> Int {
        for file in files { try markMissing(file) }
        let stickers = try stickers(ofDrop: drop)
        let vanished = try vanished().filter { $0.drop == drop && !$0.isHeld }
        try hold(vanished, .drop(drop), of: stickers, isEmptied: false)
        return try confirmDeletions(of: drop)
    }

    /// Adds files to the hold of their drop or category.
    ///
    /// - Returns: the number of the hold, if it begins now.
    @discardableResult
    fileprivate func hold(
        _ files: [Vanished], _ scope: Scope, of stickers: Int, isEmptied: Bool
    ) throws -> Int64? {
        let standing = try standingHold(scope)
        let hold = try standing ?? newHold(scope, stickers, isEmptied: isEmptied)
        for file in files {
            try run("UPDATE source SET held = ? WHERE id = ?", [hold, file.source])
        }
        return standing == nil ? hold : nil
    }

    private func standingHold(_ scope: Scope) throws -> Int64? {
        switch scope {
        case .category(let category):
            try value(
                "SELECT id FROM hold WHERE category = ? AND is_confirmed = 0", [category.rawValue])
        case .drop(let drop):
            try value("SELECT id FROM hold WHERE drop_path = ? AND is_confirmed = 0", [drop])
        }
    }

    private func newHold(_ scope: Scope, _ stickers: Int, isEmptied: Bool) throws -> Int64 {
        var (category, drop): (String?, String?)
        switch scope {
        case .category(let id): category = id.rawValue
        case .drop(let path): drop = path
        }
        try run(
            """
            INSERT INTO hold (category, drop_path, stickers, held_at, is_emptied)
            VALUES (?, ?, ?, ?, ?)
            """, [category, drop, stickers, now.wall, isEmptied])
        return database.lastInsertedRowID
    }

    private func stickers(of category: CategoryID) throws -> Int {
        try count(
            "SELECT count(*) FROM sticker WHERE category = ? AND entry IS NOT NULL",
            [category.rawValue])
    }

    private func hasHolds() throws -> Bool { try count("SELECT count(*) FROM hold") > 0 }

    /// The holds that await confirmation, oldest first.
    fileprivate func holds() throws -> [StandingHold] {
        try rows(
            """
            SELECT id, category, drop_path, stickers, held_at, is_emptied, (
                SELECT count(*) FROM source WHERE held = hold.id AND sticker IS NOT NULL)
            FROM hold WHERE is_confirmed = 0 ORDER BY id
            """
        ).map { row in
            StandingHold(
                id: row[0],
                shown: DeletionHold(
                    category: (row[1] as String?).map(CategoryID.init), drop: row[2],
                    missing: row[6], stickers: row[3],
                    heldAt: Timestamp(milliseconds: row[4]), isEmptied: row[5]))
        }
    }
}

// MARK: - Ending a hold

extension StoreTransaction {
    /// Ends holds once enough files are back; the grace of the others restarts.
    func liftHolds() throws -> [DeletionHold] {
        try run(
            """
            DELETE FROM hold WHERE is_confirmed = 1
                AND NOT EXISTS (SELECT 1 FROM source WHERE source.held = hold.id)
            """)
        var lifted: [DeletionHold] = []
        for hold in try holds() where try isOver(hold) {
            try run(
                """
                UPDATE source SET held = NULL, missing_since = ?1, vanished_at = ?1 WHERE held = ?2
                """, [now.boot, hold.id])
            try run("DELETE FROM hold WHERE id = ?", [hold.id])
            lifted.append(hold.shown)
        }
        return lifted
    }

    private func isOver(_ hold: StandingHold) throws -> Bool {
        let (missing, stickers) = (hold.shown.missing, hold.shown.stickers)
        let files = try count(
            "SELECT count(*) FROM source WHERE held = ? AND output IS NOT NULL", [hold.id])
        guard files > 0 else { return true }
        guard !DeletionGuard.isTooLarge(missing, of: stickers) else { return false }
        // A picture on a bare mount point does not make up for a library.
        guard hold.shown.isEmptied, let drop = hold.shown.drop else { return true }
        let present = try count(
            """
            SELECT count(*) FROM source
            WHERE drop_path = ? AND present = 1 AND output IS NOT NULL
            """, [drop])
        return present >= files
    }

    fileprivate func confirmDeletions(of name: String?) throws -> Int {
        var confirmed = 0
        for hold in try holds() where name == nil || hold.shown.name == name {
            try run("UPDATE hold SET is_confirmed = 1 WHERE id = ?", [hold.id])
            confirmed += hold.shown.missing
        }
        // A category of a drop that is held as a whole.
        guard let name, confirmed == 0 else { return confirmed }
        let files = try rows(
            """
            SELECT source.id, source.sticker IS NOT NULL FROM hold
            CROSS JOIN source ON source.held = hold.id
            WHERE hold.is_confirmed = 0 AND source.category = ?
            """, [name])
        guard !files.isEmpty else { return 0 }
        let category = CategoryID(rawValue: name)
        let hold = try newHold(.category(category), files.count, isEmptied: false)
        for file in files {
            try run("UPDATE source SET held = ? WHERE id = ?", [hold, file[0] as Int64])
        }
        try run("UPDATE hold SET is_confirmed = 1 WHERE id = ?", [hold])
        return files.count { $0[1] }
    }
}
