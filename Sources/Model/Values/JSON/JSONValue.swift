/// Any JSON value, so that a configuration can be checked key by key.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without a fraction, even if written `1.0` or `1e3`.
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The value as JSON text, for messages.
    package var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): "\"\(FileName.escaped(value.cutForMessages))\""
        case .array(let values) where values.count <= 8 && values.allSatisfy(\.isPlain):
            "[\(values.map(\.shown).joined(separator: ", "))]"
        case .array(let values): "a list of \(values.count)"
        case .object(let members): "an object of \(members.count) keys"
        }
    }

    /// Whether it is neither a list nor an object.
    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }
}

extension String {
    /// At most 100 Unicode scalars of it: a value may be as long as its file.
    var cutForMessages: String { cut(to: 100) }

    /// At most `length` Unicode scalars of it.
    func cut(to length: Int) -> String {
        guard unicodeScalars.count > length else { return self }
        return String(UnicodeScalarView(unicodeScalars.prefix(length))) + "…"
    }
}
