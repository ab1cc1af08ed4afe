public import StickerSystem

/// A kind of archive that is written.
public enum ArchiveFormat: String, Hashable, Sendable, CaseIterable {
    /// A ZIP whose files are stored as they are: pictures do not get smaller.
    case zip
    /// A tape archive compressed by gzip.
    case tarGzip
}

/// Writes archives. The same items give the same bytes on every day and every machine, as long as zlib
/// is the same for `tarGzip`: there are no times, owners and permissions of files in them.
public enum ArchiveWriter {
    /// Longer than any path of ours, and than the standard tape archive takes.
    private static let pathBytesMax = 1024

    /// Writes an archive from the position of `file` on, in one go: it may be a pipe. No file that goes
    /// into it is ever wholly in memory.
    ///
    /// - Parameters:
    ///   - items: the files, in the order in which they are written.
    ///   - format: the kind of archive.
    ///   - file: is written to; what it holds is useless if an error is thrown.
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
