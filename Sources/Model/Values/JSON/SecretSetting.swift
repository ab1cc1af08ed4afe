/// Decides by their names which settings are secrets, including future ones.
public enum SecretSetting {
    /// Words of a key that stand for a secret, or for a file with one.
    private static let words: Set<Substring> = [
        "key", "keys", "token", "tokens", "secret", "secrets", "password", "passwords",
        "passphrase", "credential", "credentials",
    ]

    /// The text in place of a secret.
    package static let hidden = "(not shown)"

    /// Whether the value of a setting is a secret: `web.keys`.
    ///
    /// - Parameter path: the JSON path of the setting.
    /// - Returns: whether it is a secret itself.
    public static func isSecret(_ path: String) -> Bool { isAboutSecrets(path) && !isFile(path) }

    /// Whether a setting names a file with secrets: `console.tokenFile`.
    ///
    /// - Parameter path: the JSON path of the setting.
    /// - Returns: whether its value is the path of one.
    public static func namesFile(_ path: String) -> Bool { isAboutSecrets(path) && isFile(path) }

    /// Whether it is either.
    package static func isAboutSecrets(_ path: String) -> Bool {
        parts(of: path).contains { words.contains($0) }
    }

    private static func isFile(_ path: String) -> Bool { parts(of: path).last == "file" }

    /// The words of the last key of a path: `web.keysFile[0]` has `keys` and `file`.
    private static func parts(of path: String) -> [Substring] {
        let key = path.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
        var spaced = ""
        for character in key {
            if character.isUppercase { spaced += " " }
            spaced += character.lowercased()
        }
        return spaced.split { !$0.isLetter }
    }
}
