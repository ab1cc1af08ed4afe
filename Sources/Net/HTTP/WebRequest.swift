package import StickerModel

/// What a client asks for, taken apart; nothing in it is trusted.
package struct WebRequest: Sendable {
    /// GET, HEAD or any other.
    package var method: String
    /// As it stands in the request line.
    package let target: String
    /// The path without its percent signs, from the first character behind the slash on; `nil` if it cannot be read.
    package var path: String?
    /// The query, by name; of several with one name, the first.
    package var query: [String: String]
    /// Header fields, by name in small letters.
    package var header: @Sendable (String) -> String?
    /// Tells the request from others in logs and errors.
    package var identifier: String
    /// The client that sent it.
    package let caller: Caller
    /// The name of who asks, for bounds and logs.
    package var client: String { caller.name }
    /// Whether a program on this machine asks for itself, and not for somebody else.
    package var isLocal: Bool
    /// Whether its client is still there.
    package var isAwaited: @Sendable () -> Bool = { true }
    /// What was sent with it, where a server reads that.
    package var body: [UInt8] = []
    /// Who has taken what was sent with it, where a server has that received.
    package var receiver: (any BodyReceiver)?

    /// Takes a request apart.
    ///
    /// - Parameters:
    ///   - method: as in the request line.
    ///   - target: the same: a path, and a query behind a question mark.
    ///   - identifier: tells it from others.
    ///   - client: the address from which it comes.
    ///   - proxies: who may say for whom it asks.
    ///   - header: returns a header field by its name.
    package init(
        _ method: String, _ target: String, identifier: String = "", client: String = "",
        proxies: [AddressRange] = [],
        header: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        (self.method, self.target) = (method, target)
        (self.identifier, self.header) = (identifier, header)
        caller = Caller(client, forwarded: header("x-forwarded-for"), proxies: proxies)
        isLocal =
            NetworkAddress(client)?.isLoopback == true
            && Self.signsOfProxies.allSatisfy { header($0) == nil }
        let parts = target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.flatMap { Self.path($0) }
        query = parts.count > 1 ? Self.fields(parts[1]) : [:]
    }

    /// The fields of a form that was sent, by name; of several with one name, the first.
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

    /// Fields that a server before this one adds.
    private static let signsOfProxies = ["x-forwarded-for", "forwarded", "via", "x-real-ip"]

    private static func path(_ raw: Substring.UTF8View) -> String? {
        guard raw.first == UInt8(ascii: "/"), let bytes = decoded(raw.dropFirst()),
            let path = String(validating: bytes, as: UTF8.self),
            !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return path
    }

    /// Clients write a blank as `%20` or as `+`. What is no text is replaced, also control characters.
    private static func text(_ raw: Substring.UTF8View) -> String {
        let blanks = raw.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let text = String(decoding: decoded(blanks) ?? blanks, as: UTF8.self)
        return String(text.map { $0.isControl ? "\u{FFFD}" : $0 })
    }

    /// Bytes with `%XX` replaced; `nil` if there is a percent sign without two digits.
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
    /// Whether the client has what this entity tag tells: RFC 9110, section 13.1.2. Weak tags count, as servers on the way
    /// that compress make them of strong ones.
    package func knows(_ tag: String) -> Bool {
        guard let header = header("if-none-match") else { return false }
        return header.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " }.prefix { $0 != " " }
            return item == "*" || item == tag || item == "W/\(tag)"
        }
    }
}
