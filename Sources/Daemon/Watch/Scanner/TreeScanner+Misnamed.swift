import Glibc
import StickerConfiguration
import StickerContainers
import StickerSystem
import StickerValues

// Pictures under wrong names: a better name is proposed to their owners.

extension TreeScanner {
    /// Delivers a file with an ignored name if it is a picture; `false` if it is none, or may still be written.
    func recognise(_ key: SourceKey, _ stamp: FileStatus, _ scan: Scan) -> Bool {
        guard stamp.kind == .regular else { return false }
        let known = tree[scan.folder.id]?.strangers[key.name]
        guard !isFresh(stamp) else {
            noteStranger(key.name, in: scan.folder)
            scan.strangers[key.name] = known
            return false
        }
        let isKnown = known == stamp.version
        let stranger = isKnown ? nil : stranger(key, stamp, in: scan.listing, scan.folder)
        guard let stranger else {
            remember(key.name, stamp.version, in: scan.folder)
            return false
        }
        deliver(stranger, key, stamp, scan.origin)
        return true
    }

    /// Notes a file to be examined once it rests. Beyond a bound, the next scan does that.
    func noteStranger(_ name: [UInt8], in place: FolderPlace) {
        let key = NameQueue.Key(folder: place.id, name: name)
        guard strangers.count < Self.strangersMax || strangers[key] != nil else {
            return hasMoreStrangers = true
        }
        strangers[key] = strangers[key] ?? notedSince ?? .now
    }

    /// Examines the noted files.
    func lookAtStrangers() {
        for (stranger, since) in exchange(&strangers, with: [:]) {
            guard let place = tree[stranger.folder]?.place else { continue }
            notedSince = since
            do throws(WatchError) {
                try judge(stranger.name, [], in: OpenFolder(place))
            } catch {
                failed(stranger.folder, error)
            }
        }
        notedSince = nil
    }

    /// How many files may be pictures, as their bytes have not been examined yet.
    var unknownFiles: Int {
        strangers.keys.count { tree[$0.folder]?.strangers[$0.name] == nil }
            + (hasMoreStrangers ? 1 : 0)
    }

    /// Delivers a file if it is a picture and rests; if it is none, it may have been one before. A file that is written
    /// all the time is examined all the same, after a while.
    func recognise(_ key: SourceKey, _ stamp: FileStatus, in open: OpenFolder) {
        let isImpatient = notedSince.map { .now - $0 >= Self.restMax } ?? false
        guard stamp.kind != .regular || !isFresh(stamp) || isImpatient else {
            return noteStranger(key.name, in: open.place)
        }
        guard stamp.kind == .regular,
            let stranger = stranger(key, stamp, in: open.folder, open.place)
        else {
            remember(key.name, stamp.version, in: open.place)
            if !isHidden(open.place) { outbox.add(gone: key) }
            return
        }
        deliver(stranger, key, stamp, .changed)
    }

    /// The refusal of a file of an unsupported type whose bytes are those of another type.
    func otherType(
        of key: SourceKey, _ stamp: FileStatus, in folder: borrowing some LookedInto & ~Copyable,
        _ place: FolderPlace
    ) -> Stranger? {
        guard stamp.kind == .regular, FileKind.mayBeOfAnotherType(key) else { return nil }
        let isKnown = tree[place.id]?.strangers[key.name] == stamp.version
        let stranger = isKnown ? nil : stranger(key, stamp, in: folder, place)
        if stranger == nil { remember(key.name, stamp.version, in: place) }
        return stranger
    }

    /// Remembers a file that is no picture, so that its bytes are examined only once.
    private func remember(_ name: [UInt8], _ version: FileVersion, in place: FolderPlace) {
        if let scan, scan.folder.id == place.id, scan.strangers.count < Self.strangersMax {
            scan.strangers[name] = version
        }
        tree.update(place.id) { folder in
            guard folder.strangers.count < Self.strangersMax else { return }
            folder.strangers[name] = version
        }
    }

    /// Determines the type of a regular file by its bytes; `nil` if it is no picture, or cannot be read now.
    func stranger(
        _ key: SourceKey, _ stamp: FileStatus, in folder: borrowing some LookedInto & ~Copyable,
        _ place: FolderPlace
    ) -> Stranger? {
        let mark = key.mark(size: stamp.version.size)
        guard !isAvoided(mark) else { return .crashing }
        let format = Reading.file(mark).during {
            folder.head(key.name).flatMap(MisnamedPicture.format)
        }
        guard let format else { return nil }
        let misnamed = MisnamedPicture(key, format: format) { name in
            isProposed(name, besides: key.name, in: place)
                || MisnamedPicture.isTaken(name, in: folder)
        }
        note(misnamed, for: key.name, in: place)
        return .misnamed(misnamed)
    }

    /// Whether a name was proposed for another file: following both proposals would lose one of the files.
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

    /// How many files are noted, and how many non-pictures are remembered per folder; others are examined with every
    /// scan.
    private static let strangersMax = 1000
    /// How long a file must rest at most.
    private static let restMax = Duration.seconds(60)

    private func deliver(
        _ stranger: Stranger, _ key: SourceKey, _ stamp: FileStatus,
        _ origin: Sighting.Origin
    ) {
        outbox.add(
            Sighting(
                key: key, version: stamp.version, isRegularFile: true, origin: origin,
                owner: stamp.owner, stranger: stranger))
    }

    /// Whether it may still be written.
    private func isFresh(_ stamp: FileStatus) -> Bool {
        let age = Self.secondsSince1970() - Double(stamp.mtime) / 1e9
        return (0..<configuration.settleSeconds).contains(age)
    }
}

extension MisnamedPicture {
    /// The format of a picture by its first bytes; `nil` if it is none.
    fileprivate static func format(_ head: [UInt8]) -> ImageFormat? {
        if case .picture(let format) = ImageFormat.sniff(SourceBytes(head)) { format } else { nil }
    }

    /// Whether a misnamed picture is no picture any more; an unreadable file may still be one.
    static func isNone(
        _ key: SourceKey, _ stamp: FileStatus, in folder: borrowing some LookedInto & ~Copyable,
        isAvoided: (Int64) -> Bool
    ) -> Bool {
        guard stamp.kind == .regular else { return true }
        let mark = key.mark(size: stamp.version.size)
        guard !isAvoided(mark) else { return false }
        return Reading.file(mark).during {
            folder.head(key.name).map { format($0) == nil } ?? false
        }
    }

    /// Whether the name is in use, as far as can be determined.
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
