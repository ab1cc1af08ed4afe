import Glibc
public import StickerSystem
public import StickerValues

/// The stickers that wait for review, `state/review/<job>`: only users who may read the state folder see them there.
///
/// They are only looked at. A published one is made again, so that a lost file costs nothing.
public struct ReviewFolder: Sendable {
    private let state: String

    /// The path of the folder, which may not exist.
    public var path: String { "\(state)/review" }

    /// - Parameter state: the state folder.
    public init(state: String) { self.state = state }

    /// Keeps the sticker of a job.
    ///
    /// - Throws: `FileError`; an earlier one stays.
    public func keep(_ sticker: [UInt8], of job: JobID) throws(FileError) {
        if access(path, F_OK) != 0 {
            // The group of the state folder has the console in it, and is inherited.
            var status = stat()
            try SystemCall.run("stat", state) { stat(state, &status) }
            try SystemCall.makeFolder(path, mode: status.st_mode & 0o2770)
        }
        try AtomicFile.replaceFleeting("\(path)/\(job)", with: sticker)
    }

    /// Removes the stickers of all other jobs, except for those that a job may just have kept.
    ///
    /// - Parameters:
    ///   - jobs: those whose stickers stay.
    ///   - seconds: how old the others are.
    public func clean(keeping jobs: Set<JobID>, olderThan seconds: Int64 = 3600) {
        // A folder that cannot be read is cleaned next time.
        let entries = (try? FolderListing(path).rest()) ?? []
        let kept = Set(jobs.map { Array("\($0)".utf8) })
        let latest = Int64(time(nil)) - seconds
        for entry in entries where !kept.contains(entry.name) {
            let file = "\(path)/\(String(decoding: entry.name, as: UTF8.self))"
            guard let status = try? FileStatus(link: file),
                status.version.mtime / 1_000_000_000 <= latest
            else { continue }
            unlink(file)
        }
    }
}
