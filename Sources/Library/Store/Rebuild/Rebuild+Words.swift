import FoundationEssentials
import GRDB
import StickerSystem
import StickerValues

// Words of side files: as published, and as they are now.

/// A valid side file. The next scan finds others, including one that crashed the daemon before.
struct ReadSideFile {
    var key: SourceKey
    var version: FileVersion
    var content: ContentHash
    var words: SideFileWords

    /// - Throws: `StoreError` if the database cannot be read.
    init?(_ key: SourceKey, _ store: LibraryStore) throws {
        let mark = key.mark(size: -1)
        guard try !store.queue.isAvoided(mark),
            let read = Reading.file(mark).during({ Self.read(key) })
        else { return nil }
        self = read
    }

    private static func read(_ key: SourceKey) -> ReadSideFile? {
        guard let file = SideFile(key) else { return nil }
        let result = SourceReader.read(key, expected: nil, bytesMax: file.bytesMax)
        guard case .read(let bytes, let content, let version) = result,
            let words = try? file.words(in: bytes.withUnsafeBytes { Array($0) })
        else { return nil }
        return ReadSideFile(key: key, version: version, content: content, words: words)
    }

    private init(key: SourceKey, version: FileVersion, content: ContentHash, words: SideFileWords) {
        (self.key, self.version, self.content, self.words) = (key, version, content, words)
    }
}

extension Set<SourceKey> {
    /// Whether one of these side files may be about a picture.
    func concern(_ picture: SourceKey) -> Bool {
        contains(SideFile.beside(picture))
            || contains { file in
                let isOfCategory = SideFile(file) == .category || SideFile(file) == .emojis
                return isOfCategory && file.drop == picture.drop
                    && file.directory == picture.categoryFolder ?? []
            }
    }
}

extension StoreTransaction {
    /// Records a side file in the folder of a known category.
    func takeOver(_ file: ReadSideFile) throws {
        let key = file.key
        let category: String? = try value(
            "SELECT category FROM category_folder WHERE drop_path = ? AND name = ?",
            [key.drop, Data(key.categoryFolder ?? [])])
        guard let category, let kind = SourceRow.Kind(key) else { return }
        let sighting = Sighting(
            key: key, version: file.version, isRegularFile: true, origin: .scan)
        let source = try addSource(sighting, kind, CategoryID(rawValue: category))
        try run(
            "UPDATE source SET content = ?, applied = 1 WHERE id = ?",
            [file.content.rawValue, source.id])
        _ = try note(file.words, of: source)
    }

    /// Settles the words of categories with side files; if they equal the published ones, nothing changes.
    func settleWords() throws {
        let told = try categories(
            "SELECT DISTINCT source.category FROM words JOIN source ON source.id = words.source")
        for category in try categories("SELECT id FROM category") {
            for source in try liveSources(of: category) { try place(source) }
        }
        for category in told {
            let present = try liveSources(of: category).filter(\.isPresent)
            let changed = try present.count { try writeEntry(of: $0) }
            if try refreshWords(of: category) || changed > 0 { try touch(category) }
        }
    }

    /// Restores the place of a sticker in its category; its entry alone does not determine it.
    private func place(_ source: SourceRow) throws {
        let name = source.key.name
        let words = try words(about: source).settled(with: StickerName(fileName: name))
        try run(
            "UPDATE sticker SET sort_key = ? WHERE id = ?",
            [Data(SortKey.make(fileName: name, words)), source.sticker?.rawValue])
    }

    /// Keeps the published words of a category as if its faulty file contained them or, without any file, a missing
    /// one.
    func keepWords(
        _ words: CategoryWords, of category: CategoryID, _ faulty: Set<SourceKey>
    ) throws {
        guard !words.isEmpty,
            let folder = try row(
                "SELECT drop_path, name FROM category_folder WHERE category = ? LIMIT 1",
                [category.rawValue])
        else { return }
        let hasFiles =
            try count(
                "SELECT count(*) FROM source WHERE category = ? AND kind = 'categoryWords'",
                [category.rawValue]) > 0
        let (drop, name): (String, Data) = (folder[0], folder[1])
        let place = SourceKey(
            drop: drop, directory: [UInt8](name), name: Array("category.json".utf8))
        let silent = faulty.first {
            $0.drop == place.drop && $0.directory == place.directory && SideFile($0) != .sticker
        }
        guard silent != nil || !hasFiles else { return }
        let unknown = FileVersion(inode: 0, size: 0, mtime: 0, ctime: 0)
        let sighting = Sighting(
            key: silent ?? place, version: unknown, isRegularFile: true, origin: .scan)
        let source = try addSource(sighting, .categoryWords, category)
        var said = SideFileWords()
        said.category = words
        _ = try note(said, of: source)
        if silent == nil { try markMissing(source.id) }
    }
}

extension ManifestSticker {
    /// The words of the entry besides its file's name; `nil` if there are none.
    var words: StickerWords? {
        let name = StickerName(fileName: Array(source.name.utf8))
        var words = StickerWords()
        words.title = title == name.title ? nil : title
        words.emojis = emojis == name.emojis || name.emojis.isEmpty ? nil : emojis
        words.keywords = keywords
        words.accessibilityText = accessibilityText
        words.order = order
        words.pinned = pinned
        words.rating = rating
        words.tintMode = tintMode
        words.publisher = publisher
        words.licence = licence
        words.links = links
        return words.isEmpty ? nil : words
    }
}
