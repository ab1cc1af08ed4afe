import FoundationEssentials

/// Any JSON, so that configuration can be checked key by key.
enum JSONValue: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {  // the next type is tried instead
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {  // the next type is tried instead
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {  // the next type is tried instead
            self = .number(value)
        } else if let value = try? container.decode(String.self) {  // the next type is tried instead
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {  // an object remains
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The value as JSON text, for messages.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): "\"\(FileName.escaped(value))\""
        case .array(let values): "a list of \(values.count)"
        case .object(let members): "an object of \(members.count) keys"
        }
    }
}
