import StickerModel

/// Looking into JSON of strangers: what is not as expected is not there.
extension JSONValue {
    /// The value of a key.
    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The text, if it is one and not empty.
    var text: String? {
        if case .string(let text) = self, !text.isEmpty { text } else { nil }
    }

    /// The items, if it is a list.
    var items: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The members by key, if it is an object.
    var members: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The texts of a list, or the only one.
    var texts: [String] { items?.compactMap(\.text) ?? text.map { [$0] } ?? [] }
}
