/// A hint that something changed; the folder itself is the truth.
enum WatchEvent: Hashable, Sendable {
    /// What happened to a name, as far as the backend can tell.
    enum Change: Sendable {
        /// A writer closed it.
        case closed
        /// It was moved in under this name, from another one that we heard of, or may have.
        case movedIn
        /// It was moved in under this name from where no picture was known: it is whole, and new.
        case arrived
        /// It is new under this name, perhaps still without content.
        case created
        /// Its content or its rights are others than before.
        case altered
        /// It was deleted or moved away.
        case gone
    }

    /// Something happened to the entry `name` of `folder`.
    case entry(folder: FolderID, name: [UInt8], change: Change, isDirectory: Bool)
    /// The watched folder itself was deleted, moved or unmounted, and is watched no more or
    /// under a path that may be wrong.
    case folderGone(FolderID)
    /// The kernel's queue overflowed: events are missing, nobody knows of which folder.
    case overflow
    /// The backend began anew: events between the old and the new watches may be missing.
    case restarted
}
