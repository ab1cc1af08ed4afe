import Logging
import StickerSystem
import StickerValues

extension TreeScanner {
    /// Looks at names with events.
    func look(at names: [(key: NameQueue.Key, hint: NameHint)]) {
        var open: OpenFolder?
        for (key, hint) in names {
            guard let place = tree[key.folder]?.place else { continue }  // the whole folder is gone
            do throws(WatchError) {
                if isIgnored(key.name, hint, in: place) { continue }
                if open?.place.id != place.id { open = try OpenFolder(place) }
                if let open { try judge(key.name, hint, in: open) }
            } catch {
                failed(key.folder, error)
            }
        }
    }

    /// Counts ignored files, without looking at them.
    private func isIgnored(_ name: [UInt8], _ hint: NameHint, in place: FolderPlace) -> Bool {
        guard FileKind.of(place.key(name)) == .ignored, !hint.contains(.folder) else {
            return false
        }
        if hint.contains(.gone) != hint.contains(.created) {
            let step = hint.contains(.created) ? 1 : -1
            tree.update(place.id) { $0.ignoredFiles = max(0, $0.ignoredFiles + step) }
        }
        guard FileKind.mayBeMisnamed(place.key(name)) else { return true }
        guard !hint.contains(.gone) else { return false }
        noteStranger(name, in: place)
        return true
    }

    /// A watched folder may have gone: checks its parent.
    func folderLeft(_ id: FolderID) {
        guard let folder = tree[id] else { return }
        guard let parent = folder.parent.flatMap({ tree[$0] }) else {
            if let index = roots.firstIndex(where: { $0.folder == id }) { checkRoot(index) }
            return rewatch(id)
        }
        do throws(WatchError) {
            try judge(folder.name, .folder, in: OpenFolder(parent.place))
            rewatch(id)
        } catch {
            failed(id, error)
            doubtful.insert(parent.place.id)
        }
    }

    /// An existing folder lost its watch, or missed events: watches it, then lists it.
    private func rewatch(_ id: FolderID) {
        guard let folder = tree[id] else { return }
        watchSet?.forget([folder])
        tree.update(id) { $0.watching = .nothing }
        scans.insert(id)
    }

    /// Determines the current state of the entry `name`.
    ///
    /// - Throws: `.denied` or `.system` if that is impossible.
    func judge(_ name: [UInt8], _ hint: NameHint, in open: OpenFolder) throws(WatchError) {
        let known = tree.child(of: open.place.id, name)
        let stamp: FileStatus
        do throws(WatchError) {
            stamp = try open.folder.look(name)
        } catch {
            guard error.code == .vanished else { throw error }
            return left(name, known, open.place)
        }
        if stamp.kind == .folder {
            if hint.contains(.gone) { leftFile(name, open.place) }
            meet(name, stamp.identity, in: open.place)
        } else {
            if let known { forget(known) }
            let origin: Sighting.Origin = hint.contains(.complete) ? .closed : .changed
            let key = open.place.key(name)
            if FileKind.mayBeMisnamed(key) {
                recognise(key, stamp, in: open)
            } else {
                sight(key, stamp, origin, in: open.folder, open.place)
            }
        }
    }

    private func left(_ name: [UInt8], _ known: Folder?, _ place: FolderPlace) {
        if let known { forget(known) } else { leftFile(name, place) }
    }

    private func leftFile(_ name: [UInt8], _ place: FolderPlace) {
        let key = place.key(name)
        guard FileKind.of(key) != .ignored || FileKind.mayBeMisnamed(key) else { return }
        if !isHidden(place) { outbox.add(gone: key) }
    }

    /// Delivers an existing file; `false` if its name is an ignored one.
    @discardableResult
    func sight(
        _ key: SourceKey, _ stamp: FileStatus, _ origin: Sighting.Origin,
        in folder: borrowing some LookedInto & ~Copyable, _ place: FolderPlace
    ) -> Bool {
        guard FileKind.of(key) != .ignored else { return false }
        outbox.add(
            Sighting(
                key: key, version: stamp.version, isRegularFile: stamp.kind == .regular,
                origin: origin, owner: stamp.owner,
                stranger: otherType(of: key, stamp, in: folder, place)))
        return true
    }

    /// Queues a folder below `parent` for listing; it is watched before that.
    func meet(_ name: [UInt8], _ identity: FileIdentity, in parent: FolderPlace) {
        guard !FileKind.isIgnoredName(name) else { return }
        let known = tree.child(of: parent.id, name)
        noteMount(parent.path(of: name), parent, identity.device, known?.place)
        if let known {
            guard known.place.identity != identity else { return scans.insert(known.place.id) }
            forget(known)
        }
        guard isShort(name, in: parent) else { return noteTooDeep(parent) }
        let folder = tree.insert(name, identity, in: parent)
        if isStartFinished { tree.update(folder) { $0.isNews = true } }
        if parent.directory.isEmpty {
            outbox.add(.folderFound(drop: parent.drop, name: name, inode: identity.inode))
        }
        scans.insert(folder)
    }

    /// Whether files in the folder `name` can be opened. Most programs cannot name deeper ones either,
    /// and every level costs a watched folder.
    func isShort(_ name: [UInt8], in parent: FolderPlace) -> Bool {
        parent.path(of: name).count <= Self.pathBytesMax
    }

    /// `PATH_MAX` of limits.h minus its zero, and minus the shortest name of a picture.
    private static let pathBytesMax = 4095 - "/a.png".utf8.count

    /// Reports once that a folder has subfolders that are skipped.
    private func noteTooDeep(_ parent: FolderPlace) {
        guard tree[parent.id]?.isTooDeep == false else { return }
        tree.update(parent.id) { $0.isTooDeep = true }
        logger.warning(
            "folders are nested too deep, their pictures are left out, shorten the path",
            metadata: [
                LogKey.folder: "\(parent.display)",
                LogKey.reason: "longer than \(Self.pathBytesMax) bytes below the drop folder",
            ])
    }
}

/// A folder of the tree, kept open while several of its entries are examined.
final class OpenFolder {
    let place: FolderPlace
    let folder: Descriptor

    init(_ place: FolderPlace) throws(WatchError) {
        self.place = place
        folder = try place.open()
    }
}
