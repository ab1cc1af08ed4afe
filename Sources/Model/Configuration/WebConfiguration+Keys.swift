import FoundationEssentials
package import StickerValues

extension WebConfiguration {
    /// Checks that `stickerd-web` can serve as configured, and reads its keys.
    ///
    /// - Parameter credentials: the folder of systemd's credentials; a file there takes precedence over one of the same
    ///   name elsewhere.
    /// - Returns: the keys of the configuration and of its file; empty if any key is accepted.
    /// - Throws: `ConfigurationError` if the file cannot be used, or settings contradict one another.
    public func checkedKeys(credentials: String?) throws(ConfigurationError) -> [String] {
        let all = keys + (try fileKeys(credentials: credentials))
        var faults = exposureFaults(hasKeys: !all.isEmpty)
        if let keysFile, all.isEmpty, listen.isLoopback, !open {
            faults.append(
                JSONFault(
                    path: "web.keysFile",
                    message: "\(keysFile) has no key, so any would be accepted; write one, "
                        + "or set web.open if everyone may read"))
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return all
    }

    /// A server open to a network must name its audience, and the host names that clients use.
    package func exposureFaults(hasKeys: Bool) -> [JSONFault] {
        var faults: [JSONFault] = []
        if !listen.isLoopback, !hasKeys, !open {
            faults.append(
                JSONFault(
                    path: "web.listen",
                    message: "\(listen) is reachable from other machines; "
                        + "set web.keys, or web.open if everyone may read"))
        }
        if listen.isWildcard, publicURL.isEmpty {
            faults.append(
                JSONFault(
                    path: "web.publicURL",
                    message: "is needed, as no client can connect to \(listen); set the address "
                        + "for clients, such as http://stickers.example.org:\(listen.port)/"))
        }
        return faults
    }

    /// Problems with `trustedProxies`, as far as the configuration shows.
    package var proxyRemarks: [String] {
        trustedProxies.wideRemarks("web.trustedProxies")
            + (hasUnnamedProxy ? [unnamedProxyRemark] : [])
    }

    private var unnamedProxyRemark: String {
        "web.trustedProxies: is empty, so all clients of the server at \(publicURL) share "
            + "the bounds of one proxy; set it to that server's address, such as [\"127.0.0.1\"]"
    }

    /// Whether the public address is that of an unlisted proxy before `stickerd-web`.
    private var hasUnnamedProxy: Bool {
        trustedProxies.isEmpty && listen.isLoopback && !publicURL.isEmpty
            && !publicURL.hasPrefix("http://\(listen)/")
    }

    /// Whether a proxy on this machine passes requests on.
    var isBehindProxy: Bool { listen.isLoopback && !trustedProxies.isEmpty || hasUnnamedProxy }

    private func fileKeys(credentials: String?) throws(ConfigurationError) -> [String] {
        guard let keysFile else { return [] }
        let name = keysFile.split(separator: "/").last.map(String.init) ?? ""
        let handed = KeyFile.credential(name, in: credentials)
        return try KeyFile(path: handed ?? keysFile, setting: "web.keysFile").keys()
    }
}
