import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// Keeps a small status file for each upload, which the server reads for the user.
///
/// `write` covers uploads that have just ended. From time to time `compare` checks all files against the database, user
/// by user, so that no user waits forever after a clock was set back, a disk was full or a file was deleted. The
/// database is the reference, as a drop may be away.
///
/// Used only on the upkeep's queue, which has other work: each call ends after about a second.
struct UploadStatusKeeper {
    private static let page = 50
    private static let patience = Duration.seconds(1)
    /// How many calls of `compare` pass between two comparisons: an hour, or half a minute if something could not be
    /// written.
    private static let rest = 7200
    private static let restAfterFailure = 60

    private let operations: Operations
    private let drop: String
    private let folder: String
    /// Everything that ended before this time is written.
    private var time: Timestamp?
    private var job: JobID?
    /// The users still to be compared.
    private var users: [String] = []
    private var left = 0
    private var hasFailed = false

    /// - Parameters:
    ///   - operations: the database of the library of uploads.
    ///   - configuration: with absolute paths.
    init(_ operations: Operations, _ configuration: Configuration) {
        self.operations = operations
        drop = configuration.dropPaths[0]
        folder = configuration.out
    }

    // MARK: Ended uploads

    /// Writes the status of files whose jobs ended since the last call.
    ///
    /// - Throws: `StoreError`, or the last `FileError` of a file that could not be written; all others are.
    mutating func write() throws { try write(for: Self.patience) }

    /// The same, however long it takes.
    mutating func writeAll() throws { try write(for: nil) }

    private mutating func write(for patience: Duration?) throws {
        let end = patience.map { ContinuousClock.now + $0 }
        var fault: FileError?
        if time == nil { time = try operations.uploadsNotedUntil() ?? 0 }
        while end.map({ ContinuousClock.now < $0 }) ?? true {
            let page = try operations.endedFiles(
                since: time ?? 0, after: job, limit: Self.page)
            for file in page.files { fault = put(file.status, file.file) ?? fault }
            guard let last = page.last, let endedAt = last.finishedAt else { break }
            (time, job) = (endedAt, last.id)
            try operations.noteUploads(until: endedAt)
        }
        if let fault { throw fault }
    }

    // MARK: Existing files

    /// Compares the status files with the database when it is time.
    ///
    /// - Throws: `StoreError`, or the last `FileError` of a file that could not be written; all others are.
    mutating func compare() throws {
        if users.isEmpty {
            left -= 1
            guard left < 0 else { return }
            users = everybody
            (left, hasFailed) = (Self.rest, false)
        }
        let end = ContinuousClock.now + Self.patience
        var fault: FileError?
        while let user = users.last, ContinuousClock.now < end {
            fault = try compare(user) ?? fault
            users.removeLast()
        }
        if users.isEmpty, hasFailed { left = Self.restAfterFailure }
        if let fault { throw fault }
    }

    /// All users who have uploaded something or have a status.
    private var everybody: [String] {
        // A folder that cannot be listed now is read next time.
        let lists = ["\(folder)/\(UploadStatus.folder)", drop].map {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }
        return Set(lists.joined()).filter { UploadStatus.isUser($0) }.sorted()
    }

    private mutating func compare(_ user: String) throws -> FileError? {
        let files = try operations.files(in: user, ofDrop: drop)
        let own = "\(folder)/\(UploadStatus.folder)/\(user)"
        let said = Set((try? FileManager.default.contentsOfDirectory(atPath: own)) ?? [])
        var fault: FileError?
        for (name, status) in files {
            guard let status, !said.contains("\(name).json") else { continue }
            fault = put(status, "\(user)/\(name)") ?? fault
        }
        for name in said where name.hasSuffix(".json") {
            if files[String(name.dropLast(".json".count))] == nil { unlink("\(own)/\(name)") }
        }
        return fault
    }

    private mutating func put(_ status: UploadStatus, _ file: String) -> FileError? {
        // Servers put uploads nowhere else.
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, UploadStatus.isUser(parts[0]), UploadStatus.id(of: parts[1]) != nil
        else { return nil }
        let path = UploadStatus.path(of: file, in: folder)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try SystemCall.makeFolders(SystemCall.parentFolder(of: path), mode: 0o755)
            try AtomicFile.replace(path, with: [UInt8](try encoder.encode(status)))
            return nil
        } catch {
            hasFailed = true
            // It has only texts and numbers, which can always be encoded.
            return error as? FileError
        }
    }
}
