@testable package import StickerValues

extension JSONValue {
    /// The value as JSON, a line for each member and item.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .array(let items): "[\n" + items.map(\.text).joined(separator: ",\n") + "]"
        case .object(let members):
            "{\n"
                + members.sorted { $0.key < $1.key }
                .map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ",\n") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\t": "\\t"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package typealias ArrayLiteralElement = JSONValue

    package init(arrayLiteral items: JSONValue...) { self = .array(items) }
}

extension JSONObject {
    init(byKey members: [String: JSONValue]) {
        self.init(members.map { ($0.key, $0.value) })
    }
}
