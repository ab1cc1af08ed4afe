import Foundation
import StickerValues

/// Splits texts into words for comparison: case, accents, width and the skin tone of an emoji make no difference.
///
/// The database splits words by itself, but knows neither `ß` nor `ł`, drops emoji, and takes a Chinese sentence for
/// one word.
enum SearchText {
    /// The tokens of a text, divided by blanks, for the index.
    static func indexed(_ texts: [String]) -> String {
        texts.flatMap { tokens(of: $0, asQuery: false) }.joined(separator: " ")
    }

    /// A search text in the language of FTS5 (https://sqlite.org/fts5.html): every word, the last one by its prefix.
    /// `nil` if there are no words.
    static func query(_ text: String) -> String? {
        let words = tokens(of: text, asQuery: true)
        guard !words.isEmpty else { return nil }
        // Tokens have only letters, digits and marks; quoted, none is a keyword.
        return words.prefix(wordsMax).map { "\"\($0)\"" }.joined(separator: " ") + "*"
    }

    /// Finds texts with at least one of the words, whole.
    static func query(anyWordOf texts: [String]) -> String? {
        let words = texts.flatMap { tokens(of: $0, asQuery: true) }
        guard !words.isEmpty else { return nil }
        return words.prefix(wordsMax).map { "\"\($0)\"" }.joined(separator: " OR ")
    }

    /// The most words; longer searches give no better answers.
    private static let wordsMax = 16

    private static func tokens(of text: String, asQuery: Bool) -> [String] {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? asciiTokens(of: text) : unicodeTokens(of: text, asQuery: asQuery)
    }

    /// The same as `unicodeTokens` for ASCII texts, which most are, at a fraction of the cost.
    static func asciiTokens(of text: String) -> [String] {
        text.lowercased().utf8.split { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "0"..."9": false
            default: true
            }
        }.map { String(Substring($0)) }
    }

    /// Tokens of texts in any script.
    static func unicodeTokens(of text: String, asQuery: Bool) -> [String] {
        var tokens: [String] = []
        var word = ""
        var run: [Character] = []
        func end() {
            if !word.isEmpty { tokens.append(word) }
            word = ""
            tokens += pairs(of: run, asQuery: asQuery)
            run = []
        }
        for character in folded(text) {
            if let emoji = token(ofEmoji: character) {
                end()
                tokens.append(emoji)
            } else if character.isUnspaced {
                if !word.isEmpty { end() }
                run.append(character)
            } else if character.isPartOfWord {
                if !run.isEmpty { end() }
                // Other characters than letters, digits and marks would split the word again.
                for scalar in character.unicodeScalars where scalar.isInWords {
                    word.unicodeScalars.append(scalar)
                }
            } else {
                end()
            }
        }
        end()
        return tokens
    }

    /// For scripts without blanks between words, and for Hangul, whose words have their endings attached: every two
    /// neighbours are a token, so that a word is found anywhere. The last character is also a token, so that each can
    /// be found by a prefix.
    private static func pairs(of run: [Character], asQuery: Bool) -> [String] {
        guard let last = run.last else { return [] }
        let pairs = zip(run, run.dropFirst()).map { String([$0, $1]) }
        let tokens = asQuery && !pairs.isEmpty ? pairs : pairs + [String(last)]
        return tokens.map { token in
            String(String.UnicodeScalarView(token.unicodeScalars.filter(\.isInWords)))
        }.filter { !$0.isEmpty }
    }

    /// Lower case without accents.
    private static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            guard !accents.contains(where: { $0.contains(scalar.value) }) else { continue }
            if let letters = spelled[scalar] {
                for letter in letters.unicodeScalars { folded.append(letter) }
            } else {
                for letter in scalar.properties.lowercaseMapping.unicodeScalars {
                    folded.append(letter)
                }
            }
        }
        return String(folded)
    }

    /// Combining marks that writers omit: of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels.
    private static let accents: [ClosedRange<UInt32>] = [
        0x0300...0x036F, 0x0591...0x05BD, 0x05BF...0x05C7, 0x0610...0x061A, 0x064B...0x065F,
    ]

    /// Letters that are not others with an accent, as typed by people who do not have them.
    private static let spelled: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae",
        "œ": "oe", "Œ": "oe", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th",
        "ı": "i", "ħ": "h", "Ħ": "h",
    ]

    /// The prefix of words that are emoji: private use, so that no prefix of a word finds them.
    private static let emojiMark = "\u{E100}"

    /// An emoji as a word: its code points, without those for its presentation.
    private static func token(ofEmoji character: Character) -> String? {
        // Also without the selector for its picture: people type both.
        guard character.isEmoji || character.unicodeScalars.first.map(\.isPicture) ?? false else {
            return nil
        }
        let points = character.unicodeScalars.map(\.value).filter {
            $0 != 0xFE0F && $0 != 0x200D && !(0x1F3FB...0x1F3FF).contains($0)
        }
        return emojiMark + points.map { String($0, radix: 16) }.joined(separator: "z")
    }
}

extension Unicode.Scalar {
    fileprivate var isInWords: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark,
            .enclosingMark:
            true
        default: false
        }
    }

    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }
}

extension Character {
    /// Whether it belongs to a script whose words are found within others.
    fileprivate var isUnspaced: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return Self.unspaced.contains { $0.contains(value) }
    }

    /// Thai, Lao, Myanmar, Khmer, the Japanese syllables, Han, and Hangul, which is decomposed by then.
    private static let unspaced: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x3040...0x30FF,
        0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF,
    ]

    fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
