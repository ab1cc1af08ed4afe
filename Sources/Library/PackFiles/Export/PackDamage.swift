import Glibc
public import StickerModel
import StickerSystem

/// A published file that is not what was published.
public struct PackDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path below `out`.
    public var path: String
    /// The fault, in a few words.
    public var detail: String
    /// The value that was found; `nil` if it cannot be said.
    public var measured: String?
    /// The value that was published.
    public var limit: String

    init(_ path: String, _ detail: String, _ measured: String?, _ limit: String) {
        (self.path, self.detail, self.measured, self.limit) = (path, detail, measured, limit)
    }

    static func gone(_ path: String, _ limit: String) -> PackDamage {
        PackDamage(path, "the file is gone", nothing, limit)
    }

    static func extra(_ path: String) -> PackDamage {
        PackDamage(path, "nobody published this file", "a file", nothing)
    }

    private static let nothing = "no file"

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - bytes: its size as it was published.
    ///   - hash: the hash of its bytes as they were published.
    ///   - shown: its path below `out`.
    ///   - since: when it was known to be whole, nanoseconds since 1970: one that was not touched since is not read.
    /// - Returns: what is wrong with it; `nil` if nothing is.
    static func of(
        _ path: String, bytes: Int, _ hash: ContentHash, shown: String, since: Int64 = .min
    ) -> PackDamage? {
        guard let status = try? FileStatus(link: path), status.kind == .regular else {
            return .gone(shown, "\(bytes.grouped) B")
        }
        guard status.size == bytes else {
            return PackDamage(
                shown, "the file has another size than was published",
                "\(Int(status.size).grouped) B", "\(bytes.grouped) B")
        }
        guard status.ctime > since else { return nil }
        guard let found = try? Descriptor(plain: path).readToEnd(path: path) else {
            return PackDamage(shown, "the file cannot be read", nil, "\(bytes.grouped) B")
        }
        let foundHash = ContentHash(of: found)
        guard foundHash != hash else { return nil }
        return PackDamage(
            shown, "the file has other bytes than were published",
            "SHA-256 \(foundHash.rawValue.prefix(12))…", "\(hash.rawValue.prefix(12))…")
    }

    /// The fault that it means.
    public var finding: Finding {
        Finding(
            Self.rule, file: path, detail, measured: measured, limit: limit,
            remedy: remedy)
    }

    /// The remedy.
    public var remedy: String {
        if limit == Self.nothing { return "a running stickerd removes it within the hour" }
        let parts = path.split(separator: "/")
        if path.hasPrefix("_packs/") || path.hasPrefix("_/") && measured == Self.nothing {
            return "a running stickerd makes it again within the hour"
        }
        // Further pages are written with the first one.
        let isPage = parts.count == 2 && parts[1] != "manifest.json" && parts[0] != "_"
        let first = isPage ? " and \(parts[0])/manifest.json" : ""
        return "remove it\(first); a running stickerd makes it again within the hour"
    }

    /// One sentence, with what to do about it.
    public var description: String { "\(finding.sentence); \(remedy)" }

    /// The rule that damaged files break.
    public static let rule = "damaged"
}

extension Descriptor {
    /// Opens a regular file for reading; a link is not followed, and a pipe not waited for.
    init(plain path: String) throws(FileError) {
        try self.init(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }
}
