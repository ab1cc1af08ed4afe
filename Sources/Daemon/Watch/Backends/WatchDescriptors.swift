/// The folders behind each watch descriptor.
///
/// A watch belongs to an inode: one folder under two paths, briefly during a rename or permanently through a bind
/// mount, shares one descriptor, and both paths get its events.
struct WatchDescriptors {
    private var folders: [Int32: [FolderID]] = [:]
    private var descriptors: [FolderID: Int32] = [:]

    /// The folders of `descriptor`; none for -1, which inotify uses for overflows.
    func folders(of descriptor: Int32) -> [FolderID] {
        folders[descriptor] ?? []
    }

    /// Records that `folder` is watched through `descriptor`.
    mutating func insert(_ folder: FolderID, _ descriptor: Int32) {
        guard descriptors[folder] != descriptor else { return }
        _ = remove(folder)
        descriptors[folder] = descriptor
        folders[descriptor, default: []].append(folder)
    }

    /// Forgets `folder`; returns the descriptor if no other folder needs it.
    mutating func remove(_ folder: FolderID) -> Int32? {
        guard let descriptor = descriptors.removeValue(forKey: folder) else { return nil }
        folders[descriptor]?.removeAll { $0 == folder }
        guard folders[descriptor]?.isEmpty == true else { return nil }
        folders[descriptor] = nil
        return descriptor
    }

    /// Forgets a watch that the kernel has dropped.
    mutating func drop(_ descriptor: Int32) {
        for folder in folders.removeValue(forKey: descriptor) ?? [] {
            descriptors[folder] = nil
        }
    }
}
