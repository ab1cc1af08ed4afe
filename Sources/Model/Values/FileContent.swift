import FoundationEssentials

/// The bytes of a file named by the configuration, compared by hash.
public struct FileContent: Sendable {
    /// The content.
    public let bytes: [UInt8]
    /// The hash of `bytes`.
    public let hash: ContentHash

    /// Creates the content of a file; `hash` is that of `bytes`.
    public init(bytes: [UInt8], hash: ContentHash) { (self.bytes, self.hash) = (bytes, hash) }
}

extension FileContent: Hashable {
    /// Whether both have the same bytes.
    public static func == (a: FileContent, b: FileContent) -> Bool { a.hash == b.hash }

    /// Feeds the hash of the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension FileContent: Codable {
    private enum CodingKeys: CodingKey { case bytes, hash }

    /// Decodes the form of `encode`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        bytes = Array(try values.decode(Data.self, forKey: .bytes))
        hash = try values.decode(ContentHash.self, forKey: .hash)
    }

    /// Encodes the bytes as one Base64 text, which decodes many times faster than a list of numbers.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Data(bytes), forKey: .bytes)
        try values.encode(hash, forKey: .hash)
    }
}
