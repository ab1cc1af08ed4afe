/// The members of a JSON object, in their order.
package struct JSONObject: Sendable {
    /// One member.
    package struct Member: Sendable {
        package var key: String
        package var value: JSONValue
        /// Where its key begins, in bytes from the start of the text; 0 if it was not read from one.
        var place = 0
    }

    /// Beyond this many members a table is used: most objects are small, and many.
    private static let listedMax = 8

    private var list: [Member] = []
    /// The index of each key; empty while there are few.
    private var table: [String: Int] = [:]

    /// Creates an empty object.
    package init() {}

    /// The value of a key.
    package subscript(key: String) -> JSONValue? { index(of: key).map { list[$0].value } }

    /// Where the key begins; `nil` if there is none.
    package func place(of key: String) -> Int? { index(of: key).map { list[$0].place } }

    /// Every key.
    package var keys: [String] { list.map(\.key) }

    private func index(of key: String) -> Int? {
        table.isEmpty ? list.firstIndex { $0.key == key } : table[key]
    }

    /// Appends a member.
    ///
    /// - Returns: whether the key was new; otherwise nothing was added.
    mutating func append(_ member: Member) -> Bool {
        guard index(of: member.key) == nil else { return false }
        list.append(member)
        if !table.isEmpty {
            table[member.key] = list.count - 1
        } else if list.count > Self.listedMax {
            for (index, member) in list.enumerated() { table[member.key] = index }
        }
        return true
    }

    /// These members with another value of `key` in its place, or as the last one; `nil` removes it.
    package func setting(_ key: String, to value: JSONValue?) -> JSONObject {
        var members = list.map { ($0.key, $0.value) }
        let index = members.firstIndex { $0.0 == key }
        switch (index, value) {
        case (let index?, let value?): members[index].1 = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append((key, value))
        case (nil, nil): break
        }
        return JSONObject(members)
    }

    /// Replaces the value of the last member.
    mutating func setLast(_ value: JSONValue) { list[list.count - 1].value = value }

    /// The values by their keys.
    package var byKey: [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: list.lazy.map { ($0.key, $0.value) })
    }
}

extension JSONObject: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { list.count }
    package subscript(index: Int) -> Member { list[index] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members)
    }

    /// Takes members whose keys differ.
    init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { _ = append(Member(key: key, value: value)) }
    }
}

/// Objects with the same members in any order are equal.
extension JSONObject: Hashable {
    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.byKey == other.byKey
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(byKey) }
}
