import StickerValues

/// A word of a side file, as people write it into a field of a form.
struct WordsField: Sendable {
    /// The kind of value in a field.
    enum Kind: Sendable {
        case text
        /// Texts between commas, or between semicolons if there is any.
        case texts
        case emojis
        case number
        /// One of some values, or none.
        case choice([String])
        case yesOrNo
        /// A value as it is written in JSON.
        case json
    }

    /// The key in side files.
    let key: String
    let label: String
    let kind: Kind
    /// Advice shown below the field.
    var hint = ""

    /// The words of one sticker.
    static let ofSticker = [
        WordsField(key: "title", label: "Title", kind: .text),
        WordsField(
            key: "emojis", label: "Emoji", kind: .emojis,
            hint: "WhatsApp and Signal need one to three; others find the sticker by them"),
        WordsField(
            key: "keywords", label: "Search words", kind: .texts, hint: "between commas"),
        WordsField(
            key: "accessibilityText", label: "For screen readers", kind: .text,
            hint: "describe the picture"),
        WordsField(
            key: "order", label: "Place", kind: .number,
            hint: "a number, instead of the one in front of the file's name"),
        WordsField(
            key: "pinned", label: "Pinned", kind: .yesOrNo,
            hint: "shown before the others"),
        WordsField(
            key: "rating", label: "Audience", kind: .choice(Rating.allCases.map(\.rawValue))),
        WordsField(
            key: "tintMode", label: "Tint",
            kind: .choice(TintMode.allCases.map(\.rawValue)), hint: "how apps may colour it"),
        WordsField(key: "publisher", label: "Publisher", kind: .text),
        WordsField(key: "licence", label: "Licence", kind: .text),
    ]

    /// Those that make sense for many stickers at once.
    static let ofMany = ofSticker.filter {
        !["title", "accessibilityText", "order"].contains($0.key)
    }

    /// Those that stand beside each picture of a category.
    static let inPlace = ofSticker.filter { ["title", "emojis"].contains($0.key) }

    /// The words of a category.
    static let ofCategory = [
        WordsField(key: "title", label: "Title", kind: .text),
        WordsField(key: "description", label: "Description", kind: .text),
        WordsField(
            key: "publisher", label: "Publisher", kind: .text,
            hint: "WhatsApp and others need one"),
        WordsField(key: "licence", label: "Licence", kind: .text),
    ]

    /// A value of a side file as this field shows it.
    func text(of value: JSONValue?) -> String {
        if case .json = kind { return value.map(JSONText.text(of:)) ?? "" }
        return switch value {
        case .string(let text): FileName.visible(text)
        case .integer(let number): String(number)
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let items): joined(items.map { text(of: $0) })
        case nil, .null, .number, .object: ""
        }
    }

    /// The value that this field holds; `nil` for none. A wrong one is left to the reader of side files, which says what
    /// is allowed.
    func value(of text: String) -> JSONValue? {
        guard !text.isEmpty else { return nil }
        switch kind {
        case .text, .choice: return .string(text)
        case .emojis: return .array(text.filter { !$0.isWhitespace }.map { .string(String($0)) })
        case .texts:
            let parts = text.split(separator: text.contains(";") ? ";" : ",").map { $0.trimmed }
            return .array(parts.filter { !$0.isEmpty }.map(JSONValue.string))
        case .number: return Int(text).map(JSONValue.integer) ?? .string(text)
        case .yesOrNo: return .bool(text == "yes")
        case .json: return (try? JSONParser.parse(Array(text.utf8))) ?? .string(text)
        }
    }

    private func joined(_ texts: [String]) -> String {
        if case .emojis = kind { return texts.joined(separator: " ") }
        // A text may hold a comma.
        return texts.joined(separator: texts.contains { $0.contains(",") } ? "; " : ", ")
    }
}

extension StringProtocol {
    /// Without white space around it.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
