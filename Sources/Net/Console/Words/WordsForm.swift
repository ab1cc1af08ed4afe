import StickerStore
import StickerValues

/// Fields for the words of a side file: each shows what the file says, and faintly what counts without it.
struct WordsForm: Sendable {
    let fields: [WordsField]
    /// The words of the file, by key.
    var present: [String: String] = [:]
    /// The words that count where it says nothing.
    var settled: [String: String] = [:]
    /// The texts that somebody filled in and that were not saved.
    var typed: [String: String] = [:]
    /// Fields that somebody else has changed since.
    var contested: [String] = []
    /// Follows each name, where a form has fields of several files.
    var suffix = ""
    /// The label for the choice of nothing.
    var none = "not set"

    /// The texts of these fields in a sent form.
    func texts(in form: [String: String]) -> [String: (was: String?, now: String)] {
        var texts: [String: (was: String?, now: String)] = [:]
        for field in fields {
            guard let now = form[field.key + suffix], let was = form["was-\(field.key)\(suffix)"]
            else { continue }
            texts[field.key] = (was, now == was ? was : now.trimmed)
        }
        return texts
    }

    /// The fields with their labels.
    var html: HTML {
        HTML(
            fields.map { field -> HTML in
                let hint: HTML? =
                    field.hint.isEmpty ? nil : "<span class=\"quiet\">\(field.hint)</span>"
                return """
                    <label class="field"><span>\(field.label)</span>\(input(field))\(present(field) ?? hint ?? "")</label>
                    """
            })
    }

    /// One field without its label, which assistive technology gets from `label`.
    func bare(_ field: WordsField, label: String) -> HTML {
        "\(input(field, label: label))\(present(field) ?? "")"
    }

    /// The text that somebody else wrote meanwhile.
    private func present(_ field: WordsField) -> HTML? {
        guard contested.contains(field.key) else { return nil }
        return "<span class=\"bad\">now: “\(present[field.key] ?? "")”</span>"
    }

    private func input(_ field: WordsField, label: String? = nil) -> HTML {
        let name = field.key + suffix
        let before = present[field.key] ?? ""
        let value = typed[field.key] ?? before
        let without = settled[field.key] ?? ""
        let was: HTML = "<input type=\"hidden\" name=\"was-\(name)\" value=\"\(before)\">"
        let label: HTML = label.map { " aria-label=\"\($0)\"" } ?? ""
        switch field.kind {
        case .choice(let values): return "\(was)\(select(name, values, value, without, label))"
        case .yesOrNo: return "\(was)\(select(name, ["yes", "no"], value, without, label))"
        case .text, .texts, .number, .emojis, .json:
            let kind: HTML =
                switch field.kind {
                case .number: " inputmode=\"numeric\""
                case .emojis: " data-emoji"
                default: ""
                }
            return """
                \(was)<input name="\(name)" value="\(value)" placeholder="\(without)" autocomplete="off"\(kind)\(label)>
                """
        }
    }

    private func select(
        _ name: String, _ values: [String], _ value: String, _ without: String, _ label: HTML
    ) -> HTML {
        let other = values.contains(value) || value.isEmpty ? [] : [value]
        let options = (values + other).map { choice -> HTML in
            let chosen: HTML = choice == value ? " selected" : ""
            return "<option value=\"\(choice)\"\(chosen)>\(choice)</option>"
        }
        let none = without.isEmpty ? none : "\(none): \(without)"
        return
            "<select name=\"\(name)\"\(label)><option value=\"\">\(none)</option>\(options)</select>"
    }
}

extension WordsForm {
    /// The form of one sticker.
    init(_ fields: [WordsField], of members: JSONObject, settled: StickerWords) {
        self.init(fields: fields)
        read(members)
        note("title", settled.title)
        note("emojis", settled.emojis?.joined(separator: " "))
        note("keywords", settled.keywords?.joined(separator: ", "))
        note("accessibilityText", settled.accessibilityText)
        note("order", settled.order.map { String($0) })
        note("pinned", settled.pinned.map { $0 ? "yes" : "no" })
        note("rating", settled.rating?.rawValue)
        note("tintMode", settled.tintMode?.rawValue)
        note("publisher", settled.publisher)
        note("licence", settled.licence)
    }

    /// The form of a category.
    init(_ fields: [WordsField], of members: JSONObject, settled: CategoryWords) {
        self.init(fields: fields)
        read(members)
        note("title", settled.title)
        note("description", settled.description)
        note("publisher", settled.publisher)
        note("licence", settled.licence)
    }

    private mutating func read(_ members: JSONObject) {
        for field in fields { present[field.key] = field.text(of: members[field.key]) }
    }

    private mutating func note(_ key: String, _ text: String?) {
        if present[key] == "" { settled[key] = text }
    }
}
