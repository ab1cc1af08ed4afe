import Glibc
import StickerSystem
public import StickerValues

/// A published file that changed since it was published.
public struct PackDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path below `out`.
    public var path: String
    /// The fault, in a few words.
    public var detail: String
    /// The measured value; `nil` if there is none.
    public var measured: String?
    /// The published value.
    public var limit: String

    init(_ path: String, _ detail: String, _ measured: String?, _ limit: String) {
        (self.path, self.detail, self.measured, self.limit) = (path, detail, measured, limit)
    }

    static func gone(_ path: String, _ limit: String) -> PackDamage {
        PackDamage(path, "the file is gone", nothing, limit)
    }

    static func extra(_ path: String) -> PackDamage {
        PackDamage(path, "this file was not published", "a file", nothing)
    }

    private static let nothing = "no file"

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - bytes: its published size.
    ///   - hash: its published hash.
    ///   - shown: its path below `out`.
    ///   - since: when it was known to be intact, in nanoseconds since 1970: a file unchanged since then is not read.
    /// - Returns: the damage; `nil` if there is none.
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

    /// The fault.
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

    /// One sentence with the remedy.
    public var description: String { "\(finding.sentence); \(remedy)" }

    /// The rule for damaged files.
    public static let rule = "damaged"
}

extension Descriptor {
    /// Opens a regular file for reading, without following a link or waiting for a pipe.
    init(plain path: String) throws(FileError) {
        try self.init(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }
}
