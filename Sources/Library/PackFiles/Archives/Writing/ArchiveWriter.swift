public import StickerSystem

/// A kind of archive to write.
public enum ArchiveFormat: String, Hashable, Sendable, CaseIterable {
    /// A ZIP whose files are stored: pictures do not compress further.
    case zip
    /// A tape archive compressed by gzip.
    case tarGzip
}

/// Writes archives. The same items always give the same bytes (for `tarGzip` with the same zlib): no times, owners or
/// permissions of files are stored.
public enum ArchiveWriter {
    /// Longer than any of our paths, and than the standard tape archive allows.
    private static let pathBytesMax = 1024

    /// Writes an archive from the position of `file` on, in one pass: it may be a pipe. No file is ever wholly in
    /// memory.
    ///
    /// - Parameters:
    ///   - items: the files, in writing order.
    ///   - format: the kind of archive.
    ///   - file: the output; after an error its content is useless.
    ///   - path: the name of the archive in errors.
    /// - Throws: `ArchiveError`, which names the entry: `.badName`, `.duplicateName`, `.longPath` and
    ///   `.deepPath` before anything is written, then `.system`, `.fileChanged`, and `.tooManyBytes` or
    ///   `.tooManyEntries` beyond the bounds of the format.
    public static func write(
        _ items: [ArchiveItem], as format: ArchiveFormat, to file: borrowing Descriptor,
        path: String
    ) throws(ArchiveError) {
        var paths = EntryPaths()
        for item in items {
            try paths.insert(
                EntryPath(
                    Array(item.path.utf8), bytesMax: pathBytesMax, depthMax: pathBytesMax))
        }
        switch format {
        case .zip:
            var zip = ZIPWriter(path: path)
            for item in items { try zip.add(item, to: file) }
            try zip.finish(file)
        case .tarGzip:
            let tar = try TarGzipWriter(to: file, path: path)
            for item in items { try tar.add(item) }
            try tar.finish()
        }
    }
}
