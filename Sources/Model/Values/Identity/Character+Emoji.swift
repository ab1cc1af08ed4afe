extension Character {
    /// Whether a reader sees one emoji: a character shown as a picture by default, or because of U+FE0F, or one
    /// followed by a skin tone or a joined picture.
    ///
    /// The sequences are those of Unicode Technical Standard #51, section 1.4. A picture with anything else attached,
    /// such as accents or text hidden in tags, does not count, so that emoji can be passed on safely.
    package var isEmoji: Bool {
        guard let first = unicodeScalars.first else { return false }
        let rest = unicodeScalars.dropFirst()
        if first.isASCII {  // a keycap
            return first.properties.isEmoji && rest.map(\.value) == [0xFE0F, 0x20E3]
        }
        if first.isRegionalIndicator {
            return rest.count == 1 && rest.allSatisfy(\.isRegionalIndicator)
        }
        if first.value == 0x1F3F4, rest.last?.value == 0xE007F {
            // The flag of a region: its code in at most six tags, then the end tag.
            return rest.count <= 7 && rest.allSatisfy { (0xE0030...0xE007F).contains($0.value) }
        }
        let isPicture =
            first.properties.isEmojiPresentation
            || first.properties.isEmoji && rest.contains(where: \.asksForPicture)
        return isPicture && rest.allSatisfy(\.mayFollowInEmoji) && rest.last?.value != 0x200D
    }

    /// Its emoji, fully qualified as in Unicode's `emoji-test.txt`; `nil` if it is none. Many keyboards and lists leave
    /// out U+FE0F: ❤ is ❤️, unless U+FE0E asks for text.
    package var emoji: String? {
        var qualified = String.UnicodeScalarView()
        var scalars = unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            qualified.append(scalar)
            if scalar.isText(before: next) { qualified.append("\u{FE0F}") }
        }
        let emoji = String(qualified)
        return emoji.count == 1 && emoji.allSatisfy(\.isEmoji) ? emoji : nil
    }

    /// Its emoji in a name, where signs of ordinary texts are no emoji: ©, ™, ↔, ▶ and others that Unicode shows as
    /// text and has outside its symbols and pictures, unless U+FE0F asks for their colour form.
    package var emojiInName: String? {
        guard !isEmoji, let first = unicodeScalars.first else { return emoji }
        let isKeycap = unicodeScalars.last?.value == 0x20E3
        let isSymbol = (0x2600...0x27BF).contains(first.value) || first.value > 0xFFFF
        return isSymbol || isKeycap ? emoji : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// Whether it is shown as text by default, and `next` does not change that.
    fileprivate func isText(before next: Unicode.Scalar?) -> Bool {
        guard properties.isEmoji, !properties.isEmojiPresentation else { return false }
        if isASCII { return next?.value == 0x20E3 }
        return next?.value != 0xFE0F && next?.properties.isEmojiModifier != true
    }

    fileprivate var asksForPicture: Bool { value == 0xFE0F || properties.isEmojiPresentation }

    /// Whether it is the picture selector, the joiner, a skin tone or a joined picture.
    fileprivate var mayFollowInEmoji: Bool {
        value == 0xFE0F || value == 0x200D || (properties.isEmoji && !isASCII)
    }
}
