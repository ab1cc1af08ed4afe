import FoundationEssentials

extension SideFileWords {
    /// These words; where faults left gaps, those of `former`.
    ///
    /// - Parameters:
    ///   - gaps: as in `SideFileError`.
    ///   - former: what the same file said before.
    /// - Returns: the words of both.
    /// - Throws: if words cannot be encoded as JSON.
    public func filled(_ gaps: [[String]], from former: SideFileWords) throws -> SideFileWords {
        var document = try document()
        Self.fill(&document, from: try former.document(), at: gaps.map { $0[...] })
        return try SideFileWords(document: document)
    }

    private typealias Members = [String: JSONValue]

    private static func fill(
        _ members: inout Members, from former: Members, at gaps: [ArraySlice<String>]
    ) {
        let inner = gaps.filter { !$0.isEmpty }
        for (key, gaps) in Dictionary(grouping: inner, by: { $0[$0.startIndex] }) {
            guard let old = former[key] else { continue }
            guard members[key] != nil || !gaps.contains(where: { $0.count == 1 }) else {
                members[key] = old
                continue
            }
            guard let oldMembers = old.members else { continue }
            var filled = members.removeValue(forKey: key)?.members ?? [:]
            fill(&filled, from: oldMembers, at: gaps.map { $0.dropFirst() })
            if !filled.isEmpty { members[key] = .object(filled) }
        }
        if inner.count < gaps.count { members.merge(former) { own, _ in own } }
    }

    /// The members of `category.json` that say the same, but for `order`, which has the place of each path.
    private func document() throws -> Members {
        var document = try JSONValue(encoding: category).members ?? [:]
        document["defaults"] = defaults.isEmpty ? nil : try JSONValue(encoding: defaults)
        var (named, order): (Members, Members) = ([:], [:])
        for (path, words) in try JSONValue(encoding: stickers).members ?? [:] {
            var members = words.members ?? [:]
            order[path] = members.removeValue(forKey: "place")
            if !members.isEmpty { named[path] = .object(members) }
        }
        document["stickers"] = named.isEmpty ? nil : .object(named)
        document["order"] = order.isEmpty ? nil : .object(order)
        return document
    }

    private init(document: Members) throws {
        self.init()
        category = try JSONValue.object(document).decoded(CategoryWords.self)
        defaults = try document["defaults"]?.decoded(StickerWords.self) ?? defaults
        var named = document["stickers"]?.members ?? [:]
        for (path, place) in document["order"]?.members ?? [:] {
            var members = named[path]?.members ?? [:]
            members["place"] = place
            named[path] = .object(members)
        }
        stickers = try JSONValue.object(named).decoded([String: StickerWords].self)
    }
}

extension JSONValue: Encodable {
    fileprivate init(encoding value: some Encodable) throws {
        self = try JSONParser.parse([UInt8](JSONEncoder().encode(value)))
    }

    fileprivate func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    fileprivate var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Writes the value as it would stand in JSON.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
