/// A baseline JPEG of 8x8 pixels in one mixture of inks, as print programs save it: CMYK, inverted.
package struct TestInkJPEG {
    /// Cyan, magenta, yellow and black, 255 for a full one.
    package var inks: [UInt8]
    /// A profile to embed.
    package var profile: [UInt8]?
    /// Whether it has Adobe's marker.
    package var hasMarker = true

    package init(cyan: UInt8, magenta: UInt8, yellow: UInt8, black: UInt8) {
        inks = [cyan, magenta, yellow, black]
    }

    package var bytes: [UInt8] {
        let adobe = Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
        let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]
        let scanned: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0]
        return [0xFF, 0xD8] + (hasMarker ? adobe : []) + embedded
            // The step of 8 makes the first coefficient of a block its level.
            + Self.segment(0xDB, [0, 8] + [UInt8](repeating: 1, count: 63))
            + Self.segment(0xC0, [8, 0, 8, 0, 8, 4] + components)
            + Self.segment(0xC4, [0x00] + Self.lengths(9, of: 4) + (0...8))
            + Self.segment(0xC4, [0x10] + Self.lengths(1, of: 1) + [0])
            + Self.segment(0xDA, [4] + scanned + [0, 63, 0]) + scan + [0xFF, 0xD9]
    }

    private var embedded: [UInt8] {
        guard let profile else { return [] }
        return Self.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    }

    /// For each component, the level of its only block, and that no other coefficient follows.
    private var scan: [UInt8] {
        var bits = ""
        for ink in inks {
            let level = 127 - Int(ink)
            let count = Int.bitWidth - level.magnitude.leadingZeroBitCount
            // A level below zero is coded as if by one's complement (ITU T.81, F.1.2.1).
            let code = level < 0 ? level - 1 + (1 << count) : level
            bits += Self.binary(count, digits: 4) + Self.binary(code, digits: count) + "0"
        }
        bits += String(repeating: "1", count: (8 - bits.count % 8) % 8)
        return stride(from: 0, to: bits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = UInt8(bits.dropFirst(start).prefix(8), radix: 2) ?? 0
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }

    private static func binary(_ value: Int, digits: Int) -> String {
        let text = String(value, radix: 2)
        guard digits > 0 else { return "" }
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// How many codes there are of each length from 1 to 16: `count` of one, none of the others.
    private static func lengths(_ count: UInt8, of length: Int) -> [UInt8] {
        (1...16).map { $0 == length ? count : 0 }
    }

    private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }
}
