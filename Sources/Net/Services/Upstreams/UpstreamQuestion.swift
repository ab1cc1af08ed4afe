package import StickerValues

package struct UpstreamQuestion: Hashable, Sendable {
    /// The text that people typed, with single blanks between words and no control characters; empty for trending
    /// stickers.
    package let words: String
    /// The highest rating requested.
    package let rating: Rating

    /// Creates a question from a client's text.
    package init(_ text: String, upTo rating: Rating) {
        // Invalid bytes appear as U+FFFD, which matches nothing.
        let readable = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar == "\u{FFFD}" ? " " : scalar
        }
        words = String(String.UnicodeScalarView(readable)).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        self.rating = rating
    }
}

extension Rating {
    /// The lower of two.
    func capped(at other: Rating) -> Rating { isWithin(other) ? self : other }

    /// Whether it may be shown under `ceiling`.
    package func isWithin(_ ceiling: Rating) -> Bool {
        let all = Rating.allCases
        return (all.firstIndex(of: self) ?? 0) <= (all.firstIndex(of: ceiling) ?? 0)
    }
}
