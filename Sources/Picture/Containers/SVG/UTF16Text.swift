/// Markup in UTF-16, which begins with a byte order mark or with `<` (XML 1.0, appendix F).
package enum UTF16Text {
    /// Writes the text in UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - bytesMax: the rest is left out.
    /// - Returns: the text without its mark, and without an incomplete character at the end; `nil` if it is not in
    ///   UTF-16.
    package static func utf8(_ bytes: UnsafeRawBufferPointer, atMost bytesMax: Int = .max)
        -> [UInt8]?
    {
        guard let order = order(bytes) else { return nil }
        let count = min(bytes.count, bytesMax) / 2
        let units = (order.start / 2..<max(order.start / 2, count)).lazy.map { unit in
            let (first, second) = (UInt16(bytes[2 * unit]), UInt16(bytes[2 * unit + 1]))
            return order.isLittle ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The byte order, and the start of the text.
    private static func order(
        _ bytes: UnsafeRawBufferPointer
    ) -> (isLittle: Bool, start: Int)? {
        switch bytes.bigEndian32(at: 0) {
        case .some(0xFFFE_0001...0xFFFE_FFFF): return (true, 2)
        case .some(0xFEFF_0001...0xFEFF_FFFF): return (false, 2)
        case .some(let first) where first & 0xFFFF_00FF == 0x3C00_0000 && first & 0xFF00 != 0:
            return (true, 0)
        case .some(let first) where first & 0xFFFF_FF00 == 0x003C_0000 && first & 0xFF != 0:
            return (false, 0)
        default: return nil
        }
    }
}
