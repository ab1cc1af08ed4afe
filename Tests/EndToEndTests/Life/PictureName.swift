/// A file name, and what it says about its sticker. Written down, not computed: stickerd(8) says how names are
/// read, and this table holds the product to it.
struct PictureName: Hashable, Sendable {
    var file: String
    /// The number in front.
    var order: Int?
    var title: String
    var emojis: [String]
    /// Its id, unless that was taken.
    var id: String

    private init(
        _ file: String, _ title: String, id: String, order: Int? = nil, emojis: [String] = []
    ) {
        (self.file, self.order, self.title, self.emojis) = (file, order, title, emojis)
        self.id = id
    }

    /// In the order in which a manifest shows them where no number says otherwise.
    static let all = [
        PictureName("1.5x zoom.png", "1.5x zoom", id: "1_5x_zoom"),
        PictureName("2024-01-01 party.png", "2024-01-01 party", id: "2024_01_01_party"),
        PictureName("apfel.PNG", "apfel", id: "apfel"),
        PictureName("Apple.png", "Apple", id: "apple"),
        PictureName("apple.png", "apple", id: "apple"),
        PictureName("02 bear.png", "bear", id: "bear", order: 2),
        PictureName("bear 🐻.png", "bear", id: "bear", emojis: ["🐻"]),
        PictureName("cat 2.png", "cat 2", id: "cat_2"),
        PictureName("cat 10.png", "cat 10", id: "cat_10"),
        PictureName("07 happy cat.png", "happy cat", id: "happy_cat", order: 7),
        PictureName(
            "happy cat 😀🎉.png", "happy cat", id: "happy_cat", emojis: ["😀", "🎉"]),
        PictureName("WAVE.png", "WAVE", id: "wave"),
        PictureName("Wave.png", "Wave", id: "wave"),
        PictureName("wave 👋.png", "wave", id: "wave", emojis: ["👋"]),
        PictureName("wave.png", "wave", id: "wave"),
        PictureName("10 zebra.png", "zebra", id: "zebra", order: 10),
        PictureName("Zoë.png", "Zoë", id: "zoe"),
        PictureName("мир.png", "мир", id: "mir"),
    ]

    /// The endings that a picture may have instead of its own.
    static let formats = [".png", ".gif", ".webp", ".jpeg"]

    private static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.file.stem, $0) })

    /// The name of the file at a path; an unknown one says nothing but itself.
    init(of path: String) {
        let file = path.lastComponent
        self =
            Self.known[file.stem]
            ?? PictureName(file, file.stem, id: file.stem)
        self.file = file
    }

    /// The place of its title among all names; the file name tells more.
    var rank: Int {
        let title = title.lowercased()
        return Self.all.firstIndex { $0.title.lowercased() == title } ?? Self.all.count
    }
}

/// Paths of the model: `drop/cats/winter/wave.png`.
extension String {
    var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }

    /// The name of a file without its last extension.
    var stem: String {
        split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    }

    /// Whether both are the paths of pictures that differ in their format alone.
    func isFormat(of other: String) -> Bool { self != other && stem == other.stem }

    /// The folder that holds it; empty for a drop.
    var parent: String { split(separator: "/").dropLast().joined(separator: "/") }

    var components: Int { split(separator: "/").count }

    /// The folder of its category: the first one below the drop, or the drop itself.
    var categoryFolder: String {
        split(separator: "/").prefix(components > 2 ? 2 : 1).joined(separator: "/")
    }

    /// Whether it lies in a folder, at any depth.
    func isBelow(_ folder: String) -> Bool { hasPrefix(folder + "/") }

    /// The same place below another folder.
    func moved(from folder: String, to other: String) -> String {
        isBelow(folder) ? other + dropFirst(folder.count) : self
    }

    /// The file that says something about the picture of this path.
    var wordsFile: String { self + ".sticker.json" }
}
