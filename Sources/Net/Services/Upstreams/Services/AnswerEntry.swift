import StickerValues

/// A sticker of an answer; nothing in it is trusted.
struct AnswerEntry {
    private static let titleMax = 200
    private static let wordsMax = 30
    private static let identifierMax = 120

    private let members: JSONObject

    /// - Throws: `LeftOut` if the value is no object.
    init(_ value: JSONValue) throws(LeftOut) {
        guard case .object(let members) = value else { throw .shape }
        self.members = members
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    /// The id.
    ///
    /// - Throws: `LeftOut` if it is no text, or has characters that do not belong in paths.
    func identifier() throws(LeftOut) -> String {
        guard case .string(let text)? = members["id"] else { throw .shape }
        guard text.wholeMatch(of: /[A-Za-z0-9_-]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?/) != nil,
            text.utf8.count <= Self.identifierMax, !text.contains("..")
        else { throw .identifier }
        return text
    }

    /// A text for people; empty if there is none.
    func text(_ name: String) -> String {
        guard case .string(let text)? = members[name] else { return "" }
        return Self.shown(text)
    }

    /// Texts for people.
    func texts(_ name: String) -> [String] {
        guard case .array(let items)? = members[name] else { return [] }
        return items.prefix(Self.wordsMax).compactMap { item in
            guard case .string(let text) = item else { return nil }
            let shown = Self.shown(text)
            return shown.isEmpty ? nil : shown
        }
    }

    /// The rating.
    ///
    /// - Throws: `LeftOut` if it is invalid, or too high.
    func rating(upTo ceiling: Rating) throws(LeftOut) -> Rating? {
        switch members["rating"] {
        case nil, .null?, .string("")?: return nil
        case .string(let text)?:
            guard let rating = Rating(lenient: text), rating.isWithin(ceiling) else {
                throw .rating
            }
            return rating
        default: throw .shape
        }
    }

    /// One line without characters that change how the rest is shown.
    private static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(4 * titleMax).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " " as Unicode.Scalar
            default: scalar
            }
        }.filter { !isDirection($0) }
        let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
        return String(words.joined(separator: " ").prefix(titleMax))
    }

    /// Embeddings, overrides and isolates of text in the other direction: an unclosed one reverses what follows.
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
