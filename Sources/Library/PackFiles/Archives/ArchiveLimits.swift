/// The limits for reading an archive. The output is counted; headers are not trusted.
struct ArchiveLimits: Hashable, Sendable {
    /// Entries, counting folders and skipped ones.
    var entriesMax: Int
    /// In one file.
    var fileBytesMax: Int
    /// In all files together.
    var totalBytesMax: Int
    /// How many times as large as the archive its content may be. The first 1 MiB is always allowed, since small files
    /// of one colour shrink a thousandfold.
    var ratioMax = 200
    /// In one path, in UTF-8.
    var pathBytesMax = 255
    /// Parts of one path; a file outside any folder has one.
    var depthMax = 8
}
