import StickerSystem
import StickerValues

/// A known folder, and how it is watched.
struct Folder {
    /// The source of its changes.
    enum WatchState {
        /// Nothing yet.
        case nothing
        /// The kernel.
        case events
        /// Polling, because its file system requires it.
        case polling
        /// Polling, because the kernel grants no more watches.
        case pollingInstead
    }

    let place: FolderPlace
    let parent: FolderID?
    let name: [UInt8]
    var watching = WatchState.nothing
    var ignoredFiles = 0
    /// Ignored files that are no pictures, with the version examined; the list is bounded.
    var strangers: [[UInt8]: FileVersion] = [:]
    /// The names proposed for misnamed pictures, each with the file concerned.
    var proposals: [String: [UInt8]] = [:]
    var isUnreadable = false
    /// Whether a subfolder is skipped because its path is too long.
    var isTooDeep = false
    /// Whether it appeared after the start and has not been listed yet: its contents are new.
    var isNews = false
    fileprivate(set) var children: [[UInt8]: FolderID] = [:]
}

/// All known folders, with figures that are updated with every change.
struct FolderTree {
    /// Sums over all folders.
    struct Figures {
        var folders = 0
        var degraded = 0
        /// Folders that cannot be read; few, as a rule.
        var unreadable: Set<FolderID> = []
        var tooDeep = 0
        var ignoredFiles = 0

        fileprivate mutating func count(_ folder: Folder, _ sign: Int) {
            folders += sign
            if folder.watching == .pollingInstead { degraded += sign }
            if folder.isUnreadable, sign > 0 { unreadable.insert(folder.place.id) }
            if sign < 0 { unreadable.remove(folder.place.id) }
            if folder.isTooDeep { tooDeep += sign }
            ignoredFiles += sign * folder.ignoredFiles
        }
    }

    private(set) var figures = Figures()
    private var folders: [FolderID: Folder] = [:]
    private var lastID = 0

    /// The folder with this number; `nil` once it has been forgotten.
    subscript(id: FolderID) -> Folder? { folders[id] }

    /// Changes the record of a folder; does nothing once it has been forgotten.
    mutating func update(_ id: FolderID, _ change: (inout Folder) -> Void) {
        guard var folder = folders.removeValue(forKey: id) else { return }
        figures.count(folder, -1)
        change(&folder)
        figures.count(folder, 1)
        folders[id] = folder
    }

    func child(of parent: FolderID, _ name: [UInt8]) -> Folder? {
        folders[parent]?.children[name].flatMap { folders[$0] }
    }

    /// Adds a drop folder.
    mutating func insert(drop: String, _ identity: FileIdentity) -> FolderID {
        lastID += 1
        let place = FolderPlace(
            id: FolderID(rawValue: lastID), drop: drop, rootIdentity: identity, directory: [],
            identity: identity)
        add(Folder(place: place, parent: nil, name: []))
        return place.id
    }

    /// Adds the folder `name` to `parent`, which must not have it yet.
    mutating func insert(
        _ name: [UInt8], _ identity: FileIdentity, in parent: FolderPlace
    ) -> FolderID {
        lastID += 1
        let place = FolderPlace(
            id: FolderID(rawValue: lastID), drop: parent.drop, rootIdentity: parent.rootIdentity,
            directory: parent.path(of: name), identity: identity)
        add(Folder(place: place, parent: parent.id, name: name))
        folders[parent.id]?.children[name] = place.id
        return place.id
    }

    private mutating func add(_ folder: Folder) {
        figures.count(folder, 1)
        folders[folder.place.id] = folder
    }

    /// Forgets a folder and everything below it; returns the forgotten folders.
    mutating func remove(_ id: FolderID) -> [Folder] {
        guard let folder = folders[id] else { return [] }
        if let parent = folder.parent { folders[parent]?.children[folder.name] = nil }
        var removed: [Folder] = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard let folder = folders.removeValue(forKey: next) else { continue }
            figures.count(folder, -1)
            waiting += folder.children.values
            removed.append(folder)
        }
        return removed
    }
}
