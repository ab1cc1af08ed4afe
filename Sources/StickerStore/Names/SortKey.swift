import Foundation
import StickerModel

/// The place of a sticker in its category, as bytes that compare in manifest order.
///
/// The number prefix comes first (names without one sort last), then the natural order of names: runs of
/// digits compare by value, letters regardless of case and with an accented letter just after its plain
/// form, and the exact bytes break a tie.
public enum SortKey {
    /// The key of a file name.
    public static func make(fileName: [UInt8]) -> [UInt8] {
        let name = StickerName(fileName: fileName)
        let order = UInt32(clamping: name.order ?? Int(UInt32.max))
        var key = (0..<4).map { UInt8(truncatingIfNeeded: order >> (24 - 8 * $0)) }
        key += natural(name.title)
        key.append(0)
        key += fileName
        return key
    }

    private static func natural(_ title: String) -> [UInt8] {
        var key: [UInt8] = []
        var digits: [UInt8] = []
        func flush() {
            guard !digits.isEmpty else { return }
            let value = digits.drop { $0 == UInt8(ascii: "0") }
            key.append(UInt8(ascii: "0"))
            key.append(UInt8(clamping: value.count))
            key += value
            digits = []
        }
        for byte in title.decomposedStringWithCanonicalMapping.lowercased().utf8 {
            if (0x30...0x39).contains(byte) {
                digits.append(byte)
            } else {
                flush()
                key.append(byte)
            }
        }
        flush()
        return key
    }
}
