import StickerModel

/// Names in a folder, of which no two meet on any file system.
package struct FileNames {
    private var taken: Set<String> = []
    /// The number to try next, by the name that was asked for.
    private var numbers: [String: Int] = [:]

    /// A name that no other has: numbered if it must be.
    ///
    /// - Parameters:
    ///   - name: what it should be called, as `String.asFileName` gives it.
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

    /// What two names have in common that are one where case or composition makes no difference.
    ///
    /// Upper case first, for letters that have no lower case of their own; texts are equal if they are canonically
    /// equivalent.
    package static func key(_ name: String) -> String { name.uppercased().lowercased() }
}

extension String {
    /// More bytes would leave no room for a number, an extension and the end of a side file's name.
    private static let nameBytesMax = 160

    /// Itself as the name of a file or a folder, without an extension, that stickerd looks at; `nil` if nothing of
    /// it can be seen.
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
