/// Texts cut to what a platform takes, at the borders of characters as people see them.
extension String {
    /// At most `limit` UTF-16 units.
    func cut(toUTF16 limit: Int) -> String {
        guard utf16.count > limit else { return self }
        var kept = ""
        var units = 0
        for character in self {
            units += character.utf16.count
            guard units <= limit else { break }
            kept.append(character)
        }
        return kept
    }

    /// At most `limit` characters.
    func cut(to limit: Int) -> String { count <= limit ? self : String(prefix(limit)) }
}

extension [String] {
    /// The first `limit` emoji, each once: the variation selector makes no difference.
    func emojis(atMost limit: Int) -> [String] {
        var seen: Set<String> = []
        return Array(
            filter { !$0.isEmpty && seen.insert($0.withoutVariationSelector).inserted }
                .prefix(limit))
    }
}

extension String {
    /// A selector asks for the form in colour, and stands inside a character.
    fileprivate var withoutVariationSelector: String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.filter { $0 != "\u{FE0F}" })
        return String(kept)
    }
}
