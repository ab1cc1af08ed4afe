import FoundationEssentials
import Glibc
import StickerSystem
import StickerValues

/// The uploads of one user: the files that a server put into the drop, and their status files by the daemon.
struct UploadFolder: Sendable {
    struct Upload: Hashable, Sendable {
        var id: String
        /// Its file in the user's folder.
        var file: String
        /// Its status; `nil` while it waits.
        var status: UploadStatus?
    }

    /// The largest status file; larger ones are not ours.
    private static let statusBytesMax = 64 << 10

    let user: String
    /// The user's folder in the drop.
    let folder: String
    /// The folder into which the daemon publishes.
    let published: String

    /// The names of uploads, oldest first.
    ///
    /// - Throws: `FileError`.
    func names() throws(FileError) -> [String] {
        guard let stream = opendir(folder) else {
            // The user has uploaded nothing yet.
            guard errno == ENOENT else {
                throw FileError(call: "opendir", path: folder, errno: errno)
            }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if UploadStatus.id(of: name) != nil { names.append(name) }
        }
        return names.sorted()
    }

    /// One upload; `nil` if the user has none with this id.
    func one(_ id: String) -> Upload? {
        // Only the extension is missing from the name, so no listing is needed.
        ImageFormat.allCases.lazy.map { "\(id).\($0.fileExtension)" }
            .first {
                UploadStatus.id(of: $0) == id && (try? FileStatus(link: "\(folder)/\($0)")) != nil
            }
            .map(upload)
    }

    /// An upload by its file name.
    func upload(_ file: String) -> Upload {
        let path = UploadStatus.path(of: "\(user)/\(file)", in: published)
        return Upload(
            id: UploadStatus.id(of: file) ?? "", file: file, status: Self.status(at: path))
    }

    /// An unreadable file counts as missing; the daemon writes it atomically.
    private static func status(at path: String) -> UploadStatus? {
        guard let file = try? Descriptor(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
            let bytes = try? file.firstBytes(statusBytesMax, path: path)
        else { return nil }
        return try? JSONDecoder().decode(UploadStatus.self, from: Data(bytes))
    }

    /// A word that changes with the list.
    var mark: String {
        [folder, "\(published)/\(UploadStatus.folder)/\(user)"].map { path in
            (try? FileStatus(path)).map { "\($0.identity.inode).\($0.mtime)" } ?? "-"
        }.joined(separator: "-")
    }

    /// Removes partial uploads of a crashed server. Those that another one receives now are younger than an hour.
    static func sweep(_ drop: String) {
        // The next start retries failures; the files are invisible.
        for user in (try? FileManager.default.contentsOfDirectory(atPath: drop)) ?? [] {
            guard let folder = try? FixedFolder(Array(user.utf8), below: drop) else { continue }
            PendingFile.removeLeftovers(in: folder, olderThan: 3600)
        }
    }

    // MARK: Names

    /// A name for a new upload; names sort by time.
    ///
    /// - Parameter format: determines the extension.
    /// - Returns: the name.
    static func name(_ format: ImageFormat) -> String {
        let milliseconds = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
        let random = UInt64.random(in: 0..<1 << 48)
        return "u\(digits(milliseconds))\(digits(random)).\(format.fileExtension)"
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 12 - text.count)) + text
    }
}
