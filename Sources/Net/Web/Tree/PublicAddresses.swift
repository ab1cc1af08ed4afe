import StickerValues

/// The public addresses of published files.
struct PublicAddresses: Sendable {
    /// The address of the published folder, with a slash at the end.
    let base: String

    /// The address of a file in a manifest: absolute, or relative to the category's folder.
    func file(_ url: String, of category: CategoryID) -> String {
        if url.hasPrefix("http://") || url.hasPrefix("https://") { return url }
        return url.hasPrefix("../") ? base + url.dropFirst(3) : "\(base)\(category)/\(url)"
    }

    /// The address of a file by its path below the published folder.
    func file(_ path: String) -> String {
        base + path.split(separator: "/").map { Self.escaped($0) }.joined(separator: "/")
    }

    /// RFC 3986, section 2.3: everything but unreserved characters is written as `%XX`.
    private static func escaped(_ name: Substring) -> String {
        name.utf8.map { byte in
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
