/// The operations since all work was last done.
///
/// The daemon may hear of the operations of a burst one by one, all at once or not at all before it is killed.
/// The published files must be the same in the end, but only if no operation takes up what another one left open:
/// whether a file that was deleted and written again was away for a moment, for example, is for the kernel to
/// tell. `LifeModel.permits` leaves such operations out.
struct Burst {
    /// Whether the daemon ran at some moment of it.
    private(set) var isLive: Bool
    /// Paths that are not to be touched again.
    private(set) var closed: Set<String> = []
    /// Folders in which nothing is to be touched again.
    private(set) var closedFolders: Set<String> = []
    /// Pictures that were written over, which may happen again.
    private(set) var overwritten: Set<String> = []
    /// Where pictures that were moved to free names were before, by where they are.
    private(set) var origins: [String: String] = [:]
    /// The names that they left.
    private(set) var vacated: Set<String> = []
    /// Those of them whose files went to another folder.
    private(set) var vacatedAcross: Set<String> = []
    /// Pictures that came with new files.
    private(set) var born: Set<Int> = []
    /// Those of them that were taken for a removed sticker.
    private(set) var returned: Set<Int> = []
    private(set) var removedStickers: Set<Int> = []
    /// Pictures of which the file got a free name, or is gone while its sticker goes on with another one.
    private(set) var movedPictures: Set<Int> = []
    private(set) var hasDeletedFolder = false
    private(set) var hasNewFolder = false
    /// Whether nothing else may happen.
    private(set) var isOver = false

    init(isLive: Bool) { self.isLive = isLive }

    /// Whether nothing has happened.
    var isEmpty: Bool {
        !isOver && closed.isEmpty && closedFolders.isEmpty && overwritten.isEmpty
            && origins.isEmpty && vacated.isEmpty
    }

    /// Whether a path may be touched for the first time.
    func isUntouched(_ path: String) -> Bool {
        isOpen(path) && !overwritten.contains(path) && origins[path] == nil
            && !vacated.contains(path)
    }

    /// Whether no picture was touched that differs from this one in its format alone: of two of these, who continues
    /// whom depends on when each was noticed.
    func isAlone(_ path: String) -> Bool {
        let touched = [closed, overwritten, vacated, Set(origins.keys), Set(origins.values)]
        return !touched.contains { $0.contains { $0.isFormat(of: path) } }
    }

    /// Whether nothing in a folder was touched, nor the folder itself.
    func isUntouched(folder: String) -> Bool {
        let touched = [closed, closedFolders, overwritten, vacated, Set(origins.keys)]
        return isOpen(folder)
            && !touched.contains { $0.contains { $0 == folder || $0.isBelow(folder) } }
    }

    func isOpen(_ path: String) -> Bool {
        !closed.contains(path)
            && !closedFolders.contains { $0 == path || path.isBelow($0) }
    }

    /// Whether moving the file of one path to another would let files take each other's names in a circle: then
    /// nobody could tell the file that was renamed from one that was written over.
    func makesCircle(_ path: String, to other: String) -> Bool {
        var origins = origins
        origins[other] = origins.removeValue(forKey: path) ?? path
        var place = origins[other]
        while let next = place, next != other { place = origins[next] }
        return place == other && origins[other] != other
    }

    // MARK: Noting

    /// Notes an operation that is about to be carried out on `model`.
    mutating func note(_ operation: Operation, in model: LifeModel) {
        switch operation {
        case .write(let picture, let path), .replace(let picture, let path):
            noteWriting(picture, path, in: model)
        case .rename(let path, let other): noteRenaming(path, other, in: model)
        case .exchange(let path, let other), .swap(let path, let other):
            closed.formUnion([path, other])
        case .reformat(let picture, let path, let other, _):
            closed.formUnion([path, other])
            born.insert(picture)
            if let sticker = model.pictures[path] {
                movedPictures.insert(model.stickers[sticker].picture)
            }
        case .delete(let path):
            noteRemoval(of: path, in: model)
        case .touch(let path), .say(_, let path), .unsay(let path): closed.insert(path)
        case .entitle(let folder, _): closed.insert(folder + "/title.txt")
        case .describe(let folder, _): closedFolders.formUnion(model.sisters(folder))
        case .renameFolder(let folder, let other):
            closedFolders.formUnion([folder, other])
            let isCategory = folder.components == 2 && other.components == 2
            hasNewFolder = hasNewFolder || !isCategory && model.folders[other.categoryFolder] == nil
        case .deleteFolder(let folder):
            closedFolders.insert(folder)
            hasDeletedFolder = true
            for path in model.pictures.keys where path.isBelow(folder) {
                noteRemoval(of: path, in: model)
            }
        case .moveDrop, .rebuild: isOver = true
        case .start:
            isLive = true
            closed.formUnion(vacatedAcross)
            vacated.subtract(vacatedAcross)
            vacatedAcross = []
        case .stop, .kill, .settle: break
        }
    }

    private mutating func noteWriting(_ picture: Int, _ path: String, in model: LifeModel) {
        guard model.pictures[path] == nil else {
            overwritten.insert(path)
            return
        }
        hasNewFolder = hasNewFolder || model.folders[path.categoryFolder] == nil
        closed.insert(path)
        born.insert(picture)
        if model.hasRemoved(picture) { returned.insert(picture) }
    }

    private mutating func noteRenaming(_ path: String, _ other: String, in model: LifeModel) {
        guard model.pictures[other] == nil else {
            noteRemoval(of: path, in: model)
            closed.insert(other)
            return
        }
        hasNewFolder = hasNewFolder || model.folders[other.categoryFolder] == nil
        origins[other] = origins.removeValue(forKey: path) ?? path
        vacated.remove(other)
        if let sticker = model.pictures[path] {
            movedPictures.insert(model.stickers[sticker].picture)
        }
        // If a file left its folder while the daemon runs, its new name may be noticed last, and a file that takes
        // the old name looks like a new version. The start scan waits for all folders.
        let isTold = path.parent == other.parent || !isLive
        if isTold { vacated.insert(path) } else { closed.insert(path) }
        if isTold, path.parent != other.parent { vacatedAcross.insert(path) }
    }

    private mutating func noteRemoval(of path: String, in model: LifeModel) {
        closed.insert(path)
        if let sticker = model.pictures[path] { removedStickers.insert(sticker) }
    }
}
