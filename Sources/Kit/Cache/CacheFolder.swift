import Foundation

/// The files of a cache. Several processes may use one folder: a file appears whole and under a name that tells its
/// content, so that it does not matter who wrote it, and one that is gone is fetched again.
struct CacheFolder: Sendable {
    /// A file, as far as it decides what has to go.
    private struct Kept {
        var url: URL
        var bytes: Int
        var usedAt: Date
        var isOurs: Bool
    }

    /// Everything in it belongs to the cache; a later format gets a folder of its own.
    private let folder: URL
    private let bytesMax: Int

    init(_ parent: URL, bytesMax: Int) {
        folder = parent.appendingPathComponent("stickers-1", isDirectory: true)
        self.bytesMax = bytesMax
    }

    /// Where a file is, or would be.
    func place(of name: ContentName) -> URL { folder.appendingPathComponent(name.fileName) }

    /// The content of a file that is there and is what its name promises. It is the one used last from now on.
    func data(_ name: ContentName) -> Data? {
        let url = place(of: name)
        // What is not there, or cannot be read, is fetched.
        guard let data = try? Data(contentsOf: url), name.promises(data) else { return nil }
        // A file whose time stays as it is goes sooner than it should.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: url.path)
        return data
    }

    /// Writes a file beside its place and moves it there, so that nobody finds a part of it.
    func store(_ data: Data, _ name: ContentName) throws(StickerError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: place(of: name), options: .atomic)
        } catch {
            throw .storage(folder, error.localizedDescription)
        }
    }

    /// Removes what was not used for the longest time, if the files need more than they may: an eighth more than
    /// necessary, so that the folder is not listed for every file.
    ///
    /// - Parameter latest: stays, however large it is.
    /// - Returns: the bytes until this has to be done again. Other processes may write meanwhile, so that it is never
    ///   more than an eighth.
    func trim(keeping latest: ContentName) -> Int {
        var kept = list()
        var total = kept.reduce(0) { $0 + $1.bytes }
        let dayAgo = Date(timeIntervalSinceNow: -86_400)
        kept.sort { $0.usedAt < $1.usedAt }
        let wanted = total > bytesMax ? bytesMax - bytesMax / 8 : bytesMax
        for file in kept where file.url.lastPathComponent != latest.fileName {
            // A file that was on its way when its process ended has another name.
            let isLeftover = !file.isOurs && file.usedAt < dayAgo
            guard isLeftover || file.isOurs && total > wanted else { continue }
            // Another process may have removed it.
            try? FileManager.default.removeItem(at: file.url)
            total -= file.bytes
        }
        return min(bytesMax - total, bytesMax / 8)
    }

    /// Removes everything.
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
        // A folder that cannot be listed has nothing that could be removed.
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
