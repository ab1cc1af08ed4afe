import StickerValues

/// Names in a folder that do not collide on any file system.
package struct FileNames {
    private var taken: Set<String> = []
    /// The next number by requested name.
    private var numbers: [String: Int] = [:]

    /// A unique name, numbered if necessary.
    ///
    /// - Parameters:
    ///   - name: the requested name, from `String.asFileName`.
    ///   - ending: its extension with the dot; empty for a folder.
    /// - Returns: the name with its extension.
    mutating func claim(_ name: String, ending: String = "") -> String {
        let wanted = Self.key(name + ending)
        var number = numbers[wanted] ?? 1
        var full: String
        repeat {
            full = (number == 1 ? name : "\(name) \(number)") + ending
            number += 1
        } while !taken.insert(Self.key(full)).inserted
        numbers[wanted] = number
        return full
    }

    /// Equal for names that differ only in case or composition.
    ///
    /// Upper case first, for letters without a lower case of their own; texts are equal if they are canonically
    /// equivalent.
    package static func key(_ name: String) -> String { name.uppercased().lowercased() }
}

extension String {
    /// Leaves room for a number, an extension and the end of a side file's name.
    private static let nameBytesMax = 160

    /// The text as the name of a file or folder, without extension, that stickerd does not ignore; `nil` if nothing of
    /// it is visible.
    func asFileName() -> String? {
        guard let text = visible(atMost: TextLimit.title) else { return nil }
        var name = String(text.map { "/\\:".contains($0) ? "-" : $0 })
        while let last = name.last, name.utf8.count > Self.nameBytesMax || ". ~".contains(last) {
            name.removeLast()
        }
        name = String(name.drop { $0 == "." || $0 == " " })
        guard !name.isEmpty else { return nil }
        guard FileKind.isIgnoredName(Array(name.utf8)) else { return name }
        return "pack " + String(name.map { $0 == "." ? "_" : $0 })
    }
}
