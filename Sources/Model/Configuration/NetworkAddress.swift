import Glibc
import StickerValues

/// An address of IPv4 or IPv6.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes; `::ffff:127.0.0.1` is `127.0.0.1`.
    public let bytes: [UInt8]

    /// Reads an address, in brackets or not; `nil` if it is invalid. A zone (`fe80::1%eth0`) is dropped.
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

    /// Whether it belongs to this machine only.
    public var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether it is valid on only one link, where each neighbour has one in the same network.
    private var isLinkLocal: Bool {
        bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// The party that limits count: a client of IPv6 can use any address in a network of 64 bits.
    public var party: String {
        guard bytes.count == 16, !isLoopback, !isLinkLocal else { return description }
        let network = NetworkAddress(bytes: masked(to: 64))
        return "\(network)/64"
    }

    /// Its bytes, with zeros after the first `bits` bits.
    func masked(to bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, bits - 8 * index))
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }

    /// In the form of RFC 5952.
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
