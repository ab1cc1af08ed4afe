import StickerModel

/// The client of a request, as far as bounds tell clients apart.
package struct Caller: Hashable, Sendable {
    /// The share of a bound that a proxy has whose clients nobody can tell apart.
    private static let crowdShare = 16

    /// An IPv4 address, an IPv6 network of 64 bits, or a proxy that asks for somebody unknown.
    package let name: String
    /// Whether many may ask under this name.
    package let isCrowd: Bool

    /// How many clients it counts as.
    package var share: Int { isCrowd ? Self.crowdShare : 1 }

    /// Finds who asks. A proxy is believed if it is named; one that does not say for whom it asks may do so for many. While
    /// none is named, a program on this machine that says for whom it asks is not believed, and may be a proxy all the same.
    ///
    /// - Parameters:
    ///   - peer: the address from which a request comes.
    ///   - forwarded: `X-Forwarded-For`, if there is one.
    ///   - proxies: those that are named.
    init(_ peer: String, forwarded: String?, proxies: [AddressRange]) {
        guard let address = NetworkAddress(peer) else {
            (name, isCrowd) = (peer, false)
            return
        }
        func isNamed(_ address: NetworkAddress) -> Bool {
            proxies.contains { $0.contains(address) }
        }
        let isBelieved = isNamed(address)
        let isUnnamedProxy = proxies.isEmpty && address.isLoopback && forwarded != nil
        guard isBelieved || isUnnamedProxy else {
            (name, isCrowd) = (address.party, false)
            return
        }
        // The last that no named proxy has is the one who came to them.
        let hops = (forwarded ?? "").split(separator: ",").reversed().map {
            NetworkAddress(Self.bare($0))
        }
        let client = hops.first { $0.map { !isNamed($0) } ?? true } ?? nil
        guard isBelieved, let client else {
            (name, isCrowd) = ("clients of \(address.party)", true)
            return
        }
        (name, isCrowd) = (client.party, false)
    }

    /// An address without the port that some proxies add.
    private static func bare(_ hop: Substring) -> Substring {
        let hop = hop.drop { $0 == " " }.prefix { $0 != " " }
        if hop.hasPrefix("["), let end = hop.firstIndex(of: "]") { return hop[...end] }
        let parts = hop.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0] : hop
    }
}
