/// Forms in which drawings are stored.
package enum TestSVG {
    /// A text in UTF-16.
    package static func utf16(_ text: String, isLittle: Bool, hasMark: Bool) -> [UInt8] {
        ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            return isLittle ? [low, high] : [high, low]
        }
    }

    /// A gzip file whose content is stored in blocks of at most 65535 bytes; its checksum is `checksum`.
    package static func gzip(_ content: [UInt8], checksum: UInt32, name: String? = nil) -> [UInt8] {
        var file: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
        if let name { file += Array(name.utf8) + [0] }
        for start in stride(from: 0, through: max(0, content.count - 1), by: 65535) {
            let end = min(start + 65535, content.count)
            let (low, high) = (UInt8((end - start) & 0xFF), UInt8((end - start) >> 8))
            file += [end == content.count ? 1 : 0, low, high, ~low, ~high] + content[start..<end]
        }
        for number in [checksum, UInt32(content.count)] {
            file += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return file
    }
}
