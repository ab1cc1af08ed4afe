import StickerValues

/// Foreign texts in the form of side files.
extension String {
    /// The visible part, cut between characters; `nil` if there is none.
    func visible(atMost limit: Int) -> String? {
        // Texts may have megabytes, and so may one character.
        let start = String(String.UnicodeScalarView(unicodeScalars.prefix(8 * limit)))
        var kept = ""
        for (count, character) in FileName.visible(start).enumerated() {
            let bytes = kept.utf8.count + character.utf8.count
            guard count < limit, bytes <= 4 * limit else { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        let marks: Set<Unicode.Scalar> = [" ", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}"]
        return kept.unicodeScalars.contains { !marks.contains($0) } ? kept : nil
    }

    /// Its emoji, and its text without them.
    var emojisAndWords: (emojis: [String], words: String) {
        var emojis: [String] = []
        var words = ""
        for character in self {
            if let emoji = character.emoji {
                emojis.append(emoji)
                words.append(" ")
            } else {
                words.append(character)
            }
        }
        return (emojis, words)
    }
}

extension StickerWords {
    /// From the alternative text of a sticker. Many forms have no other text, so it is the title unless it ends like a
    /// sentence, which is a description; its emoji become the sticker's.
    init(spoken text: String?) {
        self.init()
        guard let text else { return }
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(2000)))
        emojis = [start].emojis
        let words = start.emojisAndWords.words.visible(atMost: TextLimit.accessibility)
        guard let words else { return }
        if words.count <= TextLimit.title, words.last != ".", words.last != "。" {
            title = words
        } else {
            accessibilityText = words
        }
    }
}

extension [String] {
    /// The emoji in these texts, each once, up to the limit of a sticker; `nil` if there are none.
    var emojis: [String]? {
        var emojis: [String] = []
        for text in self {
            for emoji in String(text.unicodeScalars.prefix(1000)).emojisAndWords.emojis
            where !emojis.contains(emoji) && emoji.utf8.count <= 64 {
                emojis.append(emoji)
            }
            if emojis.count >= TextLimit.emojis { break }
        }
        return emojis.isEmpty ? nil : Array(emojis.prefix(TextLimit.emojis))
    }
}

extension [String] {
    /// These texts as keywords, each once, up to the limit of a sticker; `nil` if there are none.
    var keywords: [String]? {
        var keywords: [String] = []
        for text in prefix(1000) {
            guard let keyword = text.visible(atMost: TextLimit.keyword),
                !keywords.contains(keyword)
            else { continue }
            keywords.append(keyword)
        }
        return keywords.isEmpty ? nil : Array(keywords.prefix(TextLimit.keywords))
    }
}

extension Links {
    /// Sets a link if it is a web address.
    ///
    /// - Parameters:
    ///   - link: the link to set.
    ///   - value: from a description; an empty one sets nothing.
    ///   - key: its name there.
    ///   - file: the description.
    /// - Returns: a fault if it is no address.
    mutating func set(
        _ link: WritableKeyPath<Links, String?>, _ value: JSONValue?, _ key: String, in file: String
    ) -> ImportFault? {
        guard let text = value?.text else { return nil }
        let isMail = link == \Links.email
        guard isMail ? text.isEmailAddress : text.isWebAddress else {
            return ImportFault(
                .badLink, file, "\(key) is left out", measured: text,
                limit: isMail ? "an e-mail address" : "an address with http or https",
                remedy: "set it in category.json")
        }
        self[keyPath: link] = text
        return nil
    }

    /// Itself, unless empty.
    var ifAny: Links? { self == Links() ? nil : self }
}
