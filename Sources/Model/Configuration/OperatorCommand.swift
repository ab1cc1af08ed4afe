import FoundationEssentials
import Glibc

/// A command of `stickerctl` that a message advises. It names the library that the process is about, as the same
/// numbers and ids are those of other stickers in another one. Nothing else in a message is changed.
public struct OperatorCommand: Sendable, CustomStringConvertible {
    /// The verb and what follows it.
    private let words: String

    /// Creates the command of these words, `show 42` for example.
    public init(_ words: String) { self.words = words }

    /// The command as it is typed, in this process.
    public var description: String { "stickerctl \(Self.options)\(words)" }

    /// Whether this process works on the library of uploads, as the flag says.
    public static let isOfUploads = CommandLine.arguments.contains("--personal")

    /// The options that make it about the library of this process.
    private static let options = options(
        of: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        workingFolder: FileManager.default.currentDirectoryPath, isTrusted: geteuid() != 0)

    /// A text for readers of what is published, who are not to learn where the configuration lies.
    ///
    /// - Parameter text: it may have commands of this process.
    /// - Returns: the same with commands that are about no library.
    public static func withoutOptions(_ text: String) -> String {
        options.isEmpty ? text : text.replacing("stickerctl \(options)", with: "stickerctl ")
    }

    /// The options that make a command about the library of a process with these arguments.
    ///
    /// - Returns: each with a space behind it. A configuration is not named that a command finds without its name: one of
    ///   an operator's, beside which its own messages are read, also that of its folder.
    static func options(
        of arguments: [String], environment: [String: String], workingFolder: String,
        isTrusted: Bool
    ) -> String {
        let isOperators = arguments.first?.split(separator: "/").last == "stickerctl"
        let file = { (flag: String?) in
            ConfigurationFile.place(
                flag: flag, environment: environment, workingFolder: workingFolder,
                isTrusted: isTrusted && isOperators)
        }
        let named = value(of: "--config", in: arguments).flatMap { file($0) }
        let other = named.flatMap { $0 == file(nil) ? nil : "--config \($0.asShellWord) " } ?? ""
        return other + (arguments.contains("--personal") ? "--personal " : "")
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        // The last one counts.
        for index in arguments.indices.reversed() {
            let argument = arguments[index]
            if argument == option { return arguments[(index + 1)...].first }
            if argument.hasPrefix("\(option)=") {
                return String(argument.dropFirst(option.count + 1))
            }
        }
        return nil
    }
}

extension DefaultStringInterpolation {
    /// Puts a command into a message: `"see: \(stickerctl: "show \(job)")"`.
    public mutating func appendInterpolation(stickerctl words: String) {
        appendInterpolation(OperatorCommand(words))
    }
}

extension String {
    /// The text as one word of a command, as it is typed in a shell.
    public var asShellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte >= 0x80
                || "/._-+:@%,=".utf8.contains(byte)
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
