package import StickerConfiguration
import StickerValues

/// A parsed request; nothing in it is trusted. The server makes it, and all sites read it, so it stands below both.
package struct WebRequest: Sendable {
    /// GET, HEAD or any other.
    package var method: String
    /// The target of the request line, verbatim.
    package let target: String
    /// The decoded path, without the leading slash; `nil` if invalid.
    package var path: String?
    /// The query, by name; of repeated names, the first.
    package var query: [String: String]
    /// Header fields, by lower-case name.
    package var header: @Sendable (String) -> String?
    /// Identifies the request in logs and errors.
    package var identifier: String
    /// The client that sent it.
    package let caller: Caller
    /// The name of the client, for limits and logs.
    package var client: String { caller.name }
    /// Whether a program on this machine asks for itself, not for another client.
    package var isLocal: Bool
    /// Whether a proxy that is trusted by name sent it.
    package let isFromTrustedProxy: Bool
    /// Whether its client is still connected.
    package var isAwaited: @Sendable () -> Bool = { true }
    /// The body, where a server reads it into memory.
    package var body: [UInt8] = []

    /// Parses a request.
    ///
    /// - Parameters:
    ///   - method: as in the request line.
    ///   - target: as in the request line: a path, and a query after a question mark.
    ///   - identifier: identifies it in logs.
    ///   - client: the address that sent it.
    ///   - proxies: the proxies trusted to name their client.
    ///   - header: returns a header field by its name.
    package init(
        _ method: String, _ target: String, identifier: String = "", client: String = "",
        proxies: [AddressRange] = [],
        header: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        (self.method, self.target) = (method, target)
        (self.identifier, self.header) = (identifier, header)
        caller = Caller(client, forwarded: header("x-forwarded-for"), proxies: proxies)
        isFromTrustedProxy =
            NetworkAddress(client).map { peer in proxies.contains { $0.contains(peer) } } ?? false
        isLocal =
            NetworkAddress(client)?.isLoopback == true
            && Self.signsOfProxies.allSatisfy { header($0) == nil }
        let parts = target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.flatMap { Self.path($0) }
        query = parts.count > 1 ? Self.fields(parts[1]) : [:]
    }

    /// The fields of a sent form, by name; of repeated names, the first.
    package var form: [String: String] {
        Self.fields(Substring(decoding: body, as: UTF8.self).utf8)
    }

    private static func fields(_ text: Substring.UTF8View) -> [String: String] {
        var fields: [String: String] = [:]
        for item in text.split(separator: UInt8(ascii: "&")) {
            let pair = item.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.text(pair[0])
            guard fields[name] == nil else { continue }
            fields[name] = pair.count > 1 ? Self.text(pair[1]) : ""
        }
        return fields
    }

    /// Fields added by proxies.
    private static let signsOfProxies = ["x-forwarded-for", "forwarded", "via", "x-real-ip"]

    private static func path(_ raw: Substring.UTF8View) -> String? {
        guard raw.first == UInt8(ascii: "/"), let bytes = decoded(raw.dropFirst()),
            let path = String(validating: bytes, as: UTF8.self),
            !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return path
    }

    /// Clients write a blank as `%20` or as `+`. Invalid text and control characters are replaced.
    private static func text(_ raw: Substring.UTF8View) -> String {
        let blanks = raw.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let text = String(decoding: decoded(blanks) ?? blanks, as: UTF8.self)
        return String(text.map { $0.isControl ? "\u{FFFD}" : $0 })
    }

    /// Bytes with `%XX` replaced; `nil` if a percent sign lacks two digits.
    private static func decoded(_ raw: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = raw.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension WebRequest {
    /// Whether the client already has the version with this entity tag: RFC 9110, section 13.1.2. Weak tags count, as
    /// proxies that compress make them of strong ones.
    package func knows(_ tag: String) -> Bool {
        guard let header = header("if-none-match") else { return false }
        return header.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }.prefix { $0 != " " }
            return item == "*" || item == tag || item == "W/\(tag)"
        }
    }
}
