/// A hint that something changed; the folder itself is the truth.
enum WatchEvent: Hashable, Sendable {
    /// The change of a name, as far as the backend can tell.
    enum Change: Sendable {
        /// A writer closed it.
        case closed
        /// Moved in under this name, from another name that may be known.
        case movedIn
        /// Moved in from a name under which no picture was known: it is complete and new.
        case arrived
        /// New under this name, perhaps still empty.
        case created
        /// Its content or its permissions changed.
        case altered
        /// Deleted or moved away.
        case gone
    }

    /// The entry `name` of `folder` changed.
    case entry(folder: FolderID, name: [UInt8], change: Change, isDirectory: Bool)
    /// The watched folder itself was deleted, moved or unmounted; it is no longer watched, or is watched
    /// under a path that may be wrong.
    case folderGone(FolderID)
    /// The kernel's queue overflowed: events of unknown folders are missing.
    case overflow
    /// The backend was restarted: events between the old and the new watches may be missing.
    case restarted
}
