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

    /// The options that make it about the library of this process.
    private static let options = options(
        of: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        workingFolder: FileManager.default.currentDirectoryPath, isTrusted: geteuid() != 0)

    /// The options that make a command about the library of a process with these arguments.
    ///
    /// - Returns: each with a space behind it. A configuration that is found without its name is not named.
    static func options(
        of arguments: [String], environment: [String: String], workingFolder: String,
        isTrusted: Bool
    ) -> String {
        let file = { (flag: String?) in
            ConfigurationFile.place(
                flag: flag, environment: environment, workingFolder: workingFolder,
                isTrusted: isTrusted)
        }
        let named = value(of: "--config", in: arguments).flatMap { file($0) }
        let other = named.flatMap { $0 == file(nil) ? nil : "--config \($0.asShellWord) " } ?? ""
        // Both programs that work on the library of uploads are told so by this flag.
        return other + (arguments.contains("--personal") ? "--personal " : "")
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        if let index = arguments.firstIndex(of: option) {
            return arguments[(index + 1)...].first
        }
        return arguments.first { $0.hasPrefix("\(option)=") }
            .map { String($0.dropFirst(option.count + 1)) }
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
