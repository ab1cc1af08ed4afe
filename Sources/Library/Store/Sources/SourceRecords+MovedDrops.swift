import GRDB
public import StickerConfiguration
import StickerSystem
import StickerValues

/// A drop that the database knows under another path.
public struct MovedDrop: Hashable, Sendable {
    /// Where it was.
    public var from: String
    /// Where it is now.
    public var path: String
    /// Its live stickers, which keep their ids.
    public var stickers: Int
}

/// The effect of a configured drop on the recorded ones.
public enum DropOutlook: Hashable, Sendable {
    /// It is recorded under another path.
    case moved(MovedDrop)
    /// It is not recorded.
    case new(path: String)
    /// It is not recorded under this path, and another path cannot be ruled out.
    case away(path: String)
    /// It is not in the list.
    case unlisted(UnlistedDrop)
    /// Its stickers came with stickerd and are no longer made.
    case leaving(UnlistedDrop)
}

/// A recorded drop that the configuration no longer lists.
public struct UnlistedDrop: Hashable, Sendable, Encodable {
    /// Where it was.
    public var path: String
    /// Its live stickers, which stay.
    public var stickers: Int
}

extension SourceRecords {
    /// The drop that the folder at `path` was before it was moved or copied there; `nil` if the folder is recorded
    /// where it is, or not at all.
    ///
    /// Reads the folder: do not call it where a hanging share would do harm.
    ///
    /// - Parameters:
    ///   - path: a listed folder.
    ///   - inode: its inode.
    ///   - listed: all paths that the configuration lists.
    /// - Returns: the drop, to be moved in the database.
    /// - Throws: `StoreError` if the database cannot be read.
    public func formerDrop(
        of path: String, inode: UInt64, listed: [String]
    ) throws(StoreError) -> MovedDrop? {
        let (own, files, others) = try read { transaction in
            (
                KnownDrop(path: path, inode: try transaction.inode(ofDrop: path)),
                try transaction.traces(ofDrop: path),
                try transaction.knownDrops().filter { $0.path != path }
            )
        }
        // Inodes are reused, so an equal one does not prove that the drop is where it was.
        let isStrange = own.inode != inode || files.files.isEmpty
        let left = others.filter { !listed.contains($0.path) || isStrange && $0.hasLeft }
        // A folder that cannot be opened is no known drop.
        guard !left.isEmpty, let folder = try? Descriptor(folder: path) else { return nil }
        let ownShare = files.agreement(with: folder, isSameFolder: own.inode == inode).alike
        var matches: [(drop: KnownDrop, agreement: FolderAgreement)] = []
        for drop in left {
            let traces = try read { try $0.traces(ofDrop: drop.path) }
            let agreement = traces.agreement(with: folder, isSameFolder: drop.inode == inode)
            let isListed = listed.contains(drop.path)
            guard agreement.tellsDrop(isListed: isListed), agreement.alike > ownShare else {
                continue
            }
            matches.append((drop, agreement))
        }
        let best = matches.max {
            ($0.agreement.identical, $0.agreement.alike)
                < ($1.agreement.identical, $1.agreement.alike)
        }
        guard let former = best?.drop.path else { return nil }
        return MovedDrop(
            from: former, path: path, stickers: try read { try $0.stickers(ofDrop: former) })
    }

    /// Records the new path of a drop, in the folder with this inode. Ids, jobs and all facts about its files stay.
    ///
    /// - Throws: `StoreError`; the drop stays where it was.
    public func move(_ drop: MovedDrop, inode: UInt64) throws(StoreError) {
        try write { transaction in
            try transaction.move([(drop.from, drop.path)])
            try transaction.setNote("drop " + drop.path, String(inode))
        }
    }

    /// The named drops that are recorded under another path.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func movedByName(_ drops: [DropFolder]) throws(StoreError) -> [MovedDrop] {
        try read { try $0.movedByName(drops) }
    }

    /// Brings named drops to the paths that the configuration gives them, and remembers the names.
    ///
    /// - Returns: the drops that were elsewhere.
    /// - Throws: `StoreError`; all drops stay where they were.
    public func settleNames(_ drops: [DropFolder]) throws(StoreError) -> [MovedDrop] {
        try write { transaction in
            let moved = try transaction.movedByName(drops)
            try transaction.move(moved.map { ($0.from, $0.path) })
            for drop in drops {
                guard let name = drop.name else { continue }
                try transaction.setNote(StoreTransaction.nameNote(name), drop.path)
            }
            return moved
        }
    }

    /// The smart stickers that came with stickerd and are no longer made.
    ///
    /// - Parameter listed: all paths that the configuration lists.
    /// - Returns: the folder that they came from; `nil` if there are none.
    /// - Throws: `StoreError` if the database cannot be read.
    public func unlistedShipped(_ listed: [String]) throws(StoreError) -> UnlistedDrop? {
        try read { transaction in
            guard let path = try transaction.shippedDrop(), !listed.contains(path) else {
                return nil
            }
            let drop = UnlistedDrop(path: path, stickers: try transaction.stickers(ofDrop: path))
            return drop.stickers > 0 ? drop : nil
        }
    }

    /// The effect of a list of drops at the next start, without unchanged ones.
    ///
    /// Reads the folders.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func outlook(of drops: [DropFolder]) throws(StoreError) -> [DropOutlook] {
        let paths = drops.map(\.path)
        let named = try movedByName(drops)
        var outlook: [DropOutlook] = named.map { .moved($0) }
        var found = Set(named.map(\.from))
        for path in paths where !named.contains(where: { $0.path == path }) {
            let inode = (try? FileStatus(path))?.identity.inode
            if let inode, let moved = try formerDrop(of: path, inode: inode, listed: paths),
                found.insert(moved.from).inserted
            {
                outlook.append(.moved(moved))
            } else if try self.inode(ofDrop: path) == nil {
                outlook.append(inode == nil ? .away(path: path) : .new(path: path))
            }
        }
        let unlisted = try unlistedDrops(paths).filter { !found.contains($0.path) }
        let shipped = try unlistedShipped(paths)
        return outlook + unlisted.map { .unlisted($0) } + (shipped.map { [.leaving($0)] } ?? [])
    }

    /// Recorded drops with stickers that are not among `listed`; without the drop of the smart stickers that came with
    /// stickerd, which leave by themselves.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func unlistedDrops(_ listed: [String]) throws(StoreError) -> [UnlistedDrop] {
        let shipped = try unlistedShipped(listed)?.path
        return try read { transaction in
            try transaction.knownDrops().map(\.path)
                .filter { !listed.contains($0) && $0 != shipped }
                .map { UnlistedDrop(path: $0, stickers: try transaction.stickers(ofDrop: $0)) }
                .filter { $0.stickers > 0 }
        }
    }
}

extension StoreTransaction {
    /// The present or last folder of the smart stickers that came with stickerd, as far as the daemon knows.
    func shippedDrop() throws -> String? { try note(Self.nameNote(ShippedTemplates.dropName)) }

    fileprivate static func nameNote(_ name: String) -> String { "drop.name " + name }

    fileprivate func movedByName(_ drops: [DropFolder]) throws -> [MovedDrop] {
        try drops.compactMap { drop in
            guard let name = drop.name, let former = try note(Self.nameNote(name)),
                former != drop.path
            else { return nil }
            return MovedDrop(
                from: former, path: drop.path, stickers: try stickers(ofDrop: former))
        }
    }

    /// Gives drops other paths, all at once, so that two can swap theirs. Other drops recorded under one of these paths
    /// lose it.
    fileprivate func move(_ moves: [(from: String, to: String)]) throws {
        for (index, move) in moves.enumerated() { try rename(move.from, Self.between(index)) }
        for (index, move) in moves.enumerated() {
            try rename(move.to, try unusedPath(move.to))
            try rename(Self.between(index), move.to)
        }
    }

    /// Not a path; used only within a transaction.
    private static func between(_ index: Int) -> String { "moving \(index)" }

    private func rename(_ drop: String, _ other: String) throws {
        try run("UPDATE source SET drop_path = ? WHERE drop_path = ?", [other, drop])
        try run(
            "UPDATE OR REPLACE category_folder SET drop_path = ? WHERE drop_path = ?",
            [other, drop])
        try run("UPDATE hold SET drop_path = ? WHERE drop_path = ?", [other, drop])
        try run("DELETE FROM note WHERE key = ?", ["drop " + other])
        try run("UPDATE note SET key = ? WHERE key = ?", ["drop " + other, "drop " + drop])
    }

    /// The placeholder for a drop whose path was taken.
    private func unusedPath(_ path: String) throws -> String {
        let known = Set(try knownDrops().map(\.path))
        return (1...).lazy.map { "\(path) (replaced \($0))" }.first { !known.contains($0) } ?? path
    }
}
