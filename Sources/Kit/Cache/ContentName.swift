package import Foundation

/// The name of a published file: the SHA-256 of its content, and its format.
package struct ContentName: Hashable, Sendable {
    let sha256: String
    private let format: String

    /// The name at the end of an address; `nil` if it does not identify the content.
    init?(_ url: URL) { self.init(url.lastPathComponent) }

    /// Parses a name, which must contain nothing but digits and letters around one dot.
    package init?(_ name: String) {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 64, parts[0].allSatisfy(Self.isDigit),
            (1...8).contains(parts[1].count), parts[1].allSatisfy(Self.isLetter)
        else { return nil }
        sha256 = String(decoding: parts[0], as: UTF8.self)
        format = String(decoding: parts[1], as: UTF8.self)
    }

    var fileName: String { "\(sha256).\(format)" }

    /// Whether `data` matches the name.
    package func promises(_ data: Data) -> Bool { SHA256.hexadecimal(data) == sha256 }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
