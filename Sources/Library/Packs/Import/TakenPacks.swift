import StickerValues

/// Accepted packs, to detect one that also exists in another form: `export` writes several.
///
/// Pictures cannot be compared, as each form has its own. Titles can, unless a pack has none or one for its platform,
/// or platforms divide a category differently; then distinctive names can.
struct TakenPacks {
    /// The accepted packs of one form.
    private struct Form {
        let name: String
        var titles: Set<String> = []
        var stickers: Set<String> = []
    }

    /// The packs, in order.
    private(set) var packs: [ImportedPack] = []
    private var forms: [Form] = []
    /// The form in which a title was first seen.
    private var formsByTitle: [String: String] = [:]

    mutating func add(_ pack: ImportedPack) {
        packs.append(pack)
        let title = Self.title(of: pack)
        formsByTitle[title] = formsByTitle[title] ?? pack.form
        let index = forms.firstIndex { $0.name == pack.form } ?? forms.endIndex
        if index == forms.endIndex { forms.append(Form(name: pack.form)) }
        forms[index].titles.insert(Self.undivided(title))
        forms[index].stickers.formUnion(Self.stickers(of: pack))
    }

    /// The other form in which a pack was accepted already; `nil` if there is none.
    func otherForm(of pack: ImportedPack) -> String? {
        let title = Self.title(of: pack)
        if let form = formsByTitle[title], form != pack.form { return form }
        let stickers = Self.stickers(of: pack)
        guard !stickers.isEmpty else { return nil }
        return forms.first { form in
            form.name != pack.form && stickers.isSubset(of: form.stickers)
                && (form.titles.contains(Self.undivided(title)) || Self.areTelling(stickers)
                    || pack.words.title == nil && Self.areWords(stickers))
        }?.name
    }

    private static func title(of pack: ImportedPack) -> String { pack.words.title ?? pack.name }

    /// The title without a suffix from `PackSuffix`.
    private static func undivided(_ title: String) -> String {
        title.replacing(/( animated)?( [0-9]+)?$/, with: "")
    }

    /// The names of its stickers; those for Signal begin with an ordering number.
    private static func stickers(of pack: ImportedPack) -> Set<String> {
        Set(pack.stickers.map { $0.name.lowercased().replacing(/^[0-9]+_(?=.)/, with: "") })
    }

    /// Whether all names are more than numbers: a pack without a title has only its names.
    private static func areWords(_ names: Set<String>) -> Bool {
        names.allSatisfy { $0.contains(where: \.isLetter) }
    }

    /// Whether names are distinctive: `01` and `sticker 7` are in many packs.
    private static func areTelling(_ names: Set<String>) -> Bool {
        Set(names.map { $0.filter(\.isLetter) }).count > 1
    }
}
