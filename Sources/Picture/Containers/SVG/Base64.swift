/// Base64 (RFC 4648, section 4).
package enum Base64 {
    private static let signs = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, sign) in signs.enumerated() { values[Int(sign)] = UInt8(value) }
        return values
    }()

    /// The bytes of a text, without white space; `nil` if it has other characters.
    package static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for sign in text {
            if XMLTags.isSpace(sign) || sign == 0x0C { continue }
            if sign == UInt8(ascii: "=") { break }
            guard values[Int(sign)] < 64 else { return nil }
            bits = bits << 6 | UInt32(values[Int(sign)])
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return result
    }

    /// Bytes as text.
    package static func encoded(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < left ? UInt32(bytes[start + index]) : 0)
            }
            for index in 0..<4 {
                let sign = signs[Int(bits >> UInt32(18 - 6 * index) & 63)]
                result.append(index <= left ? sign : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
