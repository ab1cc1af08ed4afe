import StickerValues

extension Rating {
    /// Whether this rating is visible under `ceiling`.
    func isSeen(upTo ceiling: Rating) -> Bool {
        Rating.allCases.prefix { $0 != ceiling }.contains(self) || self == ceiling
    }
}

/// Ratings are words of the index like any other, so that one search finds and counts the visible stickers. They use
/// private-use characters, which no word of a text or a question has.
extension SearchText {
    /// The word for the rating of a sticker.
    static func indexed(_ rating: Rating) -> String { word(rating) }

    /// The result of `query`, for stickers rated at most `ceiling`.
    static func query(_ text: String, upTo ceiling: Rating) -> String? {
        query(text).map { limited($0, to: ceiling) }
    }

    /// Finds stickers with any word of some texts, rated at most `ceiling`; `nil` if there are no words.
    static func anyWord(of texts: [String], upTo ceiling: Rating) -> String? {
        query(anyWordOf: texts).map { limited($0, to: ceiling) }
    }

    private static func limited(_ query: String, to ceiling: Rating) -> String {
        let hidden = Rating.allCases.filter { !$0.isSeen(upTo: ceiling) }
        return hidden.isEmpty ? query : "(\(query)) NOT (\(any(of: hidden)))"
    }

    /// Finds all that are rated at most `ceiling`; `nil` if that is everything.
    static func all(upTo ceiling: Rating) -> String? {
        guard ceiling != .restricted else { return nil }
        return any(of: Rating.allCases.filter { $0.isSeen(upTo: ceiling) })
    }

    /// Finds nothing.
    static let nothing = "\"\u{E0FF}\""

    private static func any(of ratings: [Rating]) -> String {
        ratings.map { "\"\(word($0))\"" }.joined(separator: " OR ")
    }

    private static func word(_ rating: Rating) -> String {
        switch rating {
        case .general: "\u{E001}"
        case .parentalGuidance: "\u{E002}"
        case .fromThirteen: "\u{E003}"
        case .restricted: "\u{E004}"
        }
    }
}
