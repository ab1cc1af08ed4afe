/// The facts in a file name about its sticker: `07 happy cat 😀🎉.png` is number 7, titled "happy cat", with two emoji.
public struct StickerName: Hashable, Sendable {
    /// The number at the start, if there is one.
    public var order: Int?
    /// The name without number, emoji and extension; the whole stem if nothing else is left.
    ///
    /// Control characters and invisible ones that could reorder the text are left out.
    public var title: String
    /// Each emoji of the name once, in order.
    public var emojis: [String]

    /// Reads a file name, given as the kernel's bytes.
    public init(fileName: [UInt8]) {
        let name = FileName.isTemplate(fileName) ? FileName.stem(fileName) : fileName
        let stem = FileName.display(FileName.stem(name))
        var text = Substring(stem)
        order = Self.takeNumber(from: &text)
        var emojis: [String] = []
        var words = ""
        for character in text {
            if let emoji = character.emojiInName {
                if !emojis.contains(emoji) { emojis.append(emoji) }
                words.append(" ")
            } else if character.isWhitespace {
                words.append(" ")
            } else {
                for scalar in character.unicodeScalars where scalar.isText {
                    words.unicodeScalars.append(scalar)
                }
            }
        }
        self.emojis = emojis
        title = words.split(separator: " ").joined(separator: " ")
        if title.isEmpty { title = FileName.escaped(stem) }
    }

    /// A number prefix is up to six digits followed by a separator or an emoji, as in `07 cat`, `7_cat` and `07-cat`,
    /// or a name without anything else, such as `07`, which is also its title.
    ///
    /// Digits that continue after a dash or a dot belong to a date, a time or a version, as in
    /// `2024-01-01 party` and `1.5x zoom`; so do four digits with more digits after any separator.
    private static func takeNumber(from text: inout Substring) -> Int? {
        let digits = text.prefix { $0.isASCIIDigit }
        guard (1...6).contains(digits.count), let number = Int(digits) else { return nil }
        let rest = text[digits.endIndex...]
        let separators = rest.prefix { $0.isWhitespace || "_-.".contains($0) }
        guard let next = rest[separators.endIndex...].first else { return number }
        guard !separators.isEmpty || next.emojiInName != nil else { return nil }
        let isJoined = separators.count == 1 && next.isASCIIDigit
        guard !isJoined || (digits.count != 4 && separators != "-" && separators != ".") else {
            return nil
        }
        text = rest[separators.endIndex...]
        return number
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
