import StickerHTTP
import StickerValues

/// The emoji of one code point with their names in Unicode, from the tables of the Swift library, to choose from.
enum EmojiNames {
    /// A list of pairs: `[["😀", "grinning face"], ...]`.
    static let json: [UInt8] = {
        let pairs = ranges.joined().compactMap(Unicode.Scalar.init).compactMap {
            scalar -> String? in
            guard let name = scalar.properties.name, !scalar.properties.isEmojiModifier,
                let emoji = Character(scalar).emoji, emoji.unicodeScalars.first == scalar
            else { return nil }
            return "[\(JSONText.quoted(emoji)), \(JSONText.quoted(name.lowercased()))]"
        }
        return Array("[\(pairs.joined(separator: ",\n"))]".utf8)
    }()

    /// Faces and people first, then everything else, then signs.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x1F600...0x1F64F, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x1F300...0x1F5FF,
        0x1F680...0x1F6FF, 0x1F7E0...0x1F7FF, 0x2600...0x27BF, 0x2300...0x23FF, 0x2B00...0x2BFF,
    ]
}
