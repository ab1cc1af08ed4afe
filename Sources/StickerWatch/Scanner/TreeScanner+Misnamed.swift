import Glibc
import StickerContainers
import StickerModel
import StickerSystem

// Pictures under names that are not theirs: whoever dropped them is told a better one.

extension TreeScanner {
    /// Delivers a file that is left alone for its name if it is a picture; `false` if it is none, or may still be written.
    func recognise(_ key: SourceKey, _ stamp: FileStatus, _ scan: Scan) -> Bool {
        guard stamp.kind == .regular else { return false }
        guard !isFresh(stamp) else {
            noteStranger(key.name, in: scan.folder)
            return false
        }
        let known = tree[scan.folder.id]?.strangers[key.name]
        let format =
            known == stamp.version ? nil : MisnamedPicture.format(of: key.name, in: scan.listing)
        guard let format else {
            if scan.strangers.count < Self.strangersMax {
                scan.strangers[key.name] = stamp.version
            }
            return false
        }
        let misnamed = MisnamedPicture(key.name, format: format) { name in
            isProposed(name, besides: key.name, in: scan.folder)
                || MisnamedPicture.isTaken(name, in: scan.listing)
        }
        note(misnamed, for: key.name, in: scan.folder)
        deliver(misnamed, key, stamp, scan.origin)
        return true
    }

    /// Notes a file that is to be looked at once it rests. Beyond a bound, the next scan does that.
    func noteStranger(_ name: [UInt8], in place: FolderPlace) {
        guard strangers.count < Self.strangersMax else { return }
        strangers.insert(NameQueue.Key(folder: place.id, name: name))
    }

    /// Looks at the files that were noted.
    func lookAtStrangers() {
        for stranger in exchange(&strangers, with: []) {
            guard let place = tree[stranger.folder]?.place else { continue }
            do throws(WatchError) {
                try judge(stranger.name, [], in: OpenFolder(place))
            } catch {
                failed(stranger.folder, error)
            }
        }
    }

    /// Delivers a file if it is a picture and rests; if it is none, it may have been one before.
    func recognise(_ key: SourceKey, _ stamp: FileStatus, in open: OpenFolder) {
        guard stamp.kind != .regular || !isFresh(stamp) else {
            return noteStranger(key.name, in: open.place)
        }
        guard stamp.kind == .regular,
            let format = MisnamedPicture.format(of: key.name, in: open.folder)
        else {
            if !isHidden(open.place) { outbox.add(gone: key) }
            return
        }
        let misnamed = MisnamedPicture(key.name, format: format) { name in
            isProposed(name, besides: key.name, in: open.place)
                || MisnamedPicture.isTaken(name, in: open.folder)
        }
        note(misnamed, for: key.name, in: open.place)
        deliver(misnamed, key, stamp, .changed)
    }

    /// Whether a name was proposed for another file: whoever follows both proposals would lose one of them.
    private func isProposed(
        _ proposal: String, besides name: [UInt8], in place: FolderPlace
    ) -> Bool {
        let current = scan?.folder.id == place.id ? scan?.proposals[proposal] : nil
        let owners = [current, tree[place.id]?.proposals[proposal]]
        return owners.contains { $0 != nil && $0 != name }
    }

    private func note(_ misnamed: MisnamedPicture, for name: [UInt8], in place: FolderPlace) {
        if scan?.folder.id == place.id { scan?.proposals[misnamed.name] = name }
        tree.update(place.id) { $0.proposals[misnamed.name] = name }
    }

    /// How many files are noted, and of a folder, how many are remembered that are no pictures; others are looked at
    /// with every scan.
    private static let strangersMax = 1000

    private func deliver(
        _ misnamed: MisnamedPicture, _ key: SourceKey, _ stamp: FileStatus,
        _ origin: Sighting.Origin
    ) {
        outbox.add(
            Sighting(
                key: key, version: stamp.version, isRegularFile: true, origin: origin,
                misnamed: misnamed))
    }

    /// Whether it may still be written.
    private func isFresh(_ stamp: FileStatus) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - Double(stamp.mtime) / 1e9
        return (0..<configuration.settleSeconds).contains(age)
    }
}

extension MisnamedPicture {
    /// The format of the regular file `name` by its bytes; `nil` if it is no picture, or cannot be read now.
    static func format(
        of name: [UInt8], in folder: borrowing some LookedInto & ~Copyable
    ) -> ImageFormat? {
        guard let head = folder.head(name),
            case .picture(let format) = ImageFormat.sniff(SourceBytes(head))
        else { return nil }
        return format
    }

    /// Whether a file that was a misnamed picture is none any more; one that cannot be read may still be.
    static func isNone(
        _ name: [UInt8], _ stamp: FileStatus, in folder: borrowing some LookedInto & ~Copyable
    ) -> Bool {
        guard stamp.kind == .regular else { return true }
        guard let head = folder.head(name) else { return false }
        if case .picture = ImageFormat.sniff(SourceBytes(head)) { return false }
        return true
    }

    /// Whether something has the name, as far as can be found out.
    static func isTaken(
        _ name: String, in folder: borrowing some LookedInto & ~Copyable
    ) -> Bool {
        do throws(WatchError) {
            _ = try folder.look(Array(name.utf8))
            return true
        } catch {
            return error.code != .vanished
        }
    }
}
