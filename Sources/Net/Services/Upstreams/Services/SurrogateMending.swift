/// JSON in which halves of surrogate pairs and invalid UTF-8 are replaced by U+FFFD.
///
/// Servers that cut titles after a number of UTF-16 units write such halves: RFC 8259, section 8.2. One of them must
/// not spoil an answer with fifty stickers.
enum SurrogateMending {
    /// Mends a text. Other invalid JSON stays invalid.
    static func mended(_ text: [UInt8]) -> [UInt8] {
        let bytes = Array(String(decoding: text, as: UTF8.self).utf8)
        var mended: [UInt8] = []
        mended.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let count = escapeLength(bytes, place)
            if count == 6, let unit = unit(bytes, place), (0xD800...0xDFFF).contains(unit) {
                let isPair =
                    unit < 0xDC00
                    && self.unit(bytes, place + 6).map { $0 & 0xFC00 == 0xDC00 } ?? false
                mended += isPair ? bytes[place..<place + 12] : Array("\\uFFFD".utf8)[...]
                place += isPair ? 12 : 6
            } else {
                mended += bytes[place..<min(place + count, bytes.count)]
                place += count
            }
        }
        return mended
    }

    /// The length of the element at a place: 6 bytes for `\uXXXX`, 2 for any other escape, 1 for anything else.
    private static func escapeLength(_ bytes: [UInt8], _ place: Int) -> Int {
        guard bytes[place] == UInt8(ascii: "\\") else { return 1 }
        return unit(bytes, place) == nil ? 2 : 6
    }

    /// The value of `\uXXXX`; `nil` for anything else.
    private static func unit(_ bytes: [UInt8], _ place: Int) -> UInt32? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { return nil }
        let digits = String(decoding: bytes[place + 2..<place + 6], as: UTF8.self)
        return digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            ? UInt32(digits, radix: 16) : nil
    }
}
