public import StickerModel

/// What the watcher says about the drop folders. Each statement was true when it was delivered.
public enum FolderEvent: Hashable, Sendable {
    /// Files that exist: at most 1,000, each at most once. A file may be sighted again unchanged.
    case sighted([Sighting])

    /// Files that no longer exist: at most 1,000, each one looked for in its own folder without success.
    case gone([SourceKey])

    /// Every entry of one folder has been listed, and its files were sighted before this.
    ///
    /// A file of this folder that is on record and was not sighted is *perhaps* gone: it may have been
    /// renamed while the folder was being read. Ask `TreeWatcher.missing` before believing it.
    case folderScanned(drop: String, directory: [UInt8])

    /// There is a folder in the drop itself, seen for the first time or in another one's place; nothing in it
    /// has been sighted.
    case folderFound(drop: String, name: [UInt8], inode: UInt64)

    /// A folder below the drop no longer exists under this path, nor does anything in it.
    case folderGone(drop: String, directory: [UInt8])

    /// The drop folder itself is missing, replaced, unmounted or unreadable.
    ///
    /// This never means that its files were deleted.
    case rootLost(drop: String)

    /// The drop folder is watched, for the first time or again; a full scan of it follows.
    ///
    /// `inode` tells one folder under this path from another, also across restarts: an empty mount point,
    /// or a new folder created in place of the old one, has another number. What was recorded under one
    /// number says nothing about files missing under another.
    case rootBack(drop: String, inode: UInt64)

    /// Every folder of the drop has been visited, as far as it can be read, since the drop was found or
    /// came back, or since `TreeWatcher.repeatScan`.
    ///
    /// A folder on record that was not scanned before this is *perhaps* gone. Ask `TreeWatcher.isGone`
    /// before believing it.
    case dropScanned(drop: String)

    /// Every folder that was due has been visited: what was missed in one may have been found in another by now. Not sent
    /// where `dropScanned` says so.
    case scansFinished

    /// Everything that was in the drop folders at the start has been sighted. Sent once, and again after
    /// each `TreeWatcher.repeatScan`.
    case startScanFinished
}

/// What one look at a path found.
public enum Look: Hashable, Sendable {
    /// A file, or anything else that is not a folder.
    case present(FileVersion, isRegularFile: Bool)
    /// Nothing of this name, or a folder, in a drop that is unchanged.
    case gone
    /// The drop is lost, a mount appeared or disappeared there, or the look failed: nothing may be
    /// concluded.
    case unknown
}
