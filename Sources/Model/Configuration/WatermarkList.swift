package import StickerValues

/// The list of marks in the text of a configuration, edited without changing anything else.
package struct WatermarkList {
    /// The whole configuration.
    package private(set) var text: JSONText
    /// The keys that lead to the object with the list.
    private let keys: [String]

    /// The general list, or that of a category.
    package init(_ text: JSONText, category: String?) {
        self.text = text
        keys = category.map { ["categories", $0] } ?? ["sticker"]
    }

    /// The path of the list, for display.
    package var path: String { Self.path(keys + ["watermarks"]) }

    /// The names of the marks, in order.
    package var identifiers: [String] {
        (text.items(at: path) ?? []).map { item in
            if case .object(let members) = item, case .string(let id)? = members["id"] { return id }
            return ""
        }
    }

    /// Whether there is a list, even an empty one.
    package var isThere: Bool { text.has(path) }

    /// Adds a mark above the others, or replaces the one with its name.
    ///
    /// - Parameters:
    ///   - id: its name.
    ///   - mark: the whole mark, as JSON.
    /// - Returns: whether one was replaced.
    package mutating func put(_ id: String, _ mark: String) -> Bool {
        if let index = identifiers.lastIndex(of: id) {
            text.replace("\(path)[\(index)]", with: mark)
            return true
        }
        if isThere {
            text.append(mark, to: path)
            return false
        }
        // Missing objects, outermost first.
        var (known, missing) = ([String](), keys + ["watermarks"])
        while missing.count > 1, text.has(Self.path(known + [missing[0]])) {
            known.append(missing.removeFirst())
        }
        let value = missing.dropFirst().reversed().reduce("[\(mark)]") { inner, key in
            "{\(JSONText.quoted(key)): \(inner)}"
        }
        text.insert(missing[0], value, into: Self.path(known))
        return false
    }

    /// Removes every mark with a name.
    ///
    /// - Parameter id: the name.
    /// - Returns: how many there were.
    package mutating func remove(_ id: String) -> Int {
        var count = 0
        while let index = identifiers.lastIndex(of: id) {
            text.removeItem(index, of: path)
            count += 1
        }
        return count
    }

    private static func path(_ keys: [String]) -> String {
        keys.map(FileName.escaped).joined(separator: ".")
    }
}
