/// A hint that something changed; the folder itself is the truth.
enum WatchEvent: Hashable, Sendable {
    /// What happened to a name, as far as the backend can tell.
    enum Change: Sendable {
        /// A writer closed it.
        case closed
        /// It was moved in under this name, from another name that is known or may be.
        case movedIn
        /// It was moved in from a name under which no picture was known: it is complete and new.
        case arrived
        /// It is new under this name, perhaps still empty.
        case created
        /// Its content or its permissions changed.
        case altered
        /// It was deleted or moved away.
        case gone
    }

    /// Something happened to the entry `name` of `folder`.
    case entry(folder: FolderID, name: [UInt8], change: Change, isDirectory: Bool)
    /// The watched folder itself was deleted, moved or unmounted; it is no longer watched, or is watched
    /// under a path that may be wrong.
    case folderGone(FolderID)
    /// The kernel's queue overflowed: events are missing, and it is unknown for which folders.
    case overflow
    /// The backend was restarted: events between the old and the new watches may be missing.
    case restarted
}
