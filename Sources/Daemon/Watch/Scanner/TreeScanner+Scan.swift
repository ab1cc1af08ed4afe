import Logging
import StickerSystem
import StickerValues

extension TreeScanner {
    /// Continues listing, at most `stepEntriesMax` entries, from folder to folder.
    func scanStep() {
        var budget = Self.stepEntriesMax
        while budget > 0 {
            if scan == nil { scan = beginNextScan() }
            guard let scan else { return }
            do throws(WatchError) {
                try list(scan, &budget)
            } catch {
                self.scan = nil
                failed(scan.folder.id, error)
            }
        }
    }

    /// Opens the next waiting folder, after making sure that it is watched.
    private func beginNextScan() -> Scan? {
        while let id = scans.takeNext() {
            guard let folder = tree[id] else { continue }
            do throws(WatchError) {
                let descriptor = try folder.place.open()
                let watching = try watchSet?.watch(folder, descriptor.raw) ?? .nothing
                tree.update(id) { $0.watching = watching }
                return Scan(folder, try descriptor.listed())
            } catch {
                failed(id, error)
            }
        }
        return nil
    }

    private func list(_ scan: Scan, _ budget: inout Int) throws(WatchError) {
        while budget > 0 {
            budget -= 1
            guard let entry = try scan.listing.nextEntry() else {
                self.scan = nil
                return finish(scan)
            }
            see(entry, scan)
        }
    }

    private func see(_ entry: FolderListing.Entry, _ scan: Scan) {
        let key = scan.folder.key(entry.name)
        let isIgnored = FileKind.of(key) == .ignored
        let mayBeMisnamed = isIgnored && FileKind.mayBeMisnamed(key)
        if entry.hint == .notFolder && isIgnored && !mayBeMisnamed {
            scan.ignoredFiles += 1
            return
        }
        do throws(WatchError) {
            let stamp = try scan.listing.look(entry.name)
            if stamp.kind == .folder {
                scan.folders.insert(entry.name)
                meet(entry.name, stamp.identity, in: scan.folder)
            } else if mayBeMisnamed {
                if !recognise(key, stamp, scan) { scan.ignoredFiles += 1 }
            } else if !sight(key, stamp, scan.origin, in: scan.listing, scan.folder) {
                scan.ignoredFiles += 1
            }
        } catch {
            if error.code != .vanished { scan.fault = error }
        }
    }

    /// Compares the known folders with those found, and reports the end.
    private func finish(_ scan: Scan) {
        let place = scan.folder
        for (name, _) in tree[place.id]?.children ?? [:] where !scan.folders.contains(name) {
            confirm(name, scan)
        }
        let isTooDeep = scan.folders.contains { !isShort($0, in: place) }
        tree.update(place.id) { folder in
            folder.ignoredFiles = scan.ignoredFiles
            folder.strangers = scan.strangers
            folder.proposals = scan.proposals
            folder.isTooDeep = folder.isTooDeep && isTooDeep
        }
        if scan.fault == nil { tree.update(place.id) { $0.isNews = false } }
        if let fault = scan.fault { return failed(place.id, fault) }
        doubtful.remove(place.id)
        if tree[place.id]?.isUnreadable == true {
            tree.update(place.id) { $0.isUnreadable = false }
            logger.notice(
                "folder readable again", metadata: [LogKey.folder: "\(place.display)"])
        }
        if !isHidden(place) {
            outbox.add(.folderScanned(drop: place.drop, directory: place.directory))
            hasScanned = true
        }
    }

    /// A known folder was not listed: it was renamed while the listing ran, or is gone.
    private func confirm(_ name: [UInt8], _ scan: Scan) {
        guard let known = tree.child(of: scan.folder.id, name) else { return }
        do throws(WatchError) {
            let stamp = try scan.listing.look(name)
            if stamp.kind == .folder {
                meet(name, stamp.identity, in: scan.folder)
            } else {
                forget(known)
                sight(
                    scan.folder.key(name), stamp, scan.origin, in: scan.listing, scan.folder)
            }
        } catch {
            if error.code == .vanished { forget(known) } else { scan.fault = error }
        }
    }
}
