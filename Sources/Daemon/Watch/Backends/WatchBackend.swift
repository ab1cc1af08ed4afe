import Dispatch

/// Reports changes of entries of watched folders. Each folder is watched by itself, never a tree.
///
/// Everything is confined to `queue`, where events arrive; only `stop` is called from elsewhere. Events are hints:
/// there may be too many, and after `.overflow` or `.restarted` too few.
protocol WatchBackend: AnyObject, Sendable {
    /// Receives events on `queue`; it must return at once.
    typealias Sink = @Sendable ([WatchEvent]) -> Void

    /// The name in the configuration and the status.
    var name: String { get }
    /// The serial queue that owns the backend.
    var queue: DispatchQueue { get }

    /// Watches `place` until `remove` or a `.folderGone` event. The descriptor of the open folder is lent for the call.
    ///
    /// - Throws: `.watchLimit`, `.vanished`, `.denied` or `.system`; the folder is not watched then.
    func add(_ place: FolderPlace, descriptor: CInt) throws(WatchError)

    /// Forgets the folder; unknown ones are ignored.
    func remove(_ folder: FolderID)

    /// Stops the backend and waits; no event follows. Must not be called on `queue`.
    func stop()
}
