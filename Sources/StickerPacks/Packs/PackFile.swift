/// A file of a finished pack, or several in an archive.
public struct PackFile: Hashable, Sendable, Codable {
    /// What is in it.
    public enum Content: Hashable, Sendable, Codable {
        /// These bytes.
        case bytes([UInt8])
        /// A published picture as it is.
        case picture(PublishedPicture)
        /// These pieces, one behind the other.
        case joined([Piece])
        /// An archive of these files, in this order.
        case archive(ArchiveKind, [PackFile])
    }

    /// A piece of a file.
    public enum Piece: Hashable, Sendable, Codable {
        /// These bytes.
        case bytes([UInt8])
        /// A published picture in Base64 (RFC 4648, section 4), without line breaks.
        case base64(PublishedPicture)
    }

    /// Where it lies in the folder of the pack; parts are divided by `/`.
    public var path: String
    /// What is in it.
    public var content: Content

    /// Creates a file at `path`.
    public init(_ path: String, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// Creates a text file; a line ends with a newline.
    public init(_ path: String, text: String) { self.init(path, .bytes(Array(text.utf8))) }
}

/// A kind of archive.
public enum ArchiveKind: String, Hashable, Sendable, Codable {
    /// A ZIP whose files are stored as they are: pictures do not get smaller.
    case zip
    /// A tape archive compressed by gzip.
    case tarGzip
}
