import Foundation

/// Turns displayed text into the text of an id.
public enum Slug {
    /// The largest number of characters in an id.
    public static let lengthMax = 60

    /// `text` in Latin letters without diacritics, in lower case, with every other run of characters as one `_`.
    ///
    /// "Привет, мир!" becomes `privet_mir`. If nothing usable is left, the result is `nil`. The
    /// transliteration is ICU's `NFKC; Any-Latin; Latin-ASCII`.
    public static func make(from text: String) -> String? {
        let transform = StringTransform("NFKC; Any-Latin; Latin-ASCII")
        let latin =
            text.utf8.allSatisfy { $0 < 0x80 }
            ? text : text.applyingTransform(transform, reverse: false) ?? text
        var slug: [UInt8] = []
        for byte in latin.lowercased().utf8 {
            let isWord = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
            if isWord {
                slug.append(byte)
            } else if slug.last != underscore, !slug.isEmpty {
                slug.append(underscore)
            }
        }
        return trimmed(slug, to: lengthMax)
    }

    /// `base` for the first use, then `base_2`, `base_3`...; never longer than `lengthMax`.
    public static func numbered(_ base: String, _ number: Int) -> String {
        guard number > 1 else { return base }
        let suffix = "_\(number)"
        let head = trimmed(Array(base.utf8), to: lengthMax - suffix.utf8.count) ?? ""
        return head + suffix
    }

    /// Whether consumers of manifests use `id` as a reserved word.
    public static func isReserved(_ id: String) -> Bool { reservedWords.contains(id) }

    /// `base`, prefixed with the name of its kind, for example `sticker`, if it begins like ids that
    /// consumers generate themselves: `smart_cat` becomes `sticker_smart_cat`.
    public static func unreserved(_ base: String, kind: String) -> String {
        guard reservedPrefixes.contains(where: base.hasPrefix) else { return base }
        return trimmed(Array("\(kind)_\(base)".utf8), to: lengthMax) ?? base
    }

    private static let reservedWords: Set = ["trending", "search", "by_id"]
    private static let reservedPrefixes = ["imgly_", "smart_"]

    private static let underscore = UInt8(ascii: "_")

    private static func trimmed(_ slug: [UInt8], to length: Int) -> String? {
        var slug = slug.prefix(length)
        while slug.last == underscore { slug.removeLast() }
        return slug.isEmpty ? nil : String(decoding: slug, as: UTF8.self)
    }
}
