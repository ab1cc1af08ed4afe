import Glibc
public import StickerSystem
import StickerValues

/// The result of a cleaning.
public struct Cleaned: Hashable, Sendable {
    /// Finished jobs removed from the history.
    public var jobs = 0
    /// Pictures removed.
    public var objects = 0
    /// Manifest pages removed.
    public var pages = 0
    /// Left-over temporary files removed.
    public var temporaries = 0

    /// Creates an empty summary.
    public init() {}

    /// Whether nothing was cleaned away.
    public var isEmpty: Bool { self == Cleaned() }
}

/// Removes files and rows that are no longer needed. Called from the queue that publishes.
public final class Housekeeper: Sendable {
    /// How old unknown files must be before they are removed.
    static let orphanSeconds = 86400

    private let catalog: Catalog
    private let objects: ObjectStore
    private let out: String

    /// Creates a housekeeper for `catalog` and `objects`, which are below `out`.
    public init(catalog: Catalog, objects: ObjectStore, out: String) {
        self.catalog = catalog
        self.objects = objects
        self.out = out
    }

    /// Forgets old jobs and removes old revisions, expired trash and old manifest pages: first the rows,
    /// then the files.
    ///
    /// - Throws: `StoreError`; `sweep` finds files whose rows are already gone.
    public func prune() throws(StoreError) -> Cleaned {
        let earlier = try catalog.earlierFiles()
        var cleaned = Cleaned()
        var pruned = Pruned(isUnfinished: true)
        while pruned.isUnfinished {
            pruned = try catalog.prune()
            cleaned.jobs += pruned.jobs
            cleaned.objects += objects.remove(pruned.objects.filter { !earlier.names($0) })
            cleaned.pages += pruned.pages.count { unlink("\(out)/\($0)") == 0 }
        }
        cleaned.jobs += try catalog.boundHistory()
        return cleaned
    }

    /// Removes temporary files of a killed process; for startup, before anything is written.
    ///
    /// - Returns: how many there were.
    public func removeTemporaries() -> Int {
        let prefix = Array(PendingFile.prefix.utf8)
        return folders.reduce(0) { sum, folder in
            // Bytes: there may be half a million names, and the service waits.
            let left = entries(in: folder).lazy.map(\.name).filter { $0.starts(with: prefix) }
            return sum
                + left.count { unlink("\(folder)/\(String(decoding: $0, as: UTF8.self))") == 0 }
        }
    }

    /// Checks that `out` exists and is unchanged, see `ObjectStore.checkPlace`.
    ///
    /// - Throws: `FileError` if it is not.
    public func checkPlace() throws(FileError) { try objects.checkPlace() }

    /// Whether the folder of the pictures was removed or replaced since the last call; a missing one is created again.
    /// Takes microseconds.
    ///
    /// - Throws: `FileError` if the folder cannot be created; the next call then looks again.
    public func folderWasReplaced() throws(FileError) -> Bool { try objects.folderWasReplaced() }

    /// Finds missing published pictures. Their stickers leave the manifests, and `JobQueue.redoStale` makes them again.
    ///
    /// - Returns: how many outputs were newly found to lack a file.
    /// - Throws: `StoreError` if the database cannot be read or written, `FileError` if `out` is missing: then the
    ///   state of the files is unknown.
    public func noteLost() throws -> Int {
        try objects.checkPlace()
        var lost: Set<Int64> = []
        for shard in objects.shards {
            let present = Set(names(in: shard))
            for (output, name) in try catalog.outputs(
                inShard: String(shard.suffix(2)), includingReplaced: false)
            where !present.contains(name) && isGone("\(shard)/\(name)") {
                lost.insert(output)
            }
        }
        // It may have been unmounted meanwhile.
        try objects.checkPlace()
        return try catalog.noteLost(lost) { isGone("\(out)/\($0)") && objects.isInPlace }
    }

    /// Whether the file is really missing: a listing that failed halfway, or is older than the file, proves nothing.
    private func isGone(_ path: String) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(link: path)
            return false
        } catch {
            return error.kind == .vanished
        }
    }

    /// Removes pictures and manifest pages older than a day that the database does not know: a crash between writing
    /// and recording a file leaves them.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func sweep() throws(StoreError) -> Cleaned {
        let earlier = try catalog.earlierFiles()
        var cleaned = Cleaned()
        for shard in objects.shards {
            let present = names(in: shard)
            let outputs = try catalog.outputs(
                inShard: String(shard.suffix(2)), includingReplaced: true)
            let known = Set(outputs.map(\.name))
            for name in present where !known.contains(name) {
                let path = "_/\(shard.suffix(2))/\(name)"
                guard try !catalog.isInPack(path), !earlier.names(path) else { continue }
                if removeOrphan("\(shard)/\(name)") { cleaned.objects += 1 }
            }
        }
        // A manifest newer than the database may already be in place and name pages unknown to it.
        let behind = Set(try catalog.dirtyCategories().map(\.rawValue))
        for category in categories where !behind.contains(category) {
            for name in names(in: "\(out)/\(category)") where name.hasPrefix("manifest-") {
                guard try !catalog.isKnown(page: name, of: category) else { continue }
                if removeOrphan("\(out)/\(category)/\(name)") { cleaned.pages += 1 }
            }
        }
        let removals = try catalog.publishedRemovalPages()
        for name in names(in: out) where name.hasPrefix(RemovedStickers.pagePrefix) {
            guard !removals.contains(name), removeOrphan("\(out)/\(name)") else { continue }
            cleaned.pages += 1
        }
        return cleaned
    }

    private func removeOrphan(_ path: String) -> Bool {
        objects.removeUnguarded(path, olderThan: Self.orphanSeconds)
    }

    private var categories: [String] { names(in: out).filter { !$0.hasPrefix("_") } }

    private var folders: [String] {
        [out] + objects.shards + categories.map { "\(out)/\($0)" }
    }

    private func names(in folder: String) -> [String] {
        entries(in: folder).map { String(decoding: $0.name, as: UTF8.self) }
    }

    /// The entries of a folder; empty if it cannot be read, so that nothing is cleaned there.
    private func entries(in folder: String) -> [FolderListing.Entry] {
        (try? FolderListing(folder).rest()) ?? []
    }
}
