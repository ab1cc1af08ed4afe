import Glibc
import StickerValues

extension Configuration {
    /// Every key with its value as text, by JSON path, including those that other programs read at their start. Secrets
    /// are left out; of a file with secrets, only the path of an existing file is shown, as the secret itself may have
    /// been written in place of a path.
    public var shownSettings: [String: String] {
        Dictionary(
            uniqueKeysWithValues: everySetting.map { path, value in
                (path, Self.shown(value, of: path))
            })
    }

    private static func shown(_ value: String, of path: String) -> String {
        if SecretSetting.isSecret(path) {
            return value == "[]" ? value : SecretSetting.hidden
        }
        guard SecretSetting.namesFile(path), value.hasPrefix("\"") else {
            return SecretText.withoutCredentials(value)
        }
        return isThere(path: value) ? value : "\(SecretSetting.hidden): there is no such file"
    }

    /// Whether there is a file at a quoted path.
    private static func isThere(path: String) -> Bool { access(unquoted(path), F_OK) == 0 }

    private static func unquoted(_ path: String) -> String { String(path.dropFirst().dropLast()) }

    /// The secrets, as far as this process can read them: values of settings, and the contents of the files that
    /// settings name. The path of a missing file counts as one, too.
    package var secrets: Set<String> {
        var secrets: Set<String> = []
        for (path, value) in everySetting {
            if SecretSetting.isSecret(path) {
                secrets.formUnion(value.split { "[]\", ".contains($0) }.map(String.init))
            } else if SecretSetting.namesFile(path), value.hasPrefix("\"") {
                if !Self.isThere(path: value) {
                    let path = Self.unquoted(value)
                    secrets.insert(path)
                    // A word without a slash became the name of a file in the folder of the configuration.
                    secrets.insert(path.split(separator: "/").last.map(String.init) ?? path)
                }
                // The secrets in an unreadable file stay hidden.
                let file = KeyFile(path: Self.unquoted(value), setting: path)
                for line in (try? file.lines()) ?? [] {
                    let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
                    secrets.formUnion(words.map(String.init))
                }
            }
        }
        return secrets
    }
}

/// Removes secrets from a text for others.
public struct SecretText: Sendable {
    /// Shorter words also occur in ordinary sentences.
    private static let bytesMin = 8

    private let secrets: [String]

    /// Collects the secrets of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: the configuration, as far as it can be read.
    ///   - file: its text, for one that is not valid JSON.
    public init(_ configuration: Configuration, file: String = "") {
        // The longest first: one may begin with another.
        secrets = configuration.secrets.union(Self.secrets(of: file))
            .filter { $0.utf8.count >= Self.bytesMin }
            .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// The values of secret keys in a text that is almost JSON.
    private static func secrets(of file: String) -> Set<String> {
        var secrets: Set<String> = []
        var isSecret = false
        for line in file.split(whereSeparator: \.isNewline) {
            // A string does not extend beyond its line, and so neither does a missing quote.
            let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
            for (piece, next) in zip(pieces, pieces.dropFirst() + [""]) {
                if next.first(where: { !$0.isWhitespace }) == ":" {
                    isSecret = SecretSetting.isAboutSecrets(String(piece))
                } else if isSecret {
                    secrets.formUnion(piece.split { "[]{}:, \t".contains($0) }.map(String.init))
                }
            }
        }
        return secrets
    }

    /// The text without the secrets of the configuration and anything that looks like one: names and passwords in
    /// addresses, and keys in requests.
    public func hidden(in text: String) -> String {
        let known = secrets.reduce(text) { $0.replacing($1, with: SecretSetting.hidden) }
        return Self.withoutCredentials(known)
    }

    /// The text without names and passwords in addresses, and without keys in requests.
    static func withoutCredentials(_ text: String) -> String {
        let user = /(?<scheme>[A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\/\s"']*@/
        let parameter =
            /(?<name>[?&;](?:[a-z_-]*key|[a-z_-]*token|password|secret|signature)=)[^&\s"']+/
            .ignoresCase()
        let bearer = /(?<name>(?:bearer|basic) )[A-Za-z0-9._~+\/=-]{8,}/.ignoresCase()
        // Most lines have none, and are not searched.
        var text = text
        if text.utf8.contains(UInt8(ascii: "@")) {
            text = text.replacing(user) { "\($0.output.scheme)\(SecretSetting.hidden)@" }
        }
        if text.utf8.contains(UInt8(ascii: "=")) {
            text = text.replacing(parameter) { "\($0.output.name)\(SecretSetting.hidden)" }
        }
        if text.utf8.contains(UInt8(ascii: " ")) {
            text = text.replacing(bearer) { "\($0.output.name)\(SecretSetting.hidden)" }
        }
        return text
    }
}
