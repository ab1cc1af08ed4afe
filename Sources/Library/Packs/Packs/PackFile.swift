/// A file of a finished pack, or several in an archive.
public struct PackFile: Hashable, Sendable, Codable {
    /// The content of a file.
    public enum Content: Hashable, Sendable, Codable {
        /// These bytes.
        case bytes([UInt8])
        /// A published picture as it is.
        case picture(PublishedPicture)
        /// These pieces, joined.
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

    /// Its path in the folder of the pack; parts are separated by `/`.
    public var path: String
    /// Its content.
    public var content: Content

    /// Creates a file at `path`.
    public init(_ path: String, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// Creates a text file; lines end with a newline.
    public init(_ path: String, text: String) { self.init(path, .bytes(Array(text.utf8))) }
}

/// A kind of archive.
public enum ArchiveKind: String, Hashable, Sendable, Codable {
    /// A ZIP whose files are stored: pictures do not compress further.
    case zip
    /// A tape archive compressed by gzip.
    case tarGzip
}

extension PackFile {
    /// Identifies the file, for a hash: its path, and its bytes or the hashes of its parts.
    public var fingerprint: [UInt8] { Self.counted(Array(path.utf8)) + content.fingerprint }

    /// Bytes prefixed by their count, so that no two lists of them are equal.
    fileprivate static func counted(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(bytes.count):".utf8) + bytes
    }
}

extension PackFile.Content {
    fileprivate var fingerprint: [UInt8] {
        switch self {
        case .bytes(let bytes): Array("b".utf8) + PackFile.counted(bytes)
        case .picture(let picture): Array("p\(picture.path)\n".utf8)
        case .joined(let pieces):
            Array("j\(pieces.count):".utf8)
                + pieces.flatMap { piece in
                    switch piece {
                    case .bytes(let bytes): Array("b".utf8) + PackFile.counted(bytes)
                    case .base64(let picture): Array("p\(picture.path)\n".utf8)
                    }
                }
        case .archive(let kind, let files):
            Array("a\(kind.rawValue)\(files.count):".utf8) + files.flatMap(\.fingerprint)
        }
    }
}
