import StickerValues

/// The page of `stickerd-web` on which stickers are placed on a picture.
public struct ComposeConfiguration: Hashable, Sendable {
    /// The origins whose pages may embed it; empty for none.
    public var origins: [String] = []

    /// The defaults.
    public init() {}

    /// Whether browsers would write an origin like that: https, or http on the same machine; the name in lower case,
    /// without a default port (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin).
    static func isOrigin(_ text: String) -> Bool {
        let form = /(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?/
        guard let parts = text.wholeMatch(of: form)?.output, isName(parts.2) else { return false }
        let isSecure = parts.1 == "https"
        if !isSecure, !["localhost", "127.0.0.1", "[::1]"].contains(parts.2) { return false }
        guard let port = parts.3.flatMap({ Int($0) }) else { return parts.3 == nil }
        return port <= 65535 && port != (isSecure ? 443 : 80)
    }

    private static func isName(_ host: Substring) -> Bool {
        host.hasPrefix("[")
            || host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.count <= 63 && part.first != "-" && part.last != "-"
            }
    }
}

extension ComposeConfiguration {
    mutating func read(_ reader: inout ObjectReader) {
        reader.strings(
            "origins", &origins,
            "a list of origins such as https://app.example.org, in lower case and without a "
                + "path; http is for localhost only"
        ) { $0.allSatisfy(Self.isOrigin) }
    }
}
