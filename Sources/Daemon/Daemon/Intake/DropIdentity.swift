import Logging
import StickerProgram
import StickerStore
import StickerValues

/// Decides whether the folder in a drop's place is the drop.
///
/// A drop's path may lead to another folder, for example an empty mount point. Until that folder turns out to be the
/// drop, none of its files is recorded, and none counts as missing.
struct DropIdentity: Sendable {
    private typealias Substitute = (inode: UInt64, seen: Set<SourceKey>)

    private let store: LibraryStore
    /// The folders that the configuration lists.
    private let drops: [String]
    private let logger: Logger
    private let journal: JobJournal
    private let report: @Sendable (Registrar.Report) -> Void
    /// Other folders in the place of drops, and the pictures seen in them.
    private var substitutes: [String: Substitute] = [:]
    /// Drops that were a different folder before.
    private var adopted: Set<String> = []
    /// Folders found in the drops and not missed since.
    private var met: Set<FolderName> = []
    /// Folders found while another folder was in the drop's place, with their inodes.
    private var unmet: [FolderName: UInt64] = [:]
    /// Whether a folder became the drop after files in it were left unrecorded: they must be examined again.
    var isLookDue = false

    init(
        store: LibraryStore, drops: [String], logger: Logger,
        report: @escaping @Sendable (Registrar.Report) -> Void
    ) {
        (self.store, self.drops, self.logger, self.report) = (store, drops, logger, report)
        journal = JobJournal(logger: logger)
    }

    /// Whether the drop's path leads to another folder.
    func isReplaced(_ drop: String) -> Bool { substitutes[drop] != nil }

    /// Whether the drop was a different folder before. Files in subfolders that the new folder lacks are kept until the
    /// drop comes back again, or until the next start.
    func isAdopted(_ drop: String) -> Bool { adopted.contains(drop) }

    /// A drop is watched, for the first time or again.
    mutating func welcome(_ drop: String, _ inode: UInt64) throws {
        if let moved = try store.sources.formerDrop(of: drop, inode: inode, listed: drops) {
            try store.sources.move(moved, inode: inode)
            journal.note(moved)
        }
        let known = try store.sources.inode(ofDrop: drop)
        guard known == nil || known == inode else {
            substitutes[drop] = (inode, [])
            return journal.noteUnmounted(drop, stickers: try store.sources.stickers(ofDrop: drop))
        }
        substitutes[drop] = nil
        adopted.remove(drop)
        logger.notice("drop folder found", metadata: [LogKey.path: "\(drop)"])
        store.sources.hold(drop: drop, isAbsent: false)
        if known == nil { try store.sources.note(inode: inode, ofDrop: drop) }
    }

    /// A drop cannot be watched any more.
    mutating func lose(_ drop: String) {
        store.sources.hold(drop: drop, isAbsent: true)
        met = met.filter { $0.drop != drop }
        unmet = unmet.filter { $0.key.drop != drop }
    }

    /// Whether sighted files belong to the drop. Another folder in its place becomes the drop if it holds the same
    /// files, or as many pictures as the library has from it; a few files saved on a bare mount point change nothing.
    mutating func isDrop(_ drop: String, showing sightings: [Sighting]) throws -> Bool {
        guard isReplaced(drop) else { return true }
        substitutes[drop]?.seen.formUnion(sightings.map(\.key).filter { SideFile($0) == nil })
        guard let substitute = substitutes[drop] else { return true }
        let isEnough = try substitute.seen.count >= store.sources.stickers(ofDrop: drop)
        guard try isEnough || store.sources.isAlike(drop: drop, inode: substitute.inode) else {
            return false
        }
        try adopt(drop, substitute)
        if substitute.seen.count > sightings.count { isLookDue = true }
        return true
    }

    /// Accepts another folder as the drop if an operator says so; all of it must then be scanned.
    ///
    /// - Returns: whether one was accepted.
    mutating func reconsider() throws -> Bool {
        var isOne = false
        for (drop, substitute) in substitutes
        where try store.sources.inode(ofDrop: drop) == substitute.inode {
            try adopt(drop, substitute)
            // The operator confirmed that files missing from it are gone.
            adopted.remove(drop)
            isOne = true
        }
        return isOne
    }

    /// Makes the folder in a drop's place the drop.
    private mutating func adopt(_ drop: String, _ substitute: Substitute) throws {
        try store.sources.note(inode: substitute.inode, ofDrop: drop)
        store.sources.hold(drop: drop, isAbsent: false)
        substitutes[drop] = nil
        adopted.insert(drop)
        logger.warning(
            "another folder holds a drop's files, or as many others; it is the drop from now on",
            metadata: [LogKey.path: "\(drop)"])
        for (folder, inode) in unmet where folder.drop == drop {
            try meet(folder, inode)
            unmet[folder] = nil
        }
    }

    /// A folder was found in a drop. A renamed category is published with its new title and may have other settings.
    mutating func meet(_ folder: FolderName, _ inode: UInt64) throws {
        guard !isReplaced(folder.drop) else {
            // Whether it is a folder of the drop is known only once a file is seen.
            unmet[folder] = inode
            return
        }
        let renamed = try store.catalog.meet(folder, inode: inode, isMet: met.contains)
        met.insert(folder)
        guard let renamed else { return }
        journal.note(renamed)
        report(.recorded([renamed.category]))
        report(.returned)
    }

    /// A folder is gone from a drop.
    mutating func miss(_ folder: FolderName) { met.remove(folder) }
}
