import StickerValues

/// The configuration of `stickerd-console`.
public struct ConsoleConfiguration: Hashable, Sendable {
    /// The address and port on which it listens.
    public var listen = WebAddress(host: "127.0.0.1", port: 8513)
    /// A file with the visitors' token; `nil` admits everyone on this machine.
    public var tokenFile: String?
    /// The drops into which it writes pictures and side files; new categories come into the first.
    public var drops: [String] = []
    /// Reverse proxies whose statements about the client are trusted.
    public var trustedProxies: [AddressRange] = []
    /// The people who come in, by name; without any, everybody who comes in is an operator.
    public var people: [String: ConsolePerson] = [:]
    /// The header field in which a trusted proxy names the person, `Remote-User` for example.
    public var userHeader: String?
    /// The SHA-256 of the secret that proves the header: the proxy sends it in another one, `Remote-User-Secret`.
    public var userSecretSHA256: String?

    /// The defaults.
    public init() {}

    /// The name of systemd's credential with the token.
    private static let credential = "console.token"

    /// Reads the token.
    ///
    /// - Parameter credentials: the folder of systemd's credentials; `console.token` there takes precedence over
    ///   `tokenFile`.
    /// - Returns: the first token in the file; `nil` if none is needed.
    /// - Throws: `ConfigurationError` if the file cannot be used, or the address is open to others without one.
    public func checkedToken(credentials: String?) throws(ConfigurationError) -> String? {
        guard
            let path = KeyFile.credential(Self.credential, in: credentials) ?? tokenFile
        else {
            guard !listen.isLoopback, people.isEmpty else { return nil }
            throw ConfigurationError(
                faults: [
                    JSONFault(
                        path: "console.listen",
                        message: "\(listen) is reachable from other machines; set "
                            + "console.tokenFile to a file with a token for them, or name "
                            + "console.people")
                ])
        }
        let file = KeyFile(path: path, setting: "console.tokenFile")
        guard let token = try file.keys().first, token.utf8.count >= 16 else {
            throw file.fault("\(path) has no token of at least 16 characters; write one into it")
        }
        return token
    }
}

extension ConsoleConfiguration {
    /// Problems with `trustedProxies`, as far as the configuration shows. A missing proxy is reported if there may be
    /// one: the console is open to others, or there is one before `stickerd-web` on this machine.
    package func proxyRemarks(beside web: WebConfiguration) -> [String] {
        guard trustedProxies.isEmpty, tokenFile != nil || !people.isEmpty,
            !listen.isLoopback || web.isBehindProxy
        else { return trustedProxies.wideRemarks("console.trustedProxies") }
        return [
            "console.trustedProxies: is empty, so all clients of a server before the console "
                + "share its bounds; if there is one, set it to its address"
        ]
    }

    mutating func read(
        _ reader: inout ObjectReader, of known: [String], isPath: (String) -> Bool
    ) {
        var address = listen.description
        reader.string("listen", &address, listen.wanted) { WebAddress($0) != nil }
        listen = WebAddress(address) ?? listen
        reader.optionalString("tokenFile", &tokenFile, "null or a file", where: isPath)
        reader.strings("drops", &drops, "a list of paths that drops has") {
            $0.allSatisfy(known.contains)
        }
        reader.addresses("trustedProxies", &trustedProxies)
        reader.optionalString("userHeader", &userHeader, "null or the name of a header field") {
            $0.wholeMatch(of: /[A-Za-z0-9-]{1,50}/) != nil
        }
        reader.optionalString(
            "userSecretSHA256", &userSecretSHA256, ConsolePerson.hashWanted,
            where: ConsolePerson.isHash)
        reader.objects("people", "the name of a person", where: ConsolePerson.isName) {
            name, reader in
            var person = ConsolePerson()
            person.read(&reader)
            people[name] = person
        }
        checkPeople(reader)
    }

    private func checkPeople(_ reader: ObjectReader) {
        if userHeader != nil, trustedProxies.isEmpty {
            reader.note("userHeader", "is believed of console.trustedProxies alone, which is empty")
        }
        let isOpen = trustedProxies.contains { $0.hasLoopback }
        if userHeader != nil, userSecretSHA256 == nil, isOpen {
            reader.note(
                "userHeader",
                "could be sent by every program on this machine; set userSecretSHA256 and let the "
                    + "proxy send the secret")
        }
        if userHeader != nil, people.isEmpty {
            reader.note("userHeader", "tells who somebody is, and console.people names nobody")
        }
        var owners: [String: String] = [:]
        for (name, person) in people.sorted(by: { $0.key < $1.key }) {
            let shown = FileName.escaped(name)
            guard let hash = person.tokenSHA256 else {
                if userHeader == nil {
                    reader.note(
                        "people", "\(shown) cannot come in; set tokenSHA256, or console.userHeader")
                }
                continue
            }
            if let other = owners.updateValue(shown, forKey: hash) {
                reader.note("people", "\(other) and \(shown) have the same token")
            }
        }
    }
}
