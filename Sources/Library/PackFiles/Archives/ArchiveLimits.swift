/// The limits for reading an archive. The output is counted; headers are not trusted.
public struct ArchiveLimits: Hashable, Sendable {
    /// Entries, counting folders and skipped ones.
    public var entriesMax: Int
    /// In one file.
    public var fileBytesMax: Int
    /// In all files together.
    public var totalBytesMax: Int
    /// How many times as large as the archive its content may be. The first 1 MiB is always allowed, since small files
    /// of one colour shrink a thousandfold.
    public var ratioMax: Int
    /// In one path, in UTF-8.
    public var pathBytesMax: Int
    /// Parts of one path; a file outside any folder has one.
    public var depthMax: Int

    /// Creates limits; see the properties.
    public init(
        entriesMax: Int, fileBytesMax: Int, totalBytesMax: Int, ratioMax: Int = 200,
        pathBytesMax: Int = 255, depthMax: Int = 8
    ) {
        self.entriesMax = entriesMax
        self.fileBytesMax = fileBytesMax
        self.totalBytesMax = totalBytesMax
        self.ratioMax = ratioMax
        self.pathBytesMax = pathBytesMax
        self.depthMax = depthMax
    }
}
