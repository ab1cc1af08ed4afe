/// The library that must result from a sequence of operations, by the promises of stickerd(8). It knows
/// no database, no events and no time: every operation has its whole effect at once.
///
/// Ids are the product's to choose when a sticker or a category is new; `Expectation` notes them then, and holds
/// the product to them for ever after.
struct LifeModel {
    struct Sticker {
        /// `nil` until it was seen published.
        var id: String?
        /// The number of the picture.
        var picture: Int
        var name: PictureName
        var category: Int
        /// Words about it under its earlier names.
        var kept = Words()
        /// Names of its file in its folder when it had other formats, newest first.
        var formerFiles: [String] = []
        /// Its file was removed, and the sticker with it.
        var isRemoved = false
        /// The database that knew the name of its file is gone.
        var isNameForgotten = false
    }

    struct Category {
        /// `nil` until it was seen published.
        var id: String?
        /// The name of its folder when it came to be, which its id is made of.
        var firstName: String
        /// The name of its folder now.
        var folder: String
    }

    /// The drops, in the order of the configuration.
    private(set) var drops: [String]
    var stickers: [Sticker] = []
    var categories: [Category] = []
    /// Which sticker the picture of a path is.
    private(set) var pictures: [String: Int] = [:]
    /// Which category a folder is.
    private(set) var folders: [String: Int] = [:]
    /// Every folder below the drops.
    private(set) var directories: Set<String> = []
    /// The words of files beside pictures, by the path of the picture.
    private(set) var words: [String: Words] = [:]
    /// The `title.txt` of a folder.
    private(set) var titles: [String: String] = [:]
    /// The `category.json` of a folder.
    private(set) var categoryFiles: [String: CategoryFile] = [:]
    /// Whether the daemon runs.
    private(set) var isRunning = false
    /// The operations since all work was last done.
    private(set) var burst = Burst(isLive: false)
    var ledger = EncodeLedger()

    init(drops: [String]) { self.drops = drops }

    /// Carries an operation out.
    mutating func apply(_ operation: Operation) {
        burst.note(operation, in: self)
        switch operation {
        case .write(let picture, let path), .replace(let picture, let path):
            ledger.wrote(picture)
            write(picture, path)
        case .reformat(let picture, let path, let other, _):
            ledger.wrote(picture)
            reformat(picture, path, other)
        case .touch: break
        case .rename(let path, let other): rename(path, to: other)
        case .exchange(let path, let other), .swap(let path, let other): exchange(path, other)
        case .delete(let path): remove(path)
        case .say(let words, let path): say(words, about: path)
        case .unsay(let path): words[path] = nil
        case .entitle(let folder, let title): titles[folder] = title
        case .describe(let folder, let file): describe(folder, file)
        case .renameFolder(let folder, let other): renameFolder(folder, to: other)
        case .deleteFolder(let folder): deleteFolder(folder)
        case .moveDrop(let drop, let other): moveDrop(drop, to: other)
        case .start: isRunning = true
        case .stop: isRunning = false
        case .kill:
            isRunning = false
            ledger.wasKilled()
        case .rebuild: rebuild()
        case .settle: burst = Burst(isLive: isRunning)
        }
    }

    // MARK: Pictures

    private mutating func write(_ picture: Int, _ path: String) {
        if let sticker = pictures[path] { return stickers[sticker].picture = picture }
        makeDirectories(of: path)
        takeName(path)
        let category = category(of: path.categoryFolder)
        let name = PictureName(of: path)
        if let sticker = returning(picture, name, category).first {
            stickers[sticker].isRemoved = false
            (stickers[sticker].name, stickers[sticker].category) = (name, category)
            stickers[sticker].isNameForgotten = false
            return pictures[path] = sticker
        }
        pictures[path] = stickers.count
        stickers.append(Sticker(picture: picture, name: name, category: category))
    }

    /// The removed stickers that a picture may be, those that come first by their name and category: bytes that
    /// come back have their id again.
    func returning(_ picture: Int, _ name: PictureName, _ category: Int) -> [Int] {
        let removed = stickers.indices.filter {
            stickers[$0].isRemoved && stickers[$0].picture == picture
        }
        let likeness = { (index: Int) in
            let sticker = stickers[index]
            let isNamed = sticker.name == name && !sticker.isNameForgotten
            return (isNamed ? 2 : 0) + (sticker.category == category ? 1 : 0)
        }
        let best = removed.map(likeness).max()
        return removed.filter { likeness($0) == best }
    }

    /// The category of what lies in a folder: the folder's own, that of a folder of this name in another drop, or
    /// a new one.
    private mutating func category(of folder: String) -> Int {
        if let category = folders[folder] { return category }
        let name = drops.contains(folder) ? "stickers" : folder.lastComponent
        let namesake = folders.keys.sorted().first {
            (drops.contains($0) ? "stickers" : $0.lastComponent) == name
        }
        if let namesake, let category = folders[namesake] {
            folders[folder] = category
            return category
        }
        categories.append(Category(firstName: name, folder: name))
        folders[folder] = categories.count - 1
        return categories.count - 1
    }

    private mutating func rename(_ path: String, to other: String) {
        guard let sticker = pictures[path] else { return }
        guard let overwritten = pictures[other] else { return move(path, to: other) }
        remove(path)
        stickers[overwritten].picture = stickers[sticker].picture
    }

    /// A picture gets a name that is free.
    private mutating func move(_ path: String, to other: String) {
        guard let sticker = pictures[path] else { return }
        stickers[sticker].kept = said(about: path)
        stickers[sticker].formerFiles = []
        makeDirectories(of: other)
        takeName(other)
        stickers[sticker].category = category(of: other.categoryFolder)
        stickers[sticker].name = PictureName(of: other)
        pictures[path] = nil
        pictures[other] = sticker
    }

    /// A picture in another format takes the place of one.
    private mutating func reformat(_ picture: Int, _ path: String, _ other: String) {
        guard let sticker = pictures.removeValue(forKey: path) else { return }
        let former = [path.lastComponent] + stickers[sticker].formerFiles
        stickers[sticker].formerFiles = former.filter { $0 != other.lastComponent }
        stickers[sticker].picture = picture
        stickers[sticker].name = PictureName(of: other)
        pictures[other] = sticker
    }

    /// The picture whose file was called so when it had another format.
    private func formerOwner(of path: String) -> String? {
        pictures.first { other, sticker in
            other.parent == path.parent
                && stickers[sticker].formerFiles.contains(path.lastComponent)
        }?.key
    }

    /// Another picture gets the name that one had in another format: that one keeps what was said of it.
    private mutating func takeName(_ path: String) {
        guard let owner = formerOwner(of: path), let sticker = pictures[owner] else { return }
        stickers[sticker].kept = said(about: owner)
        stickers[sticker].formerFiles.removeAll { $0 == path.lastComponent }
    }

    private mutating func exchange(_ path: String, _ other: String) {
        guard let one = pictures[path], let two = pictures[other] else { return }
        let picture = stickers[one].picture
        stickers[one].picture = stickers[two].picture
        stickers[two].picture = picture
    }

    private mutating func remove(_ path: String) {
        guard let sticker = pictures[path] else { return }
        stickers[sticker].kept = said(about: path)
        stickers[sticker].formerFiles = []
        stickers[sticker].isRemoved = true
        pictures[path] = nil
    }

    // MARK: Words

    /// The paths under which files may speak of a picture: its own, then those that it had in other formats.
    private func names(of path: String) -> [String] {
        let former = pictures[path].map { stickers[$0].formerFiles } ?? []
        return [path] + former.map { "\(path.parent)/\($0)" }
    }

    /// Words about the picture of a path by its name: the file beside it, then the `category.json` of its own
    /// drop, then those of others.
    func saidByName(about path: String) -> Words {
        let own = path.categoryFolder
        let names = names(of: path)
        let others = folders[own].map(folders(of:)) ?? []
        let beside = names.reduce(Words()) { $0.filled(from: words[$1] ?? Words()) }
        return ([own] + others.filter { $0 != own }).reduce(beside) { said, folder in
            names.reduce(said) { said, name in
                let inFolder = String(name.dropFirst(own.count + 1))
                return said.filled(from: categoryFiles[folder]?.stickers[inFolder] ?? Words())
            }
        }
    }

    /// The folders of a category, in the order of the drops.
    func folders(of category: Int) -> [String] {
        let own = folders.filter { $0.value == category }.keys.sorted()
        return drops.flatMap { drop in own.filter { $0 == drop || $0.isBelow(drop) } }
    }

    /// Words about the picture of a path, now or under an earlier path.
    func said(about path: String) -> Words {
        let kept = pictures[path].map { stickers[$0].kept } ?? Words()
        return saidByName(about: path).filled(from: kept)
    }

    private mutating func say(_ new: Words, about path: String) {
        words[path] = new
        forgetKept(pictures[path] == nil ? formerOwner(of: path) ?? path : path)
    }

    private mutating func describe(_ folder: String, _ file: CategoryFile) {
        let before = categoryFiles.updateValue(file, forKey: folder)?.stickers ?? [:]
        for path in pictures.keys where folders[path.categoryFolder] == folders[folder] {
            let isChanged = names(of: path).contains { name in
                let inFolder = String(name.dropFirst(path.categoryFolder.count + 1))
                return file.stickers[inFolder] != before[inFolder]
            }
            if isChanged { forgetKept(path) }
        }
    }

    /// Words about the present name take precedence over kept ones, also after they are gone.
    private mutating func forgetKept(_ path: String) {
        guard let sticker = pictures[path] else { return }
        stickers[sticker].kept = stickers[sticker].kept.without(saidByName(about: path))
    }

    // MARK: Folders

    private mutating func makeDirectories(of path: String) {
        var folder = path.parent
        while folder.components > 1 {
            directories.insert(folder)
            folder = folder.parent
        }
    }

    private mutating func renameFolder(_ folder: String, to other: String) {
        makeDirectories(of: other)
        let isCategory = folder.components == 2 && other.components == 2
        if isCategory, let category = folders[folder], !isShared(category, besides: folder) {
            folders = folders.filter { $0.value != category }
            folders[other] = category
            categories[category].folder = other.lastComponent
            pictures = moved(pictures, folder, other)
        } else {
            for path in pictures.keys.sorted() where path.isBelow(folder) {
                move(path, to: path.moved(from: folder, to: other))
            }
        }
        moveDirectories(folder, to: other)
        guard !isCategory || folders[folder] != nil else { return }
        // The files that came along say something of the new names.
        for path in pictures.keys where path.isBelow(other) { forgetKept(path) }
    }

    /// Whether a category has pictures in other folders.
    private func isShared(_ category: Int, besides folder: String) -> Bool {
        pictures.contains { path, sticker in
            stickers[sticker].category == category && !path.isBelow(folder)
        }
    }

    private mutating func deleteFolder(_ folder: String) {
        for path in pictures.keys where path.isBelow(folder) { remove(path) }
        words = words.filter { !$0.key.isBelow(folder) }
        titles = titles.filter { $0.key != folder && !$0.key.isBelow(folder) }
        categoryFiles = categoryFiles.filter { $0.key != folder && !$0.key.isBelow(folder) }
        directories = directories.filter { $0 != folder && !$0.isBelow(folder) }
    }

    private mutating func moveDrop(_ drop: String, to other: String) {
        drops = drops.map { $0 == drop ? other : $0 }
        pictures = moved(pictures, drop, other)
        folders = moved(folders, drop, other)
        moveDirectories(drop, to: other)
    }

    private mutating func moveDirectories(_ folder: String, to other: String) {
        directories = Set(
            directories.map { $0 == folder ? other : $0.moved(from: folder, to: other) })
        words = moved(words, folder, other)
        titles = moved(titles, folder, other)
        categoryFiles = moved(categoryFiles, folder, other)
    }

    private func moved<Value>(
        _ places: [String: Value], _ folder: String, _ other: String
    ) -> [String: Value] {
        Dictionary(
            uniqueKeysWithValues: places.map { path, value in
                (path == folder ? other : path.moved(from: folder, to: other), value)
            })
    }

    // MARK: The database

    /// The pictures that are shown, each as often as it is.
    var published: [Int] { stickers.filter { !$0.isRemoved }.map(\.picture) }

    /// A new database knows what is published, and of removed stickers the id, the category and the content.
    private mutating func rebuild() {
        for index in stickers.indices where stickers[index].isRemoved {
            stickers[index].kept = Words()
            stickers[index].isNameForgotten = true
        }
        ledger.wasRebuilt(published)
    }
}
