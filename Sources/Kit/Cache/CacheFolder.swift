import Foundation

/// The files of a cache. Several processes may use one folder: a file appears complete and under a name that identifies
/// its content, so it does not matter which process wrote it, and a missing one is fetched again.
struct CacheFolder: Sendable {
    /// A file, with the facts that decide whether it is removed.
    private struct Kept {
        var url: URL
        var bytes: Int
        var usedAt: Date
        var isOurs: Bool
    }

    /// Everything in it belongs to the cache; a later format gets a separate folder.
    private let folder: URL
    private let bytesMax: Int

    init(_ parent: URL, bytesMax: Int) {
        folder = parent.appendingPathComponent("stickers-1", isDirectory: true)
        self.bytesMax = bytesMax
    }

    /// The place of a file, whether it exists or not.
    func place(of name: ContentName) -> URL { folder.appendingPathComponent(name.fileName) }

    /// The content of a file that exists and matches its name. The file becomes the most recently used.
    func data(_ name: ContentName) -> Data? {
        let url = place(of: name)
        // A missing or unreadable file is fetched.
        guard let data = try? Data(contentsOf: url), name.promises(data) else { return nil }
        // A file whose time stays unchanged is removed sooner than it should be.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
        return data
    }

    /// Writes a file beside its place and moves it there, so that nobody finds a partial file.
    func store(_ data: Data, _ name: ContentName) throws(StickerError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: place(of: name), options: .atomic)
        } catch {
            throw .storage(folder, error.localizedDescription)
        }
    }

    /// Removes the least recently used files if they exceed the limit: an eighth more than necessary, so that the
    /// folder is not listed for every file.
    ///
    /// - Parameter latest: is kept, whatever its size.
    /// - Returns: the bytes until this must be done again. Other processes may write meanwhile, so it is never more
    ///   than an eighth.
    func trim(keeping latest: ContentName) -> Int {
        var kept = list()
        var total = kept.reduce(0) { $0 + $1.bytes }
        let dayAgo = Date(timeIntervalSinceNow: -86_400)
        kept.sort { $0.usedAt < $1.usedAt }
        let wanted = total > bytesMax ? bytesMax - bytesMax / 8 : bytesMax
        for file in kept where file.url.lastPathComponent != latest.fileName {
            // A partial file of an ended process has another name.
            let isLeftover = !file.isOurs && file.usedAt < dayAgo
            guard isLeftover || file.isOurs && total > wanted else { continue }
            // Another process may have removed it.
            try? FileManager.default.removeItem(at: file.url)
            total -= file.bytes
        }
        return min(bytesMax - total, bytesMax / 8)
    }

    /// Removes all files.
    func removeAll() throws(StickerError) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch CocoaError.fileNoSuchFile {
            return
        } catch {
            throw .storage(folder, error.localizedDescription)
        }
    }

    private func list() -> [Kept] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        // A folder that cannot be listed contains nothing to remove.
        let urls = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: Array(keys))
        return (urls ?? []).compactMap { url in
            // Another process may have removed it.
            guard let values = try? url.resourceValues(forKeys: keys) else { return nil }
            return Kept(
                url: url, bytes: values.fileSize ?? 0,
                usedAt: values.contentModificationDate ?? .distantPast,
                isOurs: ContentName(url) != nil)
        }
    }
}
