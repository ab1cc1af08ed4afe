import FoundationEssentials

/// A JSON text in which single values are changed, keeping the order, spaces and lines of everything else.
///
/// Paths are those of `JSONFault`.
package struct JSONText {
    /// The text, which is valid JSON.
    package private(set) var bytes: [UInt8]

    /// Takes a text.
    ///
    /// - Throws: `JSONSyntaxError` if it is not valid.
    package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        _ = try JSONParser.parse(bytes)
        self.bytes = bytes
    }

    /// The items of the list at `path`; `nil` if there is no list.
    package func items(at path: String) -> [JSONValue]? {
        guard let range = range(path), let value = try? JSONParser.parse(Array(bytes[range])),
            case .array(let items) = value
        else { return nil }
        return items
    }

    /// The value at `path` as written; `nil` if there is none.
    package func value(at path: String) -> String? {
        range(path).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Whether there is a value.
    package func has(_ path: String) -> Bool { range(path) != nil }

    /// Replaces a value by `value`, itself JSON.
    package mutating func replace(_ path: String, with value: String) {
        guard let range = range(path) else { preconditionFailure("there is no \(path)") }
        bytes.replaceSubrange(range, with: value.utf8)
    }

    /// Appends a member to the object at `path`.
    package mutating func insert(_ key: String, _ value: String, into path: String) {
        add("\(Self.quoted(key)): \(value)", to: path)
    }

    /// Appends an item to the list at `path`.
    package mutating func append(_ value: String, to path: String) { add(value, to: path) }

    /// Removes an item from the list at `path`, with its comma.
    package mutating func removeItem(_ index: Int, of path: String) {
        let items = items(at: path) ?? []
        guard items.indices.contains(index), let own = range("\(path)[\(index)]") else { return }
        if index > 0, let before = range("\(path)[\(index - 1)]") {
            bytes.removeSubrange(before.upperBound..<own.upperBound)
        } else if let next = range("\(path)[\(index + 1)]") {
            bytes.removeSubrange(own.lowerBound..<next.lowerBound)
        } else {
            replace(path, with: "[]")
        }
    }

    /// Sets a member of the outermost object where it stands, or as the last one. A list stays on several lines if it
    /// was, and gets them if one is too short.
    package mutating func set(_ key: String, to value: JSONValue) {
        let present = range(FileName.escaped(key))
        let text = Self.text(of: value)
        guard let present else {
            insert(key, text, into: "")
            guard case .array(let items) = value, let range = range(FileName.escaped(key)),
                column(of: range.upperBound) > Self.columns
            else { return }
            return bytes.replaceSubrange(range, with: lines(items, at: range.lowerBound))
        }
        if case .array(let items) = value, !items.isEmpty,
            bytes[present].contains(UInt8(ascii: "\n"))
                || column(of: present.lowerBound) + text.count > Self.columns
        {
            bytes.replaceSubrange(present, with: lines(items, at: present.lowerBound))
        } else {
            bytes.replaceSubrange(present, with: text.utf8)
        }
    }

    /// Removes a member of the outermost object, with its comma.
    package mutating func remove(_ key: String) {
        guard case .object(let members)? = try? JSONParser.parse(bytes),
            let index = members.firstIndex(where: { $0.key == key }),
            let own = range(FileName.escaped(key))
        else { return }
        if index > 0, let before = range(FileName.escaped(members[index - 1].key)) {
            bytes.removeSubrange(before.upperBound..<own.upperBound)
        } else if members.count > 1 {
            bytes.removeSubrange(members[0].place..<members[1].place)
        } else {
            replace("", with: "{}")
        }
    }

    /// Longer lists get a line for each item.
    private static let columns = 100

    private func column(of position: Int) -> Int {
        let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return position - start
    }

    /// A list with a line for each item; `position` is where it begins.
    private func lines(_ items: [JSONValue], at position: Int) -> [UInt8] {
        let outer = indentation(at: position)
        let inner = outer + (outer.isEmpty ? "    " : outer)
        let list = items.map { "\(line)\(inner)\(Self.text(of: $0))" }.joined(separator: ",")
        return Array("[\(list)\(line)\(outer)]".utf8)
    }

    /// A value on one line.
    package static func text(of value: JSONValue) -> String {
        switch value {
        case .null, .bool, .integer, .number: value.shown
        case .string(let text): quoted(text)
        case .array(let items): "[\(items.map(text(of:)).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.map { "\(quoted($0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
        }
    }

    // MARK: Places

    private func range(_ path: String) -> Range<Int>? { JSONParser.range(of: path, in: bytes) }

    /// Adds a member or an item on a line of its own, unless all of them share one.
    private mutating func add(_ entry: String, to path: String) {
        guard let whole = range(path) else { preconditionFailure("there is no \(path)") }
        let inside = (whole.lowerBound + 1)..<(whole.upperBound - 1)
        let outer = indentation(at: whole.lowerBound)
        guard let first = bytes[inside].firstIndex(where: { !Self.isSpace($0) }),
            let last = bytes[inside].lastIndex(where: { !Self.isSpace($0) })
        else {
            return bytes.replaceSubrange(
                inside, with: "\(line)\(outer)    \(entry)\(line)\(outer)".utf8)
        }
        let isOnOneLine = !bytes[inside.lowerBound..<first].contains(UInt8(ascii: "\n"))
        let space = isOnOneLine ? " " : "\(line)\(indentation(at: first))"
        bytes.insert(contentsOf: ",\(space)\(entry)".utf8, at: last + 1)
    }

    /// The line ending of this text.
    private var line: String {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        return end.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } == true ? "\r\n" : "\n"
    }

    /// The white space at the start of the line of a position.
    private func indentation(at position: Int) -> String {
        let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let space = bytes[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return String(decoding: space, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }

    /// A text as JSON.
    package static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(text) else {
            preconditionFailure("a text cannot be JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
