import Glibc

/// An address of IPv4 or IPv6.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 of them; `::ffff:127.0.0.1` is `127.0.0.1`.
    public let bytes: [UInt8]

    /// Reads an address, in brackets or not; `nil` if it is none. A zone (`fe80::1%eth0`) is left out.
    public init?(_ text: some StringProtocol) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let whole = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
        let bare = whole.prefix { $0 != "%" }
        var (short, long) = (in_addr(), in6_addr())
        if !isBracketed, inet_pton(AF_INET, whole, &short) == 1 {
            bytes = withUnsafeBytes(of: short) { Array($0) }
        } else if inet_pton(AF_INET6, String(bare), &long) == 1 {
            bytes = Self.unmapped(withUnsafeBytes(of: long) { Array($0) })
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes.count == 16 && bytes.starts(with: prefix) ? Array(bytes.dropFirst(12)) : bytes
    }

    /// Whether nobody but this machine has it.
    public var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether it counts on one link alone, where each neighbour has one in the same network.
    private var isLinkLocal: Bool {
        bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// The name under which bounds count it: a client of IPv6 has a network of 64 bits to choose addresses from.
    public var party: String {
        guard bytes.count == 16, !isLoopback, !isLinkLocal else { return description }
        let network = NetworkAddress(bytes: masked(to: 64))
        return "\(network)/64"
    }

    /// Its bytes, with zeros behind the first `bits` bits.
    func masked(to bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, bits - 8 * index))
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }

    /// As RFC 5952 writes it.
    public var description: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let isWritten = bytes.withUnsafeBytes {
                inet_ntop(family, $0.baseAddress, text.baseAddress, 64) != nil
            }
            return isWritten ? text.baseAddress.map { String(cString: $0) } ?? "" : ""
        }
    }
}
