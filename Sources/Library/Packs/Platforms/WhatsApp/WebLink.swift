/// A web address as read by Java's `URL` and Android's `URLUtil`, except that blanks and an empty host, which they
/// accept, make it invalid.
struct WebLink {
    /// As written, without user and port.
    let host: String

    /// Reads an address that begins with `http://` or `https://`; `nil` for anything else.
    init?(_ text: String) {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }),
            text.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace && $0.value >= 0x20 })
        else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // A colon inside brackets belongs to an IPv6 address.
        let colon = place.lastIndex(of: ":").flatMap { place[$0...].contains("]") ? nil : $0 }
        let port = colon.map { place[place.index(after: $0)...] } ?? ""
        host = String(place[..<(colon ?? place.endIndex)])
        guard !host.isEmpty, port.isEmpty || UInt16(port) != nil else { return nil }
    }
}
