import Glibc

/// A charset in which programs without UTF-8 write names into a ZIP.
enum LegacyCharset: String {
    /// Japanese Windows: Shift-JIS with the extensions of Microsoft.
    case cp932 = "CP932"
    /// DOS, and the charset that APPNOTE names for all others.
    case cp437 = "IBM437"

    /// The charset of unmarked names that are not UTF-8: CP932 if all of them are valid in it and look Japanese, else
    /// CP437, in which every byte is a character.
    ///
    /// Most European names are valid in CP932, too: `für` is `f〉` there. They have a DOS letter before a lower-case
    /// one, which would be the second half of a character, and never two such characters in a row.
    ///
    /// - Parameter names: all such names of an archive, as a single one may be valid in both.
    /// - Returns: the charset.
    static func guess(_ names: some Sequence<[UInt8]>) -> LegacyCharset {
        let names = Array(names)
        guard names.allSatisfy({ cp932.text($0).map(isUsual) ?? false }) else { return .cp437 }
        let shapes = names.map(shape)
        return shapes.contains(.japanese) || !shapes.contains(.european) ? .cp932 : .cp437
    }

    /// The shape of a name that is valid in CP932.
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
    /// - Returns: `nil` if it is invalid in this charset, or glibc lacks the charset.
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

    /// glibc maps undefined single bytes of CP932 to control and private characters.
    private static func isUsual(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            ![.control, .privateUse].contains($0.properties.generalCategory)
        }
    }
}

extension UInt8 {
    fileprivate var isSmallLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}
