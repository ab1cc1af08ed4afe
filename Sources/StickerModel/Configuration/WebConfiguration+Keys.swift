import FoundationEssentials

extension WebConfiguration {
    /// Finds what keeps `stickerd-web` from serving as it is configured, and reads its keys.
    ///
    /// - Parameter credentials: the folder in which systemd puts credentials; a file there comes before one of the same
    ///   name elsewhere.
    /// - Returns: the keys of the configuration and of its file; none if any is taken.
    /// - Throws: `ConfigurationError` if the file cannot be used, or settings contradict one another.
    public func checkedKeys(credentials: String?) throws(ConfigurationError) -> [String] {
        let all = keys + (try fileKeys(credentials: credentials))
        var faults = exposureFaults(hasKeys: !all.isEmpty)
        if let keysFile, all.isEmpty, listen.isLoopback, !open {
            faults.append(
                JSONFault(
                    path: "web.keysFile",
                    message: "\(keysFile) has no key, so that any would be taken; write one, "
                        + "or set web.open if everybody may read"))
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return all
    }

    /// Whoever opens the server to a network says for whom, and by which name clients ask.
    package func exposureFaults(hasKeys: Bool) -> [JSONFault] {
        var faults: [JSONFault] = []
        if !listen.isLoopback, !hasKeys, !open {
            faults.append(
                JSONFault(
                    path: "web.listen",
                    message: "\(listen) is open to others than this machine; "
                        + "set web.keys, or web.open if everybody may read"))
        }
        if listen.isWildcard, publicURL.isEmpty {
            faults.append(
                JSONFault(
                    path: "web.publicURL",
                    message: "is needed, as no client can ask \(listen); set it to what clients "
                        + "use, such as http://stickers.example.org:\(listen.port)/"))
        }
        return faults
    }

    private func fileKeys(credentials: String?) throws(ConfigurationError) -> [String] {
        guard let keysFile else { return [] }
        let name = keysFile.split(separator: "/").last.map(String.init) ?? ""
        let handed = credentials.map { "\($0)/\(name)" }
        let isHanded = handed.map { FileManager.default.fileExists(atPath: $0) } ?? false
        let path = isHanded ? handed ?? keysFile : keysFile
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            let trouble = FileTrouble(error)
            throw Self.fileError("\(path) cannot be read: \(trouble)", mayPass: trouble.mayPass)
        }
        let lines = String(decoding: data, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var keys: [String] = []
        for (index, line) in lines.enumerated() {
            guard let key = Self.key(of: line) else {
                // Not shown: it may be a key with a slip of the pen.
                throw Self.fileError(
                    "line \(index + 1) of \(path) is no key; write one of letters, digits, _ and "
                        + "-, at most 200, with nothing behind it but a comment that begins with #")
            }
            if !key.isEmpty { keys.append(key) }
        }
        return keys
    }

    /// The key in a line, empty if there is none but a comment at most; `nil` for any other line.
    private static func key(of line: Substring) -> String? {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let key = words.first.map(String.init), !key.hasPrefix("#") else { return "" }
        let rest = words.dropFirst().first?.drop(while: \.isWhitespace) ?? ""
        return isKey(key) && (rest.isEmpty || rest.hasPrefix("#")) ? key : nil
    }

    private static func fileError(_ message: String, mayPass: Bool = false) -> ConfigurationError {
        ConfigurationError(
            faults: [JSONFault(path: "web.keysFile", message: message)], mayPass: mayPass)
    }
}
