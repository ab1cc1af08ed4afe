public import StickerSystem
public import StickerValues

/// A finished file to be published.
public struct NewObject: Sendable {
    /// Its content.
    public var bytes: [UInt8]
    /// Its format, which determines the extension.
    public var format: ImageFormat

    /// Creates a file of `format` with these bytes.
    public init(bytes: [UInt8], format: ImageFormat) {
        self.bytes = bytes
        self.format = format
    }
}

/// Finished files of one sticker, written under hidden names and being synced.
///
/// `ObjectStore.commit` puts them in place. Files discarded before that leave nothing behind.
public struct StagedObjects: Sendable {
    fileprivate let objects: [StagedObject]

    /// The hashes of the files, which are their names, in the given order.
    public var hashes: [ContentHash] { objects.map(\.hash) }
    /// The number of files.
    public var count: Int { objects.count }
    /// The bytes of all files, kept in memory until the files are on the disk.
    public var bytes: Int { objects.reduce(0) { $0 + $1.bytes.count } }
}

private struct StagedObject: Sendable {
    let hash: ContentHash
    let target: String
    /// Kept to write another file if the device fails to store the first.
    let bytes: [UInt8]
    /// `nil` for an object already in its place.
    let file: PendingFile?

    var folder: String { SystemCall.parentFolder(of: target) }
}

extension ObjectStore {
    /// Writes missing objects next to their places, and starts syncing them.
    ///
    /// - Throws: `FileError`; nothing is left behind.
    public func stage(_ objects: [NewObject]) throws(FileError) -> StagedObjects {
        var staged: [StagedObject] = []
        for object in objects {
            let hash = ContentHash(of: object.bytes)
            let target = path(hash, object.format)
            let isThere = touch(target, size: object.bytes.count)
            staged.append(
                StagedObject(
                    hash: hash, target: target, bytes: object.bytes,
                    file: isThere
                        ? nil
                        : try mending { () throws(FileError) in
                            try PendingFile(for: target, with: object.bytes)
                        }))
        }
        return StagedObjects(objects: staged)
    }

    /// Makes sure that the files of several stickers are in place, complete and durable.
    ///
    /// All files are awaited together, and each folder is synced once, however many files it gets. A file that cannot
    /// be stored fails only the stickers that need it.
    ///
    /// - Returns: the error for each element of `group`; `nil` if all its files are in place. Other files of a failed
    ///   group are harmless orphans.
    public func commit(_ group: [StagedObjects]) -> [FileError?] {
        let wanted = group.flatMap(\.objects)
        let errors = putInPlace(Self.once(wanted))
        for object in wanted { object.file?.discard() }
        return group.map { $0.objects.lazy.compactMap { errors[$0.target] }.first }
    }

    /// Each content once, preferably an object with a freshly written file.
    private static func once(_ objects: [StagedObject]) -> [StagedObject] {
        Array(
            Dictionary(objects.map { ($0.target, $0) }) { $0.file == nil ? $1 : $0 }.values)
    }

    /// Returns the errors by target. An object that another caller put in place meanwhile is not replaced, but its
    /// folder may not be synced yet.
    private func putInPlace(_ objects: [StagedObject]) -> [String: FileError] {
        let absent = objects.filter { !touch($0.target, size: $0.bytes.count) }
        let unsynced = DiskFlush.together(absent.count) { number throws(FileError) in
            try absent[number].file?.sync()
        }
        var errors: [String: FileError] = [:]
        for (number, object) in absent.enumerated() {
            do throws(FileError) {
                try finish(object, after: unsynced[number])
            } catch {
                errors[object.target] = error
            }
        }
        let unkept = sync(Set(objects.map(\.folder)))
        for object in objects where errors[object.target] == nil {
            errors[object.target] = unkept[object.folder]
        }
        return errors
    }

    /// Puts a synced file in its place. If the device reported an error, or the file is gone with its folder, a second
    /// one is written before giving up.
    private func finish(_ object: StagedObject, after error: FileError?) throws(FileError) {
        if let error, error.kind != .io { throw error }
        if error == nil, let file = object.file {
            do throws(FileError) {
                return try file.putInPlace()
            } catch {
                guard error.kind == .vanished else { throw error }
            }
        }
        try mending { () throws(FileError) in
            try AtomicFile.written(object.target, object.bytes).putInPlace()
        }
    }

    /// Returns the errors by folder.
    private func sync(_ folders: Set<String>) -> [String: FileError] {
        let folders = Array(folders)
        let errors = DiskFlush.together(folders.count) { number throws(FileError) in
            try SystemCall.syncFolder(folders[number])
        }
        return Dictionary(uniqueKeysWithValues: errors.map { (folders[$0], $1) })
    }

    /// Runs `body`; if folders were removed, creates them and runs it once more.
    private func mending<Result>(
        _ body: () throws(FileError) -> Result
    ) throws(FileError) -> Result {
        do {
            return try body()
        } catch {
            guard error.kind == .vanished else { throw error }
            try mendFolders()
            return try body()
        }
    }
}

extension PendingFile {
    /// Creates a file for `target` with all of `bytes`, and starts syncing it.
    fileprivate convenience init(for target: String, with bytes: [UInt8]) throws(FileError) {
        try self.init(for: target)
        try write(bytes)
    }
}
