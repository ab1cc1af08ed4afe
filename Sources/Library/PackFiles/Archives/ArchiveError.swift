public import StickerSystem

/// Why an archive is not completely read, or not written.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The violated rule; its raw value can be searched for.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Neither a ZIP nor a tape archive.
        case notAnArchive = "not-an-archive"
        /// Cut off or inconsistent.
        case damaged
        /// Readable only with a password.
        case encrypted
        /// An unsupported variant of the format.
        case unsupported
        /// A name that could lead out of a folder, or is not text.
        case badName = "bad-name"
        /// More bytes in a path than allowed.
        case longPath = "long-path"
        /// More folders in a path than allowed.
        case deepPath = "deep-path"
        /// Two entries whose names are the same on some file system.
        case duplicateName = "duplicate-name"
        /// A link, a device, a pipe or a socket.
        case notRegularFile = "not-regular-file"
        /// More entries than allowed.
        case tooManyEntries = "too-many-entries"
        /// More content than allowed, in one file or in all.
        case tooManyBytes = "too-many-bytes"
        /// Content far larger than the archive.
        case bomb
        /// A file changed while it was being written to the archive.
        case fileChanged = "file-changed"
        /// The system has no memory left.
        case outOfMemory = "out-of-memory"
        /// A system call failed; see `cause`.
        case system
    }

    /// The rule.
    public var code: Code
    /// The path of the entry as far as known, without control characters; `nil` for the whole archive.
    public var entry: String?
    /// One sentence in lower case: the problem.
    public var detail: String
    /// The measured value, with its unit.
    public var measured: String?
    /// The allowed value, with its unit.
    public var limit: String?
    /// The remedy.
    public var remedy: String
    /// The failed call, if the system is the cause.
    public var cause: FileError?

    /// Creates an error; see the properties for the form of the texts.
    public init(
        _ code: Code, entry: String? = nil, _ detail: String, measured: String? = nil,
        limit: String? = nil, remedy: String, cause: FileError? = nil
    ) {
        self.code = code
        self.entry = entry
        self.detail = detail
        self.measured = measured
        self.limit = limit
        self.remedy = remedy
        self.cause = cause
    }

    /// The entry, the problem, the figures and the remedy.
    public var description: String {
        let subject = entry.map { "\($0): " } ?? ""
        let figures = [measured, limit.map { "allowed: \($0)" }].compactMap(\.self)
        let shown = figures.isEmpty ? "" : " (\(figures.joined(separator: "; ")))"
        return "\(subject)\(detail)\(shown); \(remedy)"
    }
}

extension ArchiveError {
    /// A system call that failed on `entry`.
    init(_ cause: FileError, entry: String? = nil) {
        self.init(
            .system, entry: entry, "\(cause)", remedy: "try again once the cause is gone",
            cause: cause)
    }

    static func damaged(_ detail: String, entry: String? = nil) -> ArchiveError {
        ArchiveError(.damaged, entry: entry, detail, remedy: "pack or download the archive again")
    }

    static var outOfMemory: ArchiveError {
        ArchiveError(.outOfMemory, "out of memory", remedy: "try again with more free memory")
    }

    /// A name, in UTF-8 or not, that is refused.
    static func badName(_ name: [UInt8], _ detail: String) -> ArchiveError {
        ArchiveError(
            .badName, entry: EntryPath.shown(name), detail, remedy: "rename the file and pack again"
        )
    }

    static func notRegularFile(_ entry: String) -> ArchiveError {
        ArchiveError(
            .notRegularFile, entry: entry, "it is a link, a device, a pipe or a socket",
            remedy: "pack regular files only")
    }

    static func encrypted(_ entry: String) -> ArchiveError {
        ArchiveError(
            .encrypted, entry: entry, "it is encrypted", remedy: "pack it again without a password")
    }

    static var notAnArchive: ArchiveError {
        ArchiveError(
            .notAnArchive, "it is neither a ZIP nor a tar archive",
            remedy: "pack the files as .zip, .tar or .tar.gz")
    }
}
