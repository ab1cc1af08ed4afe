import StickerSystem
import StickerValues

/// The pictures of a drop, their side files, and the skipped folders.
struct DropPictures {
    private(set) var keys: [SourceKey] = []
    private(set) var sideFiles: [SourceKey] = []
    /// At most `skippedMax` of them, each with the reason.
    private(set) var skipped: [String] = []
    private(set) var skippedCount = 0

    /// How many skipped folders are listed; others are only counted.
    static let skippedMax = 20

    /// Lists every picture below `drop`.
    ///
    /// - Throws: `FileError` if the drop itself cannot be listed.
    init(_ drop: String) throws(FileError) {
        var (keys, sideFiles): ([SourceKey], [SourceKey]) = ([], [])
        var skipped: [String] = []
        var count = 0
        try FolderWalk.below(drop) { entry in
            if entry.isFolder { return !FileKind.isIgnoredName(entry.name) }
            let key = SourceKey(drop: drop, entry)
            switch FileKind.of(key) {
            case .picture: keys.append(key)
            case .words: sideFiles.append(key)
            default: break
            }
            return false
        } skip: { folder, error in
            count += 1
            guard skipped.count < Self.skippedMax else { return }
            let shown = SourceKey(drop: drop, folder).display
            skipped.append("\(drop)/\(shown): \(SystemCall.message(error.errno))")
        }
        (self.keys, self.sideFiles) = (keys, sideFiles)
        (self.skipped, skippedCount) = (skipped, count)
    }
}

extension SourceKey {
    fileprivate init(drop: String, _ entry: FolderWalk.Entry) {
        self.init(drop: drop, directory: entry.folder, name: entry.name)
    }
}
