import FoundationEssentials
import Glibc
public import StickerValues

/// A command of `stickerctl` in a message. It names the library of the process, as the same numbers and ids mean other
/// stickers in another library. The rest of the message is unchanged.
public struct OperatorCommand: Sendable, CustomStringConvertible {
    /// The verb and its arguments.
    private let words: String

    /// Creates the command of these words, for example `show 42`.
    public init(_ words: String) { self.words = words }

    /// The command line for this process.
    public var description: String { "stickerctl \(Self.options)\(words)" }

    /// Whether this process works on the library of uploads, by its flag.
    public static let isOfUploads = CommandLine.arguments.contains("--personal")

    /// The options that select this process's library.
    private static let options = options(
        of: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        workingFolder: FileManager.default.currentDirectoryPath, isTrusted: geteuid() != 0)

    /// A text for readers of published files, who must not learn the path of the configuration.
    ///
    /// - Parameter text: may contain commands of this process.
    /// - Returns: the text with commands that name no library.
    public static func withoutOptions(_ text: String) -> String {
        options.isEmpty ? text : text.replacing("stickerctl \(options)", with: "stickerctl ")
    }

    /// The options that select the library of a process with these arguments.
    ///
    /// - Returns: each with a trailing space. A configuration that the command finds by itself is not named; for
    ///   messages of `stickerctl`, which are read where it ran, this includes the one in the working folder.
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
    /// The text as one word of a shell command.
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

extension Readiness {
    /// The same for readers of published files: its commands reveal nothing of the machine.
    public var forReaders: Readiness {
        var plain = self
        for index in findings.indices {
            plain.findings[index].remedy = OperatorCommand.withoutOptions(findings[index].remedy)
        }
        return plain
    }
}
