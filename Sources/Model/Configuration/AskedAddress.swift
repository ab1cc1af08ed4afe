import StickerValues

/// The configured address of a server that one of our programs queries.
enum AskedAddress {
    /// The requirement, for faults.
    static let wanted = "an https URL without a query (http on this machine only)"

    /// Whether it is an https URL, or an http one on the loopback: a key in the request must not be readable on the
    /// way.
    static func isRight(_ text: String) -> Bool {
        guard text.hasPrefix("https://") || isLocal(text) else { return false }
        let rest = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        return !rest.isEmpty && rest.first != UInt8(ascii: "/")
            && rest.allSatisfy { (0x21...0x7E).contains($0) && !"?#@\"<>\\^`{|}".utf8.contains($0) }
    }

    /// Whether it is an http URL on the loopback.
    static func isLocal(_ text: String) -> Bool {
        ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { host in
            text == host || text.hasPrefix(host + ":") || text.hasPrefix(host + "/")
        }
    }
}
