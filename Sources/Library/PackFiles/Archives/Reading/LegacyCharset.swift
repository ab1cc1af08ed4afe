import Glibc

/// A charset in which programs that know no UTF-8 write names into a ZIP.
enum LegacyCharset: String {
    /// Japanese Windows: Shift-JIS with the extensions of Microsoft.
    case cp932 = "CP932"
    /// DOS, and the charset that APPNOTE names for all others.
    case cp437 = "IBM437"

    /// The charset of names that are no UTF-8 and not marked as such: CP932 if all of them are text in it and look like
    /// Japanese, else CP437, in which every byte is a character.
    ///
    /// Most names of Europe are text in CP932, too: `für` is `f〉` there. They have a letter of DOS before a small one, which
    /// would be the second half of a character, and no two such characters in a row.
    ///
    /// - Parameter names: all such names of an archive, as one alone may be text in both.
    /// - Returns: the charset.
    static func guess(_ names: some Sequence<[UInt8]>) -> LegacyCharset {
        let names = Array(names)
        guard names.allSatisfy({ cp932.text($0).map(isUsual) ?? false }) else { return .cp437 }
        let shapes = names.map(shape)
        return shapes.contains(.japanese) || !shapes.contains(.european) ? .cp932 : .cp437
    }

    /// The look of a name that is text in CP932.
    private enum Shape {
        case japanese, european, either
    }

    private static func shape(of name: [UInt8]) -> Shape {
        var shape = Shape.either
        var wasDouble = false
        var index = 0
        while index < name.count {
            let isLead = 0x81...0x9F ~= name[index] || 0xE0...0xFC ~= name[index]
            let next = index + 1 < name.count ? name[index + 1] : 0
            if isLead {
                if wasDouble { return .japanese }
                if next.isSmallLetter { shape = .european }
            } else if name[index] >= 0xA1, index > 0, name[index - 1].isSmallLetter,
                next.isSmallLetter
            {
                shape = .european
            }
            wasDouble = isLead
            index += isLead ? 2 : 1
        }
        return shape
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

extension UInt8 {
    fileprivate var isSmallLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}
