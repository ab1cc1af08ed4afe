import StickerSystem
import StickerValues

/// Folders waiting to be listed, each once, in the order of the requests.
struct ScanQueue {
    private var waiting: Set<FolderID> = []
    private var order: [FolderID] = []
    private var head = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func insert(_ folder: FolderID) {
        guard waiting.insert(folder).inserted else { return }
        order.append(folder)
    }

    mutating func takeNext() -> FolderID? {
        guard head < order.count else { return nil }
        let folder = order[head]
        head += 1
        if head * 2 >= order.count {
            order.removeFirst(head)
            head = 0
        }
        waiting.remove(folder)
        return folder
    }
}

/// A folder that is being listed.
final class Scan {
    let folder: FolderPlace
    let listing: FolderListing
    /// How the found files came into view.
    let origin: Sighting.Origin
    /// Names of the folders found so far.
    var folders: Set<[UInt8]> = []
    var ignoredFiles = 0
    /// Ignored files that are no pictures.
    var strangers: [[UInt8]: FileVersion] = [:]
    /// The names proposed for misnamed pictures since the listing began.
    var proposals: [String: [UInt8]] = [:]
    /// Why some entry could not be examined.
    var fault: WatchError?

    init(_ folder: Folder, _ listing: FolderListing) {
        self.folder = folder.place
        origin = folder.isNews ? .changed : .scan
        self.listing = listing
    }
}
