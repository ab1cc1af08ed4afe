import StickerValues

/// Lenient access to foreign JSON: unexpected values count as absent.
extension JSONValue {
    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The text, unless empty or another type.
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

    /// The texts of a list, or a single one.
    var texts: [String] { items?.compactMap(\.text) ?? text.map { [$0] } ?? [] }
}
