import Logging
import StickerConfiguration
import StickerHTTP
import StickerValues

/// A visitor with their rights.
struct Person: Hashable, Sendable {
    /// The name in logs and on pages; `nil` where the console knows no people.
    let name: String?
    let role: ConsolePerson.Role
    /// The categories of an artist.
    let categories: Set<CategoryID>

    /// Everybody on this machine, where the console knows no people.
    static let anyone = Person(name: nil, role: .operate, categories: [])

    init(name: String?, role: ConsolePerson.Role, categories: Set<CategoryID>) {
        (self.name, self.role, self.categories) = (name, role, categories)
    }

    init(_ name: String, _ person: ConsolePerson) {
        self.init(name: name, role: person.role, categories: person.categories)
    }

    /// Something that not everybody may do.
    enum Right: Hashable, Sendable {
        /// See a category with its files and jobs, and change them.
        case category(CategoryID)
        /// See and do what concerns several categories, and make new ones.
        case library
        /// Settings and deletions.
        case operation
    }

    func may(_ right: Right) -> Bool {
        switch (role, right) {
        case (.operate, _), (.editor, .category), (.editor, .library): true
        case (.artist, .category(let id)): categories.contains(id)
        case (.artist, _), (.editor, .operation): false
        }
    }

    /// The fields of a log line about something that this person did.
    func metadata(_ fields: Logger.Metadata) -> Logger.Metadata {
        name.map { fields.merging(["by": "\(FileName.escaped($0))"]) { $1 } } ?? fields
    }

    /// Refuses what this person may not do.
    ///
    /// - Throws: `WebError`.
    func need(_ right: Right) throws {
        guard !may(right) else { return }
        let (what, remedy) =
            switch right {
            case .operation: ("that is for operators", "ask an operator")
            // Whether there is something of others is not told.
            case .category, .library:
                (
                    "that is none of your categories",
                    "ask an editor, or an operator for the category"
                )
            }
        throw WebError(status: 403, message: what, remedy: remedy)
    }
}
