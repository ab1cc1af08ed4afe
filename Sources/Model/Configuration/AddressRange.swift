import StickerValues

/// An address, or a range with a common prefix: `127.0.0.1`, `10.0.0.0/8` or `2001:db8::/32`.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let first: NetworkAddress
    private let bits: Int

    /// Reads a range; `nil` if it is invalid, or names an address within its own range.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = NetworkAddress(parts[0]) else { return nil }
        let all = 8 * first.bytes.count
        guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits),
            first.masked(to: bits) == first.bytes
        else { return nil }
        (self.first, self.bits) = (first, bits)
    }

    /// Whether it contains an address.
    public func contains(_ address: NetworkAddress) -> Bool {
        address.bytes.count == first.bytes.count && address.masked(to: bits) == first.bytes
    }

    /// As written in the configuration.
    public var description: String {
        bits == 8 * first.bytes.count ? "\(first)" : "\(first)/\(bits)"
    }

    /// Whether it has an address of this machine itself.
    var hasLoopback: Bool {
        first.isLoopback
            || ["127.0.0.1", "::1"].compactMap { NetworkAddress($0) }.contains(where: contains)
    }

    /// Large networks without public addresses.
    private static let inner = [
        "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    /// Whether it has public addresses of many operators: its prefix is shorter than 12 bits in IPv4, or 24 in IPv6,
    /// and it is in no private network.
    var isWide: Bool {
        bits < (first.bytes.count == 4 ? 12 : 24)
            && !Self.inner.contains { $0.contains(first) && bits >= $0.bits }
    }
}

extension ObjectReader {
    /// Reads a list of addresses and ranges.
    mutating func addresses(_ key: String, _ target: inout [AddressRange]) {
        list(
            key, &target, "a list of addresses or ranges",
            each: "an address or a range such as 127.0.0.1, ::1 or 10.0.0.0/8"
        ) { AddressRange($0) }
    }
}

extension [AddressRange] {
    /// Warns of ranges too wide for trusted proxies; `setting` is the key of the list.
    package func wideRemarks(_ setting: String) -> [String] {
        enumerated().filter(\.element.isWide).map { index, range in
            "\(setting)[\(index)]: \(range) includes other clients, which may then claim "
                + "any address and escape every bound; name only the servers before this one"
        }
    }
}
