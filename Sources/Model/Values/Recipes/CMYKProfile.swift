/// An ICC profile of a printing condition, for CMYK pictures without a usable profile of their own.
public struct CMYKProfile: Hashable, Sendable, Codable {
    /// The largest profile, in bytes; real ones end at about 3 MB.
    public static let bytesMax = 4_000_000

    private let content: FileContent
    /// The content of its file.
    public var bytes: [UInt8] { content.bytes }
    /// The hash of `bytes`, which identifies the profile.
    public var hash: ContentHash { content.hash }

    /// Creates a profile; `nil` if it is too large or not for CMYK (ICC.1:2010, clause 7.2).
    ///
    /// - Parameters:
    ///   - bytes: the content of its file, of which only the header is checked.
    ///   - hash: the hash of `bytes`.
    public init?(bytes: [UInt8], hash: ContentHash) {
        guard bytes.count <= Self.bytesMax, Self.space(of: bytes) == "CMYK" else { return nil }
        content = FileContent(bytes: bytes, hash: hash)
    }

    /// The colour space of a profile, for example `RGB`; `nil` if `bytes` are not a profile.
    public static func space(of bytes: [UInt8]) -> String? {
        guard bytes.count >= 128, bytes[36..<40].elementsEqual("acsp".utf8) else { return nil }
        let name = String(decoding: bytes[16..<20], as: UTF8.self)
        return FileName.escaped(String(name.prefix { $0 != " " }))
    }
}
