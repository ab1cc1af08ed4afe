/// A token of a style sheet (CSS Syntax Level 3, section 4).
struct CSSToken: Equatable {
    enum Kind: Equatable {
        case ident, function, atKeyword, hash, string, badString, url, badURL
        case number, percentage, dimension
        case whitespace, colon, semicolon, comma, delimiter, comment
        /// `(`, `[` and `{`.
        case open
        /// `)`, `]` and `}`.
        case close
    }

    var kind: Kind
    /// The text as written.
    var text: String
    /// The name, the contents of a string or an address, or the unit, unescaped.
    var value = ""
    /// The value of numbers, percentages and dimensions.
    var number = 0.0
}
