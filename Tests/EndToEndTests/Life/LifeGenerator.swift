import StickerTestSupport

/// Draws operations that make sense, at random.
struct LifeGenerator {
    private var random: SeededGenerator
    /// Pictures 1 and 2 are there from the beginning.
    private var lastPicture = 2

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next operation.
    mutating func next(_ model: LifeModel) -> Operation {
        while true {
            if let operation = draw(model), model.permits(operation) { return operation }
        }
    }

    private mutating func draw(_ model: LifeModel) -> Operation? {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<24: write(picture(model), newPath(model))
        case ..<34: knownPath(model).map { write(picture(model), $0) }
        case ..<46: knownPath(model).map { .rename($0, newPath(model)) }
        case ..<50: twoPaths(model).map { .rename($0, $1) }
        case ..<53: twoPaths(model).map { .exchange($0, $1) }
        case ..<55: twoPaths(model).map { .swap($0, $1) }
        case ..<60: knownPath(model).map { .delete($0) }
        case ..<62: knownPath(model).map { .touch($0) }
        case ..<68: knownPath(model).map { reformat($0) }
        case ..<75: drawWords(model)
        case ..<80: drawFolder(model)
        case ..<90: .settle
        default: drawDaemon(model)
        }
    }

    private mutating func write(_ picture: Int, _ path: String) -> Operation {
        Bool.random(using: &random) ? .write(picture, path) : .replace(picture, path)
    }

    private mutating func reformat(_ path: String) -> Operation {
        lastPicture += 1
        let format = PictureName.formats.randomElement(using: &random) ?? ".gif"
        return .reformat(
            lastPicture, path, path.stem + format, newFirst: Bool.random(using: &random))
    }

    private mutating func drawDaemon(_ model: LifeModel) -> Operation? {
        switch Int.random(in: 0..<12, using: &random) {
        case ..<5: .start
        case ..<7: .stop
        case ..<10: .kill
        case 10: .rebuild
        default:
            model.drops.randomElement(using: &random).map { drop in
                .moveDrop(drop, drop.hasSuffix("s") ? String(drop.dropLast()) : drop + "s")
            }
        }
    }

    // MARK: Pictures

    /// A new picture, one that was removed, or one that is there already.
    private mutating func picture(_ model: LifeModel) -> Int {
        let kind = Int.random(in: 0..<10, using: &random)
        let known = model.stickers.filter { $0.isRemoved == (kind < 3) }.map(\.picture)
        if kind < 4, let picture = known.randomElement(using: &random) { return picture }
        lastPicture += 1
        return lastPicture
    }

    private mutating func knownPath(_ model: LifeModel) -> String? {
        model.pictures.keys.filter { !isAnchored($0) }.sorted().randomElement(using: &random)
    }

    /// Whether a path belongs to what must stay.
    private func isAnchored(_ path: String) -> Bool {
        ["anchor", "pier"].contains { path.split(separator: "/").contains(Substring($0)) }
    }

    private mutating func twoPaths(_ model: LifeModel) -> (String, String)? {
        guard let one = knownPath(model), let two = knownPath(model) else { return nil }
        return (one, two)
    }

    /// A path that a picture may get: often one that another has just left, or that words are about.
    private mutating func newPath(_ model: LifeModel) -> String {
        let told = model.words.keys.filter { model.pictures[$0] == nil }
        let dear = (Array(model.burst.vacated) + told).sorted()
        if Int.random(in: 0..<3, using: &random) == 0,
            let path = dear.randomElement(using: &random)
        {
            return path
        }
        let name = PictureName.all.randomElement(using: &random)?.file ?? "wave.png"
        return "\(folder(model))/\(name)"
    }

    // MARK: Words

    private mutating func drawWords(_ model: LifeModel) -> Operation? {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<4: knownPath(model).map { .say(words(), about: $0) }
        case ..<7: model.words.keys.sorted().randomElement(using: &random).map { .unsay($0) }
        case 7: .say(words(), about: newPath(model))
        case 8: .entitle(categoryFolder(model), title())
        default: .describe(categoryFolder(model), categoryFile(model))
        }
    }

    private mutating func title() -> String {
        ["Fluffy", "Furry", "Über", "Noch eins", "🐟"].randomElement(using: &random) ?? "Fluffy"
    }

    private mutating func emojis() -> [String] {
        [[], ["🐱"], ["👋", "🎉"]].randomElement(using: &random) ?? []
    }

    private mutating func words() -> Words {
        var words = Words()
        if Bool.random(using: &random) { words.title = title() }
        if Bool.random(using: &random) { words.emojis = emojis() }
        if Bool.random(using: &random) { words.keywords = [title(), "hi"] }
        if Bool.random(using: &random) { words.order = Int.random(in: 0..<12, using: &random) }
        return words
    }

    private mutating func categoryFile(_ model: LifeModel) -> CategoryFile {
        var file = CategoryFile()
        if Bool.random(using: &random) { file.title = title() }
        if Bool.random(using: &random) { file.emojis = ["🐱"] }
        for name in PictureName.all.map(\.file) where Int.random(in: 0..<4, using: &random) == 0 {
            file.stickers[name] = words()
        }
        return file
    }

    // MARK: Folders

    private static let names = ["cats", "Cats", "CATS", "dogs", "Dogs", "birds", "pixel art"]

    /// A folder of a category, which need not exist.
    private mutating func categoryFolder(_ model: LifeModel) -> String {
        let drop = model.drops.randomElement(using: &random) ?? "drop"
        let name = Self.names.randomElement(using: &random) ?? "cats"
        return Int.random(in: 0..<8, using: &random) == 0 ? drop : "\(drop)/\(name)"
    }

    /// A folder, which need not exist.
    private mutating func folder(_ model: LifeModel) -> String {
        let known = model.directories.filter { !isAnchored($0) }.sorted()
        if Bool.random(using: &random), let folder = known.randomElement(using: &random) {
            return folder
        }
        let folder = categoryFolder(model)
        let isBelow = folder.components > 1 && Int.random(in: 0..<5, using: &random) == 0
        return isBelow ? folder + "/winter" : folder
    }

    private mutating func drawFolder(_ model: LifeModel) -> Operation? {
        let known = model.directories.filter { !isAnchored($0) }.sorted()
        guard let folder = known.randomElement(using: &random) else { return nil }
        return Int.random(in: 0..<4, using: &random) == 0
            ? .deleteFolder(folder) : .renameFolder(folder, self.folder(model))
    }
}
