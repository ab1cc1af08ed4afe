public import StickerModel

/// A published file that is not what was published.
public struct PackDamage: Hashable, Sendable {
    /// The path below `out`.
    public var path: String
    /// What is wrong with it.
    public var detail: String
    /// What was found; `nil` if that cannot be said.
    public var measured: String?
    /// What was published.
    public var limit: String

    init(_ path: String, _ detail: String, _ measured: String?, _ limit: String) {
        (self.path, self.detail, self.measured, self.limit) = (path, detail, measured, limit)
    }

    static func gone(_ path: String, _ limit: String) -> PackDamage {
        PackDamage(path, "the file is gone", "no file", limit)
    }

    /// `nil` if the hashes are equal.
    static func other(
        _ path: String, _ found: ContentHash, than published: ContentHash
    ) -> PackDamage? {
        guard found != published else { return nil }
        return PackDamage(
            path, "the file has other bytes than it was written with",
            "SHA-256 \(found.rawValue.prefix(12))…", "\(published.rawValue.prefix(12))…")
    }

    /// The fault of a pack that it means.
    public var finding: Finding {
        Finding(
            Self.rule, file: path, detail, measured: measured, limit: limit,
            remedy: "nothing: the daemon makes it again within the hour")
    }

    /// The rule that damaged files break.
    public static let rule = "damaged"
}
