import FoundationEssentials

/// A file with one key on each line, and comments that begin with `#`.
struct KeyFile {
    /// Where it is.
    var path: String
    /// The setting that names it, for faults.
    var setting: String

    /// The path of a credential that systemd handed over.
    ///
    /// - Parameters:
    ///   - name: what the credential is called.
    ///   - folder: where systemd puts credentials; `nil` if there are none.
    /// - Returns: `nil` if it was not handed over.
    static func credential(_ name: String, in folder: String?) -> String? {
        folder.map { "\($0)/\(name)" }
            .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    /// Clients put a key into addresses unchanged.
    static func isKey(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_-]{1,200}/) != nil
    }

    /// Reads the keys.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be read, or a line is no key. No fault shows what is in it.
    func keys() throws(ConfigurationError) -> [String] {
        var keys: [String] = []
        for (index, line) in try lines().enumerated() {
            guard let key = Self.key(of: line) else {
                // Not shown: it may be a key with a slip of the pen.
                throw fault(
                    "line \(index + 1) of \(path) is no key; write one of letters, digits, _ and "
                        + "-, at most 200, with nothing behind it but a comment that begins with #")
            }
            if !key.isEmpty { keys.append(key) }
        }
        return keys
    }

    /// Reads the lines.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be read.
    func lines() throws(ConfigurationError) -> [Substring] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            let trouble = FileTrouble(error)
            throw fault("\(path) cannot be read: \(trouble)", mayPass: trouble.mayPass)
        }
        return String(decoding: data, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The key in a line, empty if there is none but a comment at most; `nil` for any other line.
    private static func key(of line: Substring) -> String? {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let key = words.first.map(String.init), !key.hasPrefix("#") else { return "" }
        let rest = words.dropFirst().first?.drop(while: \.isWhitespace) ?? ""
        return isKey(key) && (rest.isEmpty || rest.hasPrefix("#")) ? key : nil
    }

    func fault(_ message: String, mayPass: Bool = false) -> ConfigurationError {
        ConfigurationError(
            faults: [JSONFault(path: setting, message: message)], mayPass: mayPass)
    }
}

extension WeatherConfiguration {
    /// What systemd calls the key of the weather's provider.
    private static let credential = "weather.key"

    /// Reads the key of the provider.
    ///
    /// - Parameter credentials: the folder in which systemd puts credentials; `weather.key` there comes before
    ///   `keyFile`.
    /// - Returns: the first one in the file; `nil` if no file is named.
    /// - Throws: `ConfigurationError` if the file cannot be used.
    public func key(credentials: String?) throws(ConfigurationError) -> String? {
        guard
            let path = KeyFile.credential(Self.credential, in: credentials) ?? keyFile
        else { return nil }
        let file = KeyFile(path: path, setting: "smart.weather.keyFile")
        guard let key = try file.keys().first else {
            throw file.fault("\(path) has no key; write that of the provider into it")
        }
        return key
    }
}

extension UpstreamConfiguration {
    /// Reads the key under which it is asked.
    ///
    /// - Parameter credentials: the folder in which systemd puts credentials; `upstream-ID.key` there comes before
    ///   `keyFile`.
    /// - Returns: the first one in the file; `nil` if no file is named and none is needed.
    /// - Throws: `ConfigurationError` if there is no key that can be used. It shows none.
    public func key(credentials: String?) throws(ConfigurationError) -> String? {
        let setting = "web.upstreams.\(identifier).keyFile"
        guard let path = KeyFile.credential(credential, in: credentials) ?? keyFile else {
            guard !isKeyless else { return nil }
            throw KeyFile(path: "", setting: setting).fault(
                "is needed: \(title) answers nobody without a key; name a file with it, or hand over "
                    + "the credential \(credential)")
        }
        let file = KeyFile(path: path, setting: setting)
        guard let key = try file.keys().first else {
            throw file.fault("\(path) has no key; write that of \(title) into it")
        }
        return key
    }
}
