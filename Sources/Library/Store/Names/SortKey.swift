import Foundation
public import StickerValues

/// The place of a sticker in its category, as bytes that compare in manifest order.
///
/// Stickers that their category lists in an order come first. Next is the number of the sticker, or at the start of its
/// file's name (those without one sort last), then the natural order of names: runs of digits compare by value, letters
/// regardless of case, with an accented letter just after its plain form. The exact bytes break a tie.
public enum SortKey {
    /// The key of a file name and its words about order.
    public static func make(fileName: [UInt8], _ words: StickerWords = StickerWords()) -> [UInt8] {
        let name = StickerName(fileName: fileName)
        let order = UInt32(clamping: words.place ?? words.order ?? name.order ?? Int(UInt32.max))
        var key: [UInt8] = [words.place == nil ? 1 : 0]
        key += (0..<4).map { UInt8(truncatingIfNeeded: order >> (24 - 8 * $0)) }
        key += natural(name.title)
        key.append(0)
        key += fileName
        return key
    }

    /// Whether a key places its sticker by a number in its side file, neither by a list nor by the name of its file.
    static func hasOwnNumber(_ key: [UInt8], fileName: [UInt8]) -> Bool {
        guard key.count > 5, key[0] == 1 else { return false }
        let number = StickerName(fileName: fileName).order ?? Int(UInt32.max)
        return key[1...4].reduce(0) { $0 << 8 | Int($1) } != number
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
