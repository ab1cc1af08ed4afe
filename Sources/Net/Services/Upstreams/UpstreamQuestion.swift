package import StickerModel

/// What an upstream is asked for.
package struct UpstreamQuestion: Hashable, Sendable {
    /// What people typed, with single blanks between words and no control characters; empty for what is trending.
    package let words: String
    /// The highest rating that is asked for.
    package let rating: Rating

    /// Creates a question from what a client sent.
    package init(_ text: String, upTo rating: Rating) {
        // What could not be read stands as U+FFFD, and finds nothing anywhere.
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

    /// Whether those may see it who may see `ceiling`.
    package func isWithin(_ ceiling: Rating) -> Bool {
        let all = Rating.allCases
        return (all.firstIndex(of: self) ?? 0) <= (all.firstIndex(of: ceiling) ?? 0)
    }
}
