/// Texts cut to a platform's limit, between characters. A cut text does not end in a blank.
extension String {
    /// At most `limit` UTF-16 units.
    func cut(toUTF16 limit: Int) -> String { cut(to: limit) { $0.utf16.count } }

    /// At most `limit` code points, the unit of databases.
    func cut(toScalars limit: Int) -> String { cut(to: limit) { $0.unicodeScalars.count } }

    func cut(to limit: Int) -> String { cut(to: limit) { _ in 1 } }

    /// As many whole characters as fit into `limit` units.
    private func cut(to limit: Int, units: (Character) -> Int) -> String {
        var room = limit
        let kept = prefix { character in
            room -= units(character)
            return room >= 0
        }
        guard kept.endIndex < endIndex, let last = kept.lastIndex(where: { !$0.isWhitespace })
        else { return String(kept) }
        return String(kept[...last])
    }
}

extension String {
    /// Eight digits that identify a text: the hash by Fowler, Noll and Vo (FNV-1a,
    /// http://www.isthe.com/chongo/tech/comp/fnv/), in 32 bits. Frozen: names already handed over contain it.
    var shortHash: String {
        let hash = utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension [String] {
    /// The first `limit` emoji, each once, regardless of variation selectors.
    func emojis(atMost limit: Int) -> [String] {
        var seen: Set<String> = []
        return Array(
            filter { !$0.isEmpty && seen.insert($0.withoutVariationSelector).inserted }
                .prefix(limit))
    }
}

extension String {
    /// A selector requests the colour form and is part of a character.
    fileprivate var withoutVariationSelector: String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.filter { $0 != "\u{FE0F}" })
        return String(kept)
    }
}
