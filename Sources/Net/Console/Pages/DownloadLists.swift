import StickerPackFiles
import StickerSystem
import StickerValues
import Synchronization

/// The downloads of packs. A list with thousands of files takes long to read, so each is read again only once it was
/// replaced.
final class DownloadLists: Sendable {
    /// The most lists that are kept.
    private static let kept = 64

    private struct Known: Sendable {
        var marks: [FileStatus?]
        var list: [PackDownload]
    }

    private struct Subject: Hashable {
        var platform: PackPlatform
        var category: CategoryID
    }

    let shelf: PackShelf
    private let known = Mutex<[Subject: Known]>([:])

    init(_ shelf: PackShelf) { self.shelf = shelf }

    /// The files to download now.
    func list(_ platform: PackPlatform, _ category: CategoryID) -> [PackDownload] {
        let subject = Subject(platform: platform, category: category)
        // Before the list is read: a later one is read by the next look.
        let marks = shelf.marks(platform, category)
        if let found = known.withLock({ $0[subject] }), found.marks == marks { return found.list }
        let list = shelf.downloads(platform, category)
        known.withLock { known in
            if known.count >= Self.kept { known = [:] }
            known[subject] = Known(marks: marks, list: list)
        }
        return list
    }
}
