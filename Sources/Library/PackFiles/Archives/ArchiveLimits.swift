/// How much of an archive is taken. Everything is counted while it comes out; headers are not believed.
public struct ArchiveLimits: Hashable, Sendable {
    /// The most entries, counting folders and those that are skipped.
    public var entriesMax: Int
    /// The most bytes of one file.
    public var fileBytesMax: Int
    /// The most bytes of all files together.
    public var totalBytesMax: Int
    /// How many times as large as the archive its content may be. The first 1 MiB is always allowed, since
    /// small files of one colour shrink a thousandfold.
    public var ratioMax: Int
    /// The most bytes of a path, in UTF-8.
    public var pathBytesMax: Int
    /// The most parts of a path; a file outside any folder has one.
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
