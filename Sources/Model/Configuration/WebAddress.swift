import Glibc
import StickerValues

/// The listening address of a server: `127.0.0.1:8512`, `[::1]:8512` or `name:8512`.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address without brackets, or a name.
    public let host: String
    /// From 1 to 65535.
    public let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The requirement, with `self` as the default.
    var wanted: String { "an address and a port from 1 to 65535, such as \(self)" }

    /// Reads an address from the configuration; `nil` if it is invalid.
    init?(_ text: String) {
        let form = /(?:\[(?<bare>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9.-]+)):(?<port>[0-9]{1,5})/
        guard let parts = text.wholeMatch(of: form), let port = Int(parts.port),
            (1...65535).contains(port), let host = parts.bare ?? parts.name
        else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether a text is the name of a host, or a numeric address without brackets.
    static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_.-]{1,253}/) != nil
    }

    /// As written in the configuration and in URLs.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether it stands for all addresses of the machine, and so cannot be requested by a client.
    public var isWildcard: Bool {
        bytes.map { NetworkAddress.unmapped($0).allSatisfy { $0 == 0 } } ?? false
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        guard let bytes = bytes.map(NetworkAddress.unmapped) else { return host == "localhost" }
        return bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// The 4 or 16 bytes of a numeric address as the system reads it, which also accepts `0` and `127.1`.
    private var bytes: [UInt8]? {
        var short = in_addr()
        if inet_aton(host, &short) != 0 { return withUnsafeBytes(of: short) { Array($0) } }
        var long = in6_addr()
        return inet_pton(AF_INET6, host, &long) == 1 ? withUnsafeBytes(of: long) { Array($0) } : nil
    }
}
