import FoundationEssentials
import Glibc
import StickerModel
import StickerStore
import StickerSystem

/// Keeps a small file for each upload that says what became of it, for the server that its user asks.
///
/// Used on the queue of the upkeep alone.
struct UploadStatusKeeper {
    private static let page = 500

    private let store: JobStore
    private let drop: String
    private let folder: String
    /// How far it has come: everything that ended before is written.
    private var time: Timestamp?
    private var job: JobID?

    /// - Parameters:
    ///   - store: the library of uploads.
    ///   - configuration: with absolute paths.
    init(_ store: JobStore, _ configuration: Configuration) {
        self.store = store
        drop = configuration.dropPaths[0]
        folder = configuration.out
    }

    /// Writes what became of the files whose jobs ended since the last time.
    ///
    /// - Throws: `StoreError`, or `FileError` if a file cannot be written; it is written next time.
    mutating func write() throws {
        let begin = try time ?? store.uploadsNotedUntil() ?? 0
        time = begin
        while let last = try writePage(), let endedAt = last.finishedAt {
            (time, job) = (endedAt, last.id)
        }
        if let time, time != begin { try store.noteUploads(until: time) }
    }

    /// The last job that was looked at; `nil` if there is none any more.
    private func writePage() throws -> JobRecord? {
        let page = try store.endedFiles(since: time ?? 0, after: job, limit: Self.page)
        for file in page.files { try write(file) }
        return page.last
    }

    private func write(_ file: EndedFile) throws {
        // Others lie where no server put them.
        let parts = file.file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, UploadStatus.isUser(parts[0]) else { return }
        let path = UploadStatus.path(of: file.file, in: folder)
        try SystemCall.makeFolders(SystemCall.parentFolder(of: path), mode: 0o755)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try AtomicFile.replace(path, with: [UInt8](try encoder.encode(file.status)))
    }

    /// Writes what became of uploads of which nothing is said although their jobs ended: a clock that was set back hides
    /// ends from `write`.
    ///
    /// - Throws: `StoreError`, or `FileError`; the rest is written next time.
    func catchUp() throws {
        for user in (try? FileManager.default.contentsOfDirectory(atPath: drop)) ?? []
        where UploadStatus.isUser(user) {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(drop)/\(user)")
            for name in names ?? [] where !name.hasPrefix(".") {
                let file = "\(user)/\(name)"
                guard access(UploadStatus.path(of: file, in: folder), F_OK) != 0,
                    let ended = try store.endedFile(file)
                else { continue }
                try write(ended)
            }
        }
    }

    /// Removes the files of uploads that are gone.
    func clean() {
        let root = "\(folder)/\(UploadStatus.folder)"
        // What cannot be listed or removed now is looked at next time; nobody is shown it.
        for user in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(user)")
            for name in names ?? [] where name.hasSuffix(".json") {
                let file = "\(user)/\(name.dropLast(".json".count))"
                if access("\(drop)/\(file)", F_OK) != 0, errno == ENOENT {
                    unlink("\(root)/\(user)/\(name)")
                }
            }
        }
    }
}
