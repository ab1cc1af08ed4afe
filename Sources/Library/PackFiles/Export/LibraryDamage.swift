import StickerPacks
public import StickerValues

/// The damage to a bundle of the whole library, by affected category.
public struct LibraryDamage: Sendable {
    private let all: [PackDamage]
    /// The categories whose packs hold a file, by its path below the published folder.
    private let owners: [String: Set<CategoryID>]

    /// Assigns damaged files to categories.
    ///
    /// - Parameters:
    ///   - damage: the damage.
    ///   - platform: the platform.
    ///   - packs: returns the packs of all categories; a file in none of them affects all.
    init(
        _ damage: [PackDamage], for platform: some PackMaking, packs: () -> [Pack]
    ) {
        all = damage
        var owners: [String: Set<CategoryID>] = [:]
        for (category, own) in Dictionary(grouping: damage.isEmpty ? [] : packs(), by: \.category) {
            for form in platform.formsOfLibrary {
                for file in platform.files(of: own, as: form) {
                    owners["\(form)/\(file.path)", default: []].insert(category)
                }
            }
        }
        self.owners = owners
    }

    /// The damage to the packs of a category, and to shared files.
    public func damage(to category: CategoryID) -> [PackDamage] {
        all.filter { concerns(category, $0.path) }
    }

    /// Whether a category has a file, alone or with others.
    ///
    /// - Parameters:
    ///   - category: the category.
    ///   - path: the path of the file below `out`.
    /// - Returns: also true for a file of no category.
    public func concerns(_ category: CategoryID, _ path: String) -> Bool {
        // After `_packs`, the platform and the folder.
        let parts = path.split(separator: "/").dropFirst(3)
        return owners[parts.joined(separator: "/")]?.contains(category) ?? true
    }
}
