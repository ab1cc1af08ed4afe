import StickerConfiguration
import StickerValues

/// The client of a request, as limits distinguish clients.
package struct Caller: Hashable, Sendable {
    /// The share of a limit for a proxy whose clients cannot be told apart.
    private static let crowdShare = 16

    /// An IPv4 address, an IPv6 network of 64 bits, or a proxy with an unknown client.
    package let name: String
    /// Whether many clients may use this name.
    package let isCrowd: Bool

    /// How many clients it counts as.
    package var share: Int { isCrowd ? Self.crowdShare : 1 }

    /// Determines the client. Only named proxies are trusted; one that does not name its client may have many. If none
    /// is named, a program on this machine that names its client is not trusted, but may be a proxy.
    ///
    /// - Parameters:
    ///   - peer: the address that sent the request.
    ///   - forwarded: `X-Forwarded-For`, if present.
    ///   - proxies: the named ones.
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
        // The last address that is not a named proxy is the client.
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
