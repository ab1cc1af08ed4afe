/// What a file name says about its sticker: `07 happy cat 😀🎉.png` is number 7, titled
/// "happy cat", with two emoji.
public struct StickerName: Hashable, Sendable {
    /// The number in front, if there is one.
    public var order: Int?
    /// The name without number, emoji and extension; for names without any, the whole stem.
    public var title: String
    /// Each emoji of the name once, in order.
    public var emojis: [String]

    /// Reads the name of a file, given as the bytes the kernel keeps.
    public init(fileName: [UInt8]) {
        let stem = FileName.stem(fileName)
        var text = Substring(FileName.display(stem))
        order = Self.takeNumber(from: &text)
        var emojis: [String] = []
        var words = ""
        for character in text {
            if character.isEmoji {
                let emoji = String(character)
                if !emojis.contains(emoji) { emojis.append(emoji) }
                words.append(" ")
            } else {
                words.append(character)
            }
        }
        self.emojis = emojis
        title = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if title.isEmpty { title = FileName.display(stem) }
    }

    /// A number prefix is up to six digits with a separator behind them: `07 cat`, `7_cat`, `07-cat`.
    private static func takeNumber(from text: inout Substring) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let rest = text[digits.endIndex...]
        guard (1...6).contains(digits.count), let next = rest.first,
            next.isWhitespace || "_-.".contains(next)
        else { return nil }
        let remainder = rest.drop { $0.isWhitespace || "_-.".contains($0) }
        guard !remainder.isEmpty else { return nil }
        text = remainder
        return Int(digits)
    }
}

extension Character {
    /// Whether a reader sees an emoji: shown as one by default, or asked for with U+FE0F.
    var isEmoji: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && unicodeScalars.contains { $0.value == 0xFE0F }
    }
}
