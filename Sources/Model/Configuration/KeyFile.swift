import FoundationEssentials
import StickerValues

/// A file with one key per line, and comments that begin with `#`.
struct KeyFile {
    var path: String
    /// The setting that names it, for faults.
    var setting: String

    /// The path of a systemd credential.
    ///
    /// - Parameters:
    ///   - name: the name of the credential.
    ///   - folder: the folder of systemd's credentials; `nil` if there are none.
    /// - Returns: `nil` if it does not exist.
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
    /// - Throws: `ConfigurationError` if the file cannot be read, or a line is not a key. No fault shows its content.
    func keys() throws(ConfigurationError) -> [String] {
        var keys: [String] = []
        for (index, line) in try lines().enumerated() {
            guard let key = Self.key(of: line) else {
                // Not shown: it may be a mistyped key.
                throw fault(
                    "line \(index + 1) of \(path) is not a key; use letters, digits, _ and "
                        + "-, at most 200, followed only by a comment that begins with #")
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

    /// The key in a line; empty for an empty line or a comment; `nil` for any other line.
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
    /// The name of systemd's credential with the provider's key.
    private static let credential = "weather.key"

    /// Reads the key of the provider.
    ///
    /// - Parameter credentials: the folder of systemd's credentials; `weather.key` there takes precedence over
    ///   `keyFile`.
    /// - Returns: the first key in the file; `nil` if no file is named.
    /// - Throws: `ConfigurationError` if the file cannot be used.
    public func key(credentials: String?) throws(ConfigurationError) -> String? {
        guard
            let path = KeyFile.credential(Self.credential, in: credentials) ?? keyFile
        else { return nil }
        let file = KeyFile(path: path, setting: "smart.weather.keyFile")
        guard let key = try file.keys().first else {
            throw file.fault("\(path) has no key; write the provider's key into it")
        }
        return key
    }
}

extension UpstreamConfiguration {
    /// Reads the key for requests.
    ///
    /// - Parameter credentials: the folder of systemd's credentials; `upstream-ID.key` there takes precedence over
    ///   `keyFile`.
    /// - Returns: the first key in the file; `nil` if no file is named and none is needed.
    /// - Throws: `ConfigurationError` if there is no usable key. It shows none.
    public func key(credentials: String?) throws(ConfigurationError) -> String? {
        let setting = "web.upstreams.\(identifier).keyFile"
        guard let path = KeyFile.credential(credential, in: credentials) ?? keyFile else {
            guard !isKeyless else { return nil }
            throw KeyFile(path: "", setting: setting).fault(
                "is needed: \(title) requires a key; name a file with it, or pass "
                    + "the credential \(credential)")
        }
        let file = KeyFile(path: path, setting: setting)
        guard let key = try file.keys().first else {
            throw file.fault("\(path) has no key; write that of \(title) into it")
        }
        return key
    }
}
