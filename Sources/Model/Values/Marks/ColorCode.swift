/// Colours as written in the configuration: `#RRGGBB`.
public enum ColorCode {
    package static let wanted = "a colour as #RRGGBB"

    package static func isColor(_ text: String) -> Bool { parse(text) != nil }

    /// Red, green, blue and alpha of `#RRGGBB` or `#RRGGBBAA`, or `nil` if the text is not a colour.
    package static func parseWithAlpha(_ text: String) -> SIMD4<UInt8>? {
        guard text.utf8.count == 9 else { return parse(text).map { SIMD4($0, 255) } }
        guard let color = parse(String(text.prefix(7))), text.suffix(2).allSatisfy(\.isHexDigit),
            let alpha = UInt8(text.suffix(2), radix: 16)
        else { return nil }
        return SIMD4(color, alpha)
    }

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
