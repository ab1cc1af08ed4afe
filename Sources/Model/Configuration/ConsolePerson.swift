public import StickerValues

/// A person who uses `stickerd-console`, by a name that a proxy tells or by a token.
public struct ConsolePerson: Hashable, Sendable {
    /// The rights of a person; each role has those of the roles before it.
    public enum Role: String, Sendable, CaseIterable {
        /// Adds, names and orders the pictures of some categories, and sees nothing unpublished of others.
        case artist
        /// The same for all categories; sees all jobs.
        case editor
        /// Also settings and deletions.
        case operate = "operator"
    }

    /// Their rights.
    public var role = Role.artist
    /// The categories of an artist.
    public var categories: Set<CategoryID> = []
    /// The SHA-256 of their token, in lower-case hexadecimal digits; `nil` if they come in through a proxy alone.
    public var tokenSHA256: String?

    /// Creates an artist without a category.
    public init() {}
}

extension ConsolePerson {
    /// The most bytes of a name.
    private static let nameBytesMax = 100

    /// Whether a person may be called so: a name that logs and headers carry as it is. `operator` is who has the token
    /// of `tokenFile`.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "operator" && text.utf8.count <= nameBytesMax
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "," }
            && FileName.visible(text) == text
    }

    static let hashWanted = "null or 64 hexadecimal digits in lower case"

    /// Whether a text is a SHA-256 as programs print it.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    mutating func read(_ reader: inout ObjectReader) {
        reader.choice("role", &role)
        var names: [String] = []
        reader.strings("categories", &names, "a list of ids of categories") {
            $0.allSatisfy { $0.wholeMatch(of: /[a-z0-9][a-z0-9_]*/) != nil }
        }
        categories = Set(names.map(CategoryID.init))
        reader.optionalString(
            "tokenSHA256", &tokenSHA256, Self.hashWanted, where: Self.isHash)
        if role == .artist, categories.isEmpty {
            reader.note("categories", "names no category, and an artist has those alone")
        }
        if role != .artist, !categories.isEmpty {
            reader.note("categories", "is for artists; an \(role.rawValue) has all categories")
        }
    }
}
