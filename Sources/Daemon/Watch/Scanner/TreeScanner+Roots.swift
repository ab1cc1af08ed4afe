import Logging
import StickerConfiguration
import StickerSystem
import StickerValues

/// A configured drop folder.
struct Root {
    let path: String
    /// The folder watched under the path; `nil` while there is none.
    var folder: FolderID?
    /// Whether its loss was reported.
    var isLossKnown = false
}

/// A drop folder may be renamed, re-created, unmounted or mounted over, mostly without an event. So its path is
/// compared every two seconds with the watched folder. Missing ones are checked as often: a check costs microseconds,
/// and a back-off would only make people wait.
extension TreeScanner {
    /// Compares all drop folders, checks mounts, and retries failures.
    func checkRoots() {
        for index in roots.indices { checkRoot(index) }
        if mountAlarm.hasRung() && haveMountsChanged() { scanAll() }
    }

    private func haveMountsChanged() -> Bool {
        let now = mountAlarm.mounts(below: roots.map(\.path))
        return exchange(&mounts, with: now) != now
    }

    /// Retries failures, less often the longer they last.
    func retry() {
        for folder in doubtful.due() where tree[folder] != nil { folderLeft(folder) }
    }

    func checkRoot(_ index: Int) {
        let root = roots[index]
        let known = root.folder.flatMap { tree[$0]?.place.identity }
        do throws(WatchError) {
            let folder = try Descriptor.root(root.path)
            let found = try folder.identity()
            guard found != known else { return }
            // The receiver of `.rootBack` judges and reports the folder that is there instead.
            if known != nil { lose(index, nil) }
            serve(index, found, FileSystemKind.of(folder.raw))
        } catch {
            // Running out of descriptors or memory does not mean that the folder is gone.
            if error.code != .system { lose(index, error.description) }
        }
    }

    private func lose(_ index: Int, _ reason: String?) {
        let root = roots[index]
        guard root.folder != nil || !root.isLossKnown else { return }
        if let folder = root.folder.flatMap({ tree[$0] }) { forgetSilently(folder) }
        roots[index].folder = nil
        roots[index].isLossKnown = true
        newlyServed.remove(root.path)
        record.perform { $0.roots[root.path] = nil }
        outbox.add(.rootLost(drop: root.path))
        guard let reason else { return }
        logger.warning(
            "drop folder lost, its stickers stay",
            metadata: [LogKey.drop: "\(root.path)", LogKey.reason: "\(reason)"])
    }

    private func serve(_ index: Int, _ identity: FileIdentity, _ kind: FileSystemKind) {
        let path = roots[index].path
        let folder = tree.insert(drop: path, identity)
        roots[index].folder = folder
        roots[index].isLossKnown = false
        record.perform { state in
            state.roots[path] = identity
            let isPolled =
                configuration.backend == .polling
                || (configuration.backend == .auto && kind == .remote)
            if isPolled { state.polledDrops.insert(path) } else { state.polledDrops.remove(path) }
        }
        outbox.add(.rootBack(drop: path, inode: identity.inode))
        scans.insert(folder)
        newlyServed.insert(path)
        if kind == .overlay && configuration.rescanSeconds > FileSystemKind.overlayRescanSecondsMax
        {
            beat(.rescan, every: FileSystemKind.overlayRescanSecondsMax) { $0.scanAll() }
        }
    }
}
