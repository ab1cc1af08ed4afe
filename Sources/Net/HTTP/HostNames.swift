import StickerConfiguration
import StickerValues

/// The accepted host names. Any other may belong to a website that pointed its name here, to read data meant for this
/// machine.
package struct HostNames: Sendable {
    private let names: Set<String>
    private let openPaths: Set<String>

    /// - Parameters:
    ///   - names: without ports; addresses and `localhost` are always accepted.
    ///   - openPaths: the paths answered under any name, without the leading slash.
    package init(_ names: [String], openPaths: Set<String> = []) {
        self.names = Set(names.map(Self.plain)).union(["localhost"])
        self.openPaths = openPaths
    }

    /// Whether to answer a request.
    ///
    /// - Parameters:
    ///   - host: its field Host, with or without a port.
    ///   - path: without the leading slash.
    /// - Returns: whether it is for this server.
    package func answer(to host: String, path: String?) -> Bool {
        if let path, openPaths.contains(path) { return true }
        guard let name = Self.name(of: host) else { return false }
        return NetworkAddress(name) != nil || names.contains(Self.plain(name))
    }

    /// The name in a field Host, or before the path of a URL; `nil` if there is none.
    package static func name(of host: some StringProtocol) -> String? {
        let form = /(\[[0-9A-Fa-f:.]+\]|[^:\[\]\/@ ]+)(?::([0-9]{0,5}))?/
        guard let parts = String(host).wholeMatch(of: form),
            Int(parts.2 ?? "").map({ $0 <= 65535 }) ?? true
        else { return nil }
        return String(parts.1)
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// A request with no Host, several, or an invalid one: RFC 9112, section 3.2.
    package static let missing = WebError(
        status: 400, message: "the request does not say which server it is for",
        remedy: "send one field Host, a name or an address, with a port up to 65535 if any")

    /// A request for a server of another name.
    package static let notOurs = WebError(
        status: 421, message: "that is not a name of this server",
        remedy: "use a name that the operator set in web.publicURL or web.hosts")
}
