public import StickerValues

/// Findings of the watcher. Each was true when it was delivered.
public enum FolderEvent: Hashable, Sendable {
    /// Files that exist: at most 1,000, each at most once. A file may be sighted again unchanged.
    case sighted([Sighting])

    /// Files that no longer exist: at most 1,000, each one looked up in its own folder without success.
    case gone([SourceKey])

    /// Every entry of one folder has been listed, and its files were sighted before this.
    ///
    /// A file on record that was not sighted is *perhaps* gone: it may have been renamed while the folder was read.
    /// Call `TreeWatcher.missing` to make sure.
    case folderScanned(drop: String, directory: [UInt8])

    /// A folder in the drop itself was seen for the first time or in place of another; nothing in it has been sighted.
    case folderFound(drop: String, name: [UInt8], inode: UInt64)

    /// A folder below the drop, with all its contents, no longer exists under this path.
    case folderGone(drop: String, directory: [UInt8])

    /// The drop folder itself is missing, replaced, unmounted or unreadable.
    ///
    /// This never means that its files were deleted.
    case rootLost(drop: String)

    /// The drop folder is watched, for the first time or again; a full scan of it follows.
    ///
    /// `inode` distinguishes folders under this path, also across restarts: an empty mount point, or a new folder in
    /// place of the old one, has another number. Files recorded under one number are not gone because they are missing
    /// under another.
    case rootBack(drop: String, inode: UInt64)

    /// Every readable folder of the drop has been visited since the drop was found or came back, or since
    /// `TreeWatcher.repeatScan`.
    ///
    /// A folder on record that was not scanned before this is *perhaps* gone. Call `TreeWatcher.isGone` to make sure.
    case dropScanned(drop: String)

    /// Every folder that was due has been visited: files missed in one may have been found in another by now. Not sent
    /// after `dropScanned`.
    case scansFinished

    /// All files in the drop folders at the start have been sighted. Sent once, and again after each
    /// `TreeWatcher.repeatScan`.
    case startScanFinished
}

/// The result of one look at a path.
public enum Look: Hashable, Sendable {
    /// A file, or anything else that is not a folder.
    case present(FileVersion, isRegularFile: Bool)
    /// Nothing of this name, or a folder, in a drop that is unchanged.
    case gone
    /// The drop is lost, a mount appeared or disappeared there, or the look failed: nothing can be concluded.
    case unknown
}
