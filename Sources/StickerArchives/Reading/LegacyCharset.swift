import Glibc

/// A charset in which programs that know no UTF-8 write names into a ZIP.
enum LegacyCharset: String {
    /// Japanese Windows: Shift-JIS with the extensions of Microsoft.
    case cp932 = "CP932"
    /// DOS, and the charset that APPNOTE names for all others.
    case cp437 = "IBM437"

    /// The charset of names that are no UTF-8 and not marked as such: CP932 if all of them are text in it, else CP437, in
    /// which every byte is a character.
    ///
    /// - Parameter names: all such names of an archive, as one alone may be text in both.
    /// - Returns: the charset.
    static func guess(_ names: some Sequence<[UInt8]>) -> LegacyCharset {
        names.allSatisfy { cp932.text($0).map(isUsual) ?? false } ? .cp932 : .cp437
    }

    /// A name in Unicode. Corresponds to `iconv`.
    ///
    /// - Parameter bytes: the name in this charset.
    /// - Returns: `nil` if it is no text in it, or glibc lacks the charset.
    func text(_ bytes: [UInt8]) -> String? {
        let converter = iconv_open("UTF-8", rawValue)
        guard let converter, converter != UnsafeMutableRawPointer(bitPattern: -1) else {
            return nil
        }
        defer { iconv_close(converter) }
        var source = bytes.map { CChar(bitPattern: $0) }
        // No character of these charsets has more than three bytes in UTF-8.
        var result = [CChar](repeating: 0, count: 3 * bytes.count)
        let count = source.withUnsafeMutableBufferPointer { source in
            result.withUnsafeMutableBufferPointer { result -> Int? in
                var (from, into) = (source.baseAddress, result.baseAddress)
                var (left, room) = (source.count, result.count)
                let replaced = iconv(converter, &from, &left, &into, &room)
                return replaced == 0 && left == 0 ? result.count - room : nil
            }
        }
        return count.flatMap { count in
            String(validating: result[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// glibc takes single bytes that stand for nothing in CP932 as control characters and private ones.
    private static func isUsual(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            ![.control, .privateUse].contains($0.properties.generalCategory)
        }
    }
}
