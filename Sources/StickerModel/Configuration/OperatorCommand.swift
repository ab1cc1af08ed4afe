/// A command of `stickerctl` that a message advises. It names the library that the process is about, as the same
/// numbers and ids are those of other stickers in the other one. Nothing else in a message is changed.
public struct OperatorCommand: Sendable, CustomStringConvertible {
    /// The verb and what follows it.
    private let words: String

    /// Creates the command of these words, `show 42` for example.
    public init(_ words: String) { self.words = words }

    /// The command as it is typed, in this process.
    public var description: String { typed(isOfUploads: Self.isOfUploads) }

    /// The command as it is typed for one of the two libraries.
    func typed(isOfUploads: Bool) -> String {
        (isOfUploads ? "stickerctl --personal " : "stickerctl ") + words
    }

    /// Both programs that work on the library of uploads are told so by this flag.
    private static let isOfUploads = CommandLine.arguments.contains("--personal")
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
