/// Colours as written in the configuration: `#RRGGBB`.
public enum ColorCode {
    static let wanted = "a colour as #RRGGBB"

    static func isColor(_ text: String) -> Bool { parse(text) != nil }

    /// Red, green and blue, or `nil` if the text is not a colour.
    public static func parse(_ text: String) -> SIMD3<UInt8>? {
        let digits = text.dropFirst()
        guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        return SIMD3(
            UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255))
    }
}
